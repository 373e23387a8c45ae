import type { Work } from "../../kernel/work";
import { updatePackage } from "../packages/charges/operations";
import { assertDraftStatus, newTerms, sentTerms } from "../packages/rules";
import { createPackage } from "../packages/versions/operations";
import type { AddonCreate, AddonUpdate } from "./schema";

/** Creates an addon as a draft. For the error codes see `createPackage`. */
export function createAddon(work: Work, input: AddonCreate) {
	assertDraftStatus(input.status);
	return createPackage(work, {
		kind: "ADDON",
		refId: input.id,
		productRef: input.productId,
		terms: {
			...newTerms(input),
			maxQuantity: input.maxQuantity ?? null,
		},
	});
}

/** Changes the sent fields of the draft; null clears a field. For the error codes see `updatePackage`. */
export function updateAddon(work: Work, refId: string, input: AddonUpdate) {
	assertDraftStatus(input.status);
	return updatePackage(
		work,
		"ADDON",
		refId,
		{
			...sentTerms(input),
			...(input.maxQuantity !== undefined && { maxQuantity: input.maxQuantity }),
			...(input.dependencies !== undefined && { dependencyRefs: input.dependencies }),
		},
		input.charges,
	);
}
