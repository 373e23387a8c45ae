import { dryRun } from "../../../kernel/dry-run";
import type { Work } from "../../../kernel/work";
import { provisionCustomer } from "../../customers/operations";
import { updatePackage } from "../../packages/charges/operations";
import type { PackageKind } from "../../packages/schema";
import { preparePublication, publishDraft } from "../../packages/versions/operations";
import { type Previewed, previewSubscription } from "./preview";
import type { AddonDraftPreview, DraftPreview, PlanDraftPreview } from "./schema.draft";

/**
 * What a sale by the draft of a plan would be invoiced: the draft is published, sold as any other, and all of it taken back.
 * With `pricing` it first gets these prices, as an update would set them. The codes of `updatePackage`, `preparePublication` and
 * `previewSubscription`.
 */
export const previewPlanDraft = (work: Work, planId: string, input: PlanDraftPreview): Previewed =>
	previewDraft(work, "PLAN", planId, { ...input, planId });

/** As `previewPlanDraft`, for the draft of an addon, which is sold with a plan that is published. */
export const previewAddonDraft = (
	work: Work,
	addonId: string,
	{ quantity = 1, addons = [], ...input }: AddonDraftPreview,
): Previewed => previewDraft(work, "ADDON", addonId, { ...input, addons: [...addons, { id: addonId, quantity }] });

function previewDraft(
	work: Work,
	kind: PackageKind,
	refId: string,
	{ pricing, customerId, ...asked }: DraftPreview & { readonly planId: string },
): Previewed {
	return dryRun(work, () => {
		if (pricing) updatePackage(work, kind, refId, {}, pricing);
		publishDraft(work, preparePublication(work, kind, refId), "NEW_CUSTOMERS");
		return previewSubscription(work, { ...asked, customerId: customerId ?? someoneNew(work) });
	});
}

/** Nothing was agreed with them, and they have nothing yet. */
const someoneNew = (work: Work): string => provisionCustomer(work, { id: work.newId() }).refId;
