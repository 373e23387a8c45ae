import { dryRun } from "../../../kernel/dry-run";
import type { Work } from "../../../kernel/work";
import { provisionCustomer } from "../../customers/operations";
import { updatePackage } from "../../packages/charges/operations";
import type { PackageKind } from "../../packages/schema";
import { preparePublication, publishDraft } from "../../packages/versions/operations";
import { type Previewed, previewSubscription } from "./preview";
import type { AddonPreview, PackagePreview, PlanPreview } from "./schema.package";

/**
 * What a sale of a plan would be invoiced, also to someone new, and also by its draft: that is published, with other prices where
 * they are given, sold as any other, and all of it taken back. The codes of `updatePackage`, `preparePublication` and
 * `previewSubscription`.
 */
export const previewPlan = (work: Work, planId: string, input: PlanPreview): Previewed =>
	previewPackage(work, "PLAN", planId, { ...input, planId });

/** As `previewPlan`, for an addon, which is sold with a plan. */
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
		return previewSubscription(work, { ...asked, customerId: customerId ?? someoneNew(work) });
	});
}

/** Nothing was agreed with them, and they have nothing yet. */
const someoneNew = (work: Work): string => provisionCustomer(work, { id: work.newId() }).refId;
