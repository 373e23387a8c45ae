import { type Static, Type } from "@sinclair/typebox";
import { RefId } from "../../../kernel/schema";
import { PackageCharges } from "../../packages/charges/schema";
import { AddonSelection } from "../schema.provision";
import { SubscriptionPreview } from "./schema";

const closed = { additionalProperties: false };

const { customerId, planId: _, ...asked } = SubscriptionPreview.properties;

const draftPreview = {
	...asked,
	/** Someone new when it is left out: no country, no coupon, no subscription. */
	customerId: Type.Optional(customerId),
	/** Instead of what the draft charges by now, as `charges` of its update. */
	pricing: Type.Optional(PackageCharges),
};

const DraftPreview = Type.Object(draftPreview, closed);
export type DraftPreview = Static<typeof DraftPreview>;

/** Our addition: what a sale by a plan's draft would be invoiced. */
export const PlanDraftPreview = Type.Object(draftPreview, { $id: "PlanDraftPreviewBody", ...closed });
export type PlanDraftPreview = Static<typeof PlanDraftPreview>;

/** Our addition: as for a plan's draft; an addon is sold with a plan. */
export const AddonDraftPreview = Type.Object(
	{ ...draftPreview, planId: RefId, quantity: Type.Optional(AddonSelection.properties.quantity) },
	{ $id: "AddonDraftPreviewBody", ...closed },
);
export type AddonDraftPreview = Static<typeof AddonDraftPreview>;
