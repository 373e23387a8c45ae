import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, literals, nullable, RefId } from "../../../kernel/schema";

export const ThresholdType = literals("PERCENT", "ABSOLUTE");
export type ThresholdType = Static<typeof ThresholdType>;

/** Above zero: nothing has reached a threshold by using nothing. The upper bound is ours: a JSON number is exact up to it. */
const Threshold = Type.Number({ exclusiveMinimum: 0, maximum: 1e15 });

const closed = { additionalProperties: false };

export const NewUsageAlert = Type.Object(
	{
		/** Of one of the two: usage of a feature, or of credits of a currency. */
		featureId: Type.Optional(RefId),
		currencyId: Type.Optional(RefId),
		/** Left out or null: of every customer that has no alert of its own for the feature, or the currency. */
		customerId: Type.Optional(nullable(CustomerRefId)),
		type: ThresholdType,
		/** Percent of the limit, also above 100; or units, as the feature's limit counts them; or credits that are used. */
		threshold: Threshold,
	},
	closed,
);
export type NewUsageAlert = Static<typeof NewUsageAlert>;

export const UsageAlertChange = Type.Object(
	{ type: Type.Optional(ThresholdType), threshold: Type.Optional(Threshold) },
	closed,
);
export type UsageAlertChange = Static<typeof UsageAlertChange>;

export const UsageAlertPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

const ofWhom = {
	customerId: Type.Optional(Type.String({ maxLength: 255 })),
	featureId: Type.Optional(Type.String({ maxLength: 255 })),
	currencyId: Type.Optional(Type.String({ maxLength: 255 })),
};

export const UsageAlertListQuery = Type.Object({ ...pageQuery, ...ofWhom }, closed);
export type UsageAlertListQuery = Static<typeof UsageAlertListQuery>;

export const UsageAlert = Type.Object(
	{
		id: Type.String(),
		/** One of the two is null. */
		featureId: nullable(Type.String()),
		currencyId: nullable(Type.String()),
		customerId: nullable(Type.String()),
		type: ThresholdType,
		threshold: Type.Number(),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "UsageAlert", ...closed },
);
export type UsageAlert = Static<typeof UsageAlert>;

/** A threshold that was reached, as it was then. */
export const ReachedAlert = Type.Object(
	{
		id: Type.String(),
		alertId: Type.String(),
		customerId: Type.String(),
		/** One of the two is null. */
		featureId: nullable(Type.String()),
		currencyId: nullable(Type.String()),
		resourceId: nullable(Type.String()),
		type: ThresholdType,
		threshold: Type.Number(),
		currentUsage: Type.Number(),
		usageLimit: nullable(Type.Number()),
		/** Of credits: when any were granted last, and when the first of the recurring ones end. */
		usagePeriodStart: nullable(Type.String()),
		usagePeriodEnd: nullable(Type.String()),
		reachedAt: Type.String(),
	},
	{ $id: "ReachedAlert", ...closed },
);
export type ReachedAlert = Static<typeof ReachedAlert>;
