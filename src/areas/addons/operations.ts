import type { Work } from "../../kernel/work";
import { updatePackage } from "../packages/charges/operations";
import { assertDraftStatus, sentTerms } from "../packages/rules";
import { createPackage } from "../packages/versions/operations";
import type { AddonCreate, AddonUpdate } from "./schema";

/** Starts an addon as a draft. For the codes see `createPackage`. */
export function createAddon(work: Work, input: AddonCreate) {
	assertDraftStatus(input.status);
	return createPackage(work, {
		kind: "ADDON",
		refId: input.id,
		productRef: input.productId,
		terms: {
			displayName: input.displayName,
			description: input.description ?? null,
			billingId: input.billingId ?? null,
			metadata: input.metadata ?? {},
			pricingType: input.pricingType ?? null,
			maxQuantity: input.maxQuantity ?? null,
		},
	});
}

/** Changes what is sent, on the draft; null clears. For the codes see `updatePackage`. */
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
