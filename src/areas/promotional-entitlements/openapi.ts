import { operation } from "../../openapi/operation";

const path = { id: ["The customer's id", "customer-acme"] } as const;

export const promotionalEntitlementOperations = {
	list: operation({
		operationId: "customers.promotionalEntitlements.list",
		summary: "List a customer's promotional entitlements",
		path,
		query: { status: "Only entitlements in these states" },
		refusals: ["CustomerNotFound"],
	}),
	create: operation({
		operationId: "customers.promotionalEntitlements.create",
		summary: "Grant features to a customer",
		description:
			"Grants features in addition to the customer's purchases, for a period or without end. The more generous of two limits applies.",
		path,
		example: {
			promotionalEntitlements: [
				{
					featureId: "feature-api-calls",
					usageLimit: 500_000,
					period: "1 month",
					resetPeriod: "MONTH",
					monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
					customEndDate: null,
					enumValues: null,
					hasSoftLimit: null,
					hasUnlimitedUsage: null,
					isVisible: null,
					weeklyResetPeriodConfiguration: null,
					yearlyResetPeriodConfiguration: null,
				},
			],
		},
		refusals: ["CustomerNotFound", "FeatureNotFound"],
	}),
	revoke: operation({
		operationId: "customers.promotionalEntitlements.revoke",
		summary: "Revoke a promotional entitlement",
		path: { ...path, featureId: ["The id of the granted feature", "feature-sso"] },
		refusals: ["CustomerNotFound", "FeatureNotFound", "PromotionalEntitlementNotFoundError"],
	}),
};
