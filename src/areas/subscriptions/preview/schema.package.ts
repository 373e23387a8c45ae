import { type Static, Type } from "@sinclair/typebox";
import { RefId } from "../../../kernel/schema";
import { PackageCharges } from "../../packages/charges/schema";
import { AddonSelection } from "../schema.provision";
import { SubscriptionPreview } from "./schema";

const closed = { additionalProperties: false };

const { customerId, planId: _, ...asked } = SubscriptionPreview.properties;

const packagePreview = {
	...asked,
	/** Default: a new customer without country, coupon or subscription. */
	customerId: Type.Optional(customerId),
	/**
	 * Previews the draft instead of the published version. `pricing` replaces the charges of the draft, like `charges` of
	 * its update.
	 */
	draft: Type.Optional(Type.Object({ pricing: Type.Optional(PackageCharges) }, closed)),
};

const PackagePreview = Type.Object(packagePreview, closed);
export type PackagePreview = Static<typeof PackagePreview>;

/**
 * An addition to the reference service's schema: the invoices of a sale of a plan, also of a draft and without a
 * customer.
 */
export const PlanPreview = Type.Object(packagePreview, { $id: "PlanPreviewBody", ...closed });
export type PlanPreview = Static<typeof PlanPreview>;

/** An addition to the reference service's schema, for an addon that is sold with a plan. */
export const AddonPreview = Type.Object(
	{ ...packagePreview, planId: RefId, quantity: Type.Optional(AddonSelection.properties.quantity) },
	{ $id: "AddonPreviewBody", ...closed },
);
export type AddonPreview = Static<typeof AddonPreview>;
