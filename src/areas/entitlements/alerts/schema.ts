import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, literals, nullable, RefId } from "../../../kernel/schema";

export const ThresholdType = literals("PERCENT", "ABSOLUTE");
export type ThresholdType = Static<typeof ThresholdType>;

/** Above zero, and small enough for an exact JSON number. */
const Threshold = Type.Number({ exclusiveMinimum: 0, maximum: 1e15 });

const closed = { additionalProperties: false };

export const NewUsageAlert = Type.Object(
	{
		/** Exactly one of the two: a feature, or a currency of credits. */
		featureId: Type.Optional(RefId),
		currencyId: Type.Optional(RefId),
		/** Omitted or null: all customers without an alert of their own for the feature or currency. */
		customerId: Type.Optional(nullable(CustomerRefId)),
		/** An entity of the customer: the threshold applies to each of its budgets, once in each window. */
		entityId: Type.Optional(nullable(RefId)),
		type: ThresholdType,
		/** Percent of the limit, also above 100; or limited units of the feature; or used credits. */
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

const subject = {
	customerId: Type.Optional(Type.String({ maxLength: 255 })),
	featureId: Type.Optional(Type.String({ maxLength: 255 })),
	currencyId: Type.Optional(Type.String({ maxLength: 255 })),
};

export const UsageAlertListQuery = Type.Object({ ...pageQuery, ...subject }, closed);
export type UsageAlertListQuery = Static<typeof UsageAlertListQuery>;

export const UsageAlert = Type.Object(
	{
		id: Type.String(),
		/** One of the two is null. */
		featureId: nullable(Type.String()),
		currencyId: nullable(Type.String()),
		customerId: nullable(Type.String()),
		entityId: nullable(Type.String()),
		type: ThresholdType,
		threshold: Type.Number(),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "UsageAlert", ...closed },
);
export type UsageAlert = Static<typeof UsageAlert>;

/** A reached threshold, with the values at that time. */
export const ReachedAlert = Type.Object(
	{
		id: Type.String(),
		alertId: Type.String(),
		customerId: Type.String(),
		/** One of the two is null. */
		featureId: nullable(Type.String()),
		currencyId: nullable(Type.String()),
		resourceId: nullable(Type.String()),
		/** The entity of the budget, and the scope of the budget. */
		entityId: nullable(Type.String()),
		scopeEntityIds: Type.Array(Type.String()),
		type: ThresholdType,
		threshold: Type.Number(),
		currentUsage: Type.Number(),
		usageLimit: nullable(Type.Number()),
		/** For credits: the last grant, and the earliest expiry of recurring grants. */
		usagePeriodStart: nullable(Type.String()),
		usagePeriodEnd: nullable(Type.String()),
		reachedAt: Type.String(),
	},
	{ $id: "ReachedAlert", ...closed },
);
export type ReachedAlert = Static<typeof ReachedAlert>;
