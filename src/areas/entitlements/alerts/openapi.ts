import { operation } from "../../../openapi/operation";

const path = { id: "The alert's id, from its creation" } as const;
const uncoded = { 404: "There is no such alert in this environment." } as const;
const query = {
	customerId: "Only this customer",
	featureId: "Only this feature",
	currencyId: "Only this currency of credits",
	after: "The last id of the previous page",
	before: "The first id of the next page",
	limit: "1 to 100; default 20",
} as const;

export const alertOperations = {
	list: operation({
		operationId: "usageAlerts.list",
		summary: "List usage alerts",
		query,
	}),
	reached: operation({
		operationId: "usageAlerts.listReached",
		summary: "List reached usage alerts",
		description:
			"Reached thresholds with the values at that time, the newest first. Each appears once for each usage period. For credits, each appears once after each grant; of several that are reached at once, only the highest appears.",
		query,
	}),
	create: operation({
		operationId: "usageAlerts.create",
		summary: "Create a usage alert",
		description:
			"A threshold for the usage of a feature, or with `currencyId` for used credits. It applies to one customer, or without `customerId` to all customers without an alert of their own. PERCENT is a percentage of the limit or of the granted credits (100: used up). ABSOLUTE is a number of limited units. With `entityId`, it applies to the budgets of an entity of the customer, once in each window.",
		example: { featureId: "feature-api-calls", customerId: "customer-acme", type: "PERCENT", threshold: 80 },
		refusals: [
			"CustomerNotFound",
			"FeatureNotFound",
			"CustomCurrencyNotFound",
			"EntityIsArchivedError",
			"MeteringNotAvailableForFeatureType",
			"DuplicatedEntityNotAllowed",
		],
	}),
	update: operation({
		operationId: "usageAlerts.update",
		summary: "Change a usage alert",
		description: "The new threshold can be reached once more in the same period.",
		path,
		example: { threshold: 90 },
		refusals: ["DuplicatedEntityNotAllowed"],
		uncoded,
	}),
	delete: operation({
		operationId: "usageAlerts.delete",
		summary: "Delete a usage alert",
		description: "Reached alerts stay in the list.",
		path,
		uncoded,
	}),
};
