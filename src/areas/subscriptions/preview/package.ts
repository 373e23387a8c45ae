import { dryRun } from "../../../kernel/dry-run";
import type { Work } from "../../../kernel/work";
import { provisionCustomer } from "../../customers/operations";
import { updatePackage } from "../../packages/charges/operations";
import type { PackageKind } from "../../packages/schema";
import { preparePublication, publishDraft } from "../../packages/versions/operations";
import { type Previewed, previewSubscription } from "./preview";
import type { AddonPreview, PackagePreview, PlanPreview } from "./schema.package";

/**
 * Previews the invoices of a sale of a plan, also to a new customer and of its draft: publishes the draft with the
 * requested prices, sells it, and rolls everything back. The codes of `updatePackage`, `preparePublication` and
 * `previewSubscription`.
 */
export const previewPlan = (work: Work, planId: string, input: PlanPreview): Previewed =>
	previewPackage(work, "PLAN", planId, { ...input, planId });

/** Previews the sale of an addon together with a plan. */
export const previewAddon = (
	work: Work,
	addonId: string,
	{ quantity = 1, addons = [], ...input }: AddonPreview,
): Previewed => previewPackage(work, "ADDON", addonId, { ...input, addons: [...addons, { id: addonId, quantity }] });

function previewPackage(
	work: Work,
	kind: PackageKind,
	refId: string,
	{ draft, customerId, ...asked }: PackagePreview & { readonly planId: string },
): Previewed {
	return dryRun(work, () => {
		if (draft?.pricing) updatePackage(work, kind, refId, {}, draft.pricing);
		if (draft) publishDraft(work, preparePublication(work, kind, refId), "NEW_CUSTOMERS");
		return previewSubscription(work, { ...asked, customerId: customerId ?? newCustomer(work) });
	});
}

/** A new customer without agreed terms or subscriptions. */
const newCustomer = (work: Work): string => provisionCustomer(work, { id: work.newId() }).refId;
