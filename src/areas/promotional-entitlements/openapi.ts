import { operation } from "../../openapi/operation";

const path = { id: ["The customer's id", "customer-acme"] } as const;

export const promotionalEntitlementOperations = {
	list: operation({
		operationId: "customers.promotionalEntitlements.list",
		summary: "List what a customer was given",
		path,
		query: { status: "Only entitlements in these states" },
		refusals: ["CustomerNotFound"],
	}),
	create: operation({
		operationId: "customers.promotionalEntitlements.create",
		summary: "Give a customer features",
		description: "Beside whatever it bought, for a while or for good. Of two limits the more generous one counts.",
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
		summary: "Take back what a customer was given",
		path: { ...path, featureId: ["The id of the feature that was given", "feature-sso"] },
		refusals: ["CustomerNotFound", "FeatureNotFound", "PromotionalEntitlementNotFoundError"],
	}),
};
