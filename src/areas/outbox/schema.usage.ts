import { Type } from "@sinclair/typebox";
import { literals, nullable } from "../../kernel/schema";
import { Id, IsoTime, Named, payload } from "./schema.payload";

// Payloads of events about usage, credits and budgets.

export const CreditGrantPayload = payload({
	id: Id,
	entityId: Id,
	name: Type.String(),
	grantType: Type.String(),
	status: Type.String(),
	amount: Type.Number(),
	consumedAmount: Type.Number(),
	customer: Named,
	currency: Named,
	resource: nullable(Named),
	effectiveAt: IsoTime,
	expireAt: nullable(IsoTime),
	voidedAt: nullable(IsoTime),
});

export const CreditBalancePayload = payload({
	eventId: Id,
	customer: Named,
	currency: Named,
	resource: nullable(Named),
	totalGranted: Type.Number(),
	remaining: Type.Number(),
	percentageUsed: Type.Number(),
});

export const MeasurementPayload = payload({
	customer: Named,
	resource: nullable(Named),
	feature: Named,
	currentChange: Type.Number({ description: "the change; negative for a reduction" }),
	currentUsage: nullable(Type.Number()),
	usageLimit: nullable(Type.Number()),
	usageUsedPercentage: nullable(Type.Number()),
	hasUnlimitedUsage: Type.Boolean(),
	nextResetDate: nullable(IsoTime),
});

export const EntitlementsUpdatedPayload = payload({
	trigger: literals("subscription_updated", "promotional_entitlement_updated"),
	customer: Named,
	resource: nullable(Named),
	entitlements: Type.Array(Type.Object({ type: literals("FEATURE", "CREDIT"), isGranted: Type.Boolean() }), {
		description: "as in `GET /customers/{id}/entitlements`",
	}),
	entitlementsUpdatedAt: IsoTime,
});

export const UsageExceededPayload = payload({
	eventId: Id,
	customer: Named,
	resource: nullable(Named),
	feature: Named,
	thresholdType: literals("PERCENT", "ABSOLUTE"),
	threshold: Type.Number(),
	currentUsage: Type.Number(),
	usageLimit: nullable(Type.Number()),
	usageUsedPercentage: nullable(Type.Number()),
	usagePeriodStart: nullable(IsoTime),
	usagePeriodEnd: nullable(IsoTime),
});

const budget = {
	...{ customer: Named, entity: Named, parent: nullable(Named), feature: nullable(Named), currency: nullable(Named) },
	scopeEntityIds: Type.Array(Id),
	usageLimit: nullable(Type.Number()),
	hasSoftLimit: Type.Boolean(),
	currentUsage: Type.Number(),
	utilization: nullable(Type.Number()),
	cadence: Type.String(),
	usagePeriodStart: IsoTime,
	usagePeriodEnd: nullable(IsoTime),
};

export const BudgetThresholdPayload = payload({
	eventId: Id,
	...budget,
	thresholdType: literals("PERCENT", "ABSOLUTE"),
	threshold: Type.Number(),
});

export const BudgetExceededPayload = payload({
	...budget,
	cause: Type.Union([Type.Literal("DENIED"), Type.Literal("USAGE")], {
		description: "DENIED: a use was denied. USAGE: usage passed the limit.",
	}),
});

export const BudgetRequestPayload = payload({
	...{ id: Id, entityId: Id, customer: Named, entity: Named, feature: nullable(Named), currency: nullable(Named) },
	amount: Type.Number(),
	approvedAmount: nullable(Type.Number()),
	duration: literals("PERIOD", "PERMANENT"),
	status: Type.String(),
});

export const RechargeConfigurationPayload = payload({
	entityId: Id,
	customer: Named,
	currency: Named,
	isEnabled: Type.Boolean(),
	thresholdType: Type.String(),
	thresholdValue: Type.Number(),
	targetBalance: Type.Number(),
	maxSpendLimit: nullable(Type.Number()),
	grantExpirationPeriod: Type.String(),
});

export const RechargeAttemptPayload = payload({
	entityId: Id,
	customer: Named,
	currency: Named,
	status: literals("SUCCEEDED", "AWAITS_PAYMENT", "FAILED"),
	problem: nullable(Type.String()),
	amount: nullable(Type.Number()),
	creditGrantId: nullable(Id),
});

export const RechargeLimitPayload = payload({
	entityId: Id,
	customer: Named,
	currency: Named,
	percentage: Type.Number({ description: "80, 90 or 100 percent of the monthly limit" }),
	spent: Type.Number(),
	maxSpendLimit: Type.Number(),
});
