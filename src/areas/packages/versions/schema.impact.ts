import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../../kernel/schema";
import { SpendCommitmentsShown } from "../../pricing/commitments/schema.spend-commitment";
import { SpendThresholdsShown } from "../../pricing/schema.spend-thresholds";
import { TermShown } from "../../pricing/schema.term";
import { ChargeTerms, Phases } from "../charges/schema";
import { PackageEntitlementTerms } from "../entitlements/schema";

const change = literals("ADDED", "REMOVED", "CHANGED");

/** The maximum number of customers that a dry run names; beyond it, the count informs. */
export const customersLosingMax = 100;

/** Counting stops here, so that the cost of a dry run does not grow with the number of customers. */
export const customersLosingCountMax = 1_000;

/** Our addition: the changes that a publication would make. */
const PublishImpact = Type.Object({
	/** Compared with the version that is for sale, a base plan's grants included. */
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
	/** Present if they differ. */
	phases: Type.Optional(Type.Object({ before: Phases, after: Phases })),
	term: Type.Optional(
		Type.Object(
			{ change, before: nullable(TermShown), after: nullable(TermShown) },
			{ description: "Present if the term differs. Subscriptions get the new one with their next term" },
		),
	),
	commitments: Type.Optional(
		Type.Object(
			{ change, before: nullable(SpendCommitmentsShown), after: nullable(SpendCommitmentsShown) },
			{ description: "Present if the commitments differ" },
		),
	),
	spendThresholds: Type.Optional(
		Type.Object(
			{ change, before: nullable(SpendThresholdsShown), after: nullable(SpendThresholdsShown) },
			{ description: "Present if the thresholds differ" },
		),
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

/** `impact` is present only with `dryRun=true`. */
export const PublishResult = Type.Object({
	taskId: nullable(Type.String()),
	impact: Type.Optional(PublishImpact),
});
