import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../../kernel/schema";
import { ChargeTerms } from "../charges/schema";
import { PackageEntitlementTerms } from "../entitlements/schema";

const change = literals("ADDED", "REMOVED", "CHANGED");

/** Our choice: who asks before publishing wants to see whom it hits; beyond these, the count tells. */
export const customersLosingMax = 100;

/** Our choice: so far they are counted, so that the question costs the same however many customers there are. */
export const customersLosingCountMax = 1_000;

/** Our addition: what a publication would change. */
const PublishImpact = Type.Object({
	/** Against the version that is sold now, a base plan's grants included. */
	entitlements: Type.Array(
		Type.Object({
			id: Type.String({ description: "The feature's or the currency's id" }),
			type: literals("FEATURE", "CREDIT"),
			change,
			before: nullable(PackageEntitlementTerms),
			after: nullable(PackageEntitlementTerms),
		}),
	),
	charges: Type.Array(
		Type.Object({
			isOverage: Type.Boolean(),
			change,
			before: nullable(ChargeTerms),
			after: nullable(ChargeTerms),
		}),
	),
	subscriptionsCount: Type.Integer({ description: "Running subscriptions that would be moved" }),
	customersLosing: Type.Array(Type.Object({ customerId: Type.String(), loses: Type.Array(Type.String()) }), {
		maxItems: customersLosingMax,
		description: "Who would have less of something, against the version held now",
	}),
	customersLosingCount: Type.Integer({
		maximum: customersLosingCountMax,
		description: `All of them, also those that are not listed; ${customersLosingCountMax} stands for as many or more`,
	}),
});
export type PublishImpact = Static<typeof PublishImpact>;

/** `impact` comes with `dryRun=true` only. */
export const PublishResult = Type.Object({
	taskId: nullable(Type.String()),
	impact: Type.Optional(PublishImpact),
});
