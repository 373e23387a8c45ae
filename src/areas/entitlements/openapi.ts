import { operation } from "../../openapi/operation";

const path = { id: ["The customer's id", "customer-acme"] } as const;
const resourceId = "The customer's resource; omitted or empty: no resource";

const checkQuery = {
	featureId: ["The feature to check; send this or `currencyId`", "feature-api-calls"],
	currencyId: "The custom currency to check",
	resourceId,
	requestedUsage: "The additional units; default 1 for metered features",
	requestedValues: "The requested values of an ENUM feature",
	dimensions:
		"The dimensions of the use, each as `dimensions[name]=value`. They attribute it to entities, whose budgets decide too, and the answer shows them as `chains`",
} as const;
const explain =
	"`true` adds an `explanation` of the decision, as text and as data. An addition to the reference interface";

export const entitlementOperations = {
	retrieve: operation({
		operationId: "customers.retrieveEntitlements",
		summary: "List a customer's entitlements",
		description:
			"Entitlements from plans, addons, subscriptions and promotional entitlements, with usage. An unknown customer has none.",
		path,
		query: { resourceId, explain },
	}),
	check: operation({
		operationId: "customers.checkEntitlement",
		summary: "Check an entitlement",
		description:
			"Checks one feature or one currency. `isGranted` is the decision, and `accessDeniedReason` is the reason for a denial. The status is always 200: an unknown customer or feature is denied. A feature that costs credits shows its `creditRate`. The check denies it with `InsufficientCredits` if the balance does not cover the requested usage, unless the credits have a soft limit.",
		path,
		query: { ...checkQuery, explain },
	}),
	betaCheck: operation({
		operationId: "v1Beta.customers.entitlements.check",
		summary: "Check an entitlement (beta path)",
		description: "The same as `customers.checkEntitlement`.",
		path,
		query: { ...checkQuery, explain },
	}),
};
