import { type Static, Type } from "@sinclair/typebox";
import { RefId } from "../../../kernel/schema";
import { PackageCharges } from "../../packages/charges/schema";
import { AddonSelection } from "../schema.provision";
import { SubscriptionPreview } from "./schema";

const closed = { additionalProperties: false };

const { customerId, planId: _, ...asked } = SubscriptionPreview.properties;

const packagePreview = {
	...asked,
	/** Someone new when it is left out: no country, no coupon, no subscription. */
	customerId: Type.Optional(customerId),
	/** Its draft rather than what is sold of it; `pricing` stands in for what the draft charges by now, as `charges` of its update. */
	draft: Type.Optional(Type.Object({ pricing: Type.Optional(PackageCharges) }, closed)),
};

const PackagePreview = Type.Object(packagePreview, closed);
export type PackagePreview = Static<typeof PackagePreview>;

/** Our addition: what a sale of a plan would be invoiced, also before it is published, and to nobody in particular. */
export const PlanPreview = Type.Object(packagePreview, { $id: "PlanPreviewBody", ...closed });
export type PlanPreview = Static<typeof PlanPreview>;

/** Our addition: as for a plan; an addon is sold with one. */
export const AddonPreview = Type.Object(
	{ ...packagePreview, planId: RefId, quantity: Type.Optional(AddonSelection.properties.quantity) },
	{ $id: "AddonPreviewBody", ...closed },
);
export type AddonPreview = Static<typeof AddonPreview>;
