import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, literals, nullable, RefId } from "../../../kernel/schema";
import { ReportDimensions, UpdateBehavior } from "../../usage/reports/schema";
import { eventNameCharactersMax } from "../../usage/schema";

const holder = {
	customerId: CustomerRefId,
	resourceId: Type.Optional(nullable(RefId)),
	dimensions: Type.Optional(ReportDimensions),
} as const;

export const UsageEstimateBody = Type.Object(
	{ ...holder, featureId: RefId, value: Type.Number(), updateBehavior: Type.Optional(UpdateBehavior) },
	{ additionalProperties: false },
);
export type UsageEstimateBody = Static<typeof UsageEstimateBody>;

export const EventEstimateBody = Type.Object(
	{ ...holder, eventName: Type.String({ minLength: 1, maxLength: eventNameCharactersMax }) },
	{ additionalProperties: false },
);
export type EventEstimateBody = Static<typeof EventEstimateBody>;

const estimateWarnings = [
	"RESOURCE_SCOPED_SUBSCRIPTION_EXISTS",
	"FEATURE_NOT_FOUND",
	"FEATURE_NOT_CREDIT_BASED",
] as const;
export type EstimateWarning = (typeof estimateWarnings)[number];

/** docs/interface/usage.md, "Credits". */
export const CreditEstimate = Type.Object(
	{
		estimates: Type.Array(
			Type.Object({
				currencyId: Type.String(),
				estimatedCost: Type.Number(),
				currentBalance: Type.Number(),
				balanceAfterEstimate: Type.Number(),
				wouldOverdraft: Type.Boolean(),
				breakdown: Type.Array(
					Type.Object({
						featureId: Type.String(),
						cost: Type.Number(),
						warningCode: nullable(literals("UNSUPPORTED_AGGREGATION")),
					}),
				),
			}),
		),
		warnings: Type.Array(literals(...estimateWarnings)),
	},
	{ $id: "CreditEstimate" },
);
export type CreditEstimate = Static<typeof CreditEstimate>;
