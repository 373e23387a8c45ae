import { operation } from "../../openapi/operation";

const path = { id: ["The customer's id", "customer-acme"] } as const;
const resourceId = "The customer's resource; left out or empty, what belongs to none";

const asked = {
	featureId: ["The feature that is asked for; this or `currencyId`", "feature-api-calls"],
	currencyId: "The custom currency that is asked for",
	resourceId,
	requestedUsage: "How much more is about to be used; when left out, 1 of what is metered",
	requestedValues: "The values of an ENUM feature that are asked for",
} as const;
const explain = "`true` adds an `explanation`: why, in words and as data. Ours, beside the interface";

export const entitlementOperations = {
	retrieve: operation({
		operationId: "customers.retrieveEntitlements",
		summary: "List all that a customer may do",
		description: "From plan, addons, subscription and gifts, with what was used. An unknown customer has no access.",
		path,
		query: { resourceId, explain },
	}),
	check: operation({
		operationId: "customers.checkEntitlement",
		summary: "May the customer do that?",
		description:
			"One feature or one currency. `isGranted` is the answer, `accessDeniedReason` says why not. Always 200: what is unknown is not granted. A feature that costs credits shows its `creditRate`. The check denies it with `InsufficientCredits` if the balance does not cover the requested usage, unless the credits have a soft limit.",
		path,
		query: { ...asked, explain },
	}),
	betaCheck: operation({
		operationId: "v1Beta.customers.entitlements.check",
		summary: "May the customer do that? (beta path)",
		description:
			"As `customers.checkEntitlement`. There is no governance: `dimensions` are refused, and no `chains` are shown.",
		path,
		query: {
			...asked,
			dimensions: "Refused with `UnsupportedParameter`: there is no governance whose budgets they would name",
		},
		refusals: ["UnsupportedParameter"],
	}),
};
