import { operation } from "../../../openapi/operation";

const path = { id: "The alert's id, as it was answered when it was made" } as const;
const uncoded = { 404: "There is no such alert in this environment." } as const;
const query = {
	customerId: "Those of one customer",
	featureId: "Those of one feature",
	currencyId: "Those of one currency of credits",
	after: "The last id of the page before",
	before: "The first id of the page after",
	limit: "1 to 100, 20 when left out",
} as const;

export const alertOperations = {
	list: operation({
		operationId: "usageAlerts.list",
		summary: "List the thresholds of usage that are told of",
		query,
	}),
	reached: operation({
		operationId: "usageAlerts.listReached",
		summary: "List the thresholds that were reached",
		description:
			"Each once for each usage period, newest first, as it was then. Of credits once for each time that any were granted, and of several that are passed at once the highest.",
		query,
	}),
	create: operation({
		operationId: "usageAlerts.create",
		summary: "Set a threshold of usage to be told of",
		description:
			"Of usage of a feature, or with `currencyId` of credits; of one customer, or without `customerId` of all who have none of their own for it. PERCENT is of the limit, or of the credits that are granted (100: used up); ABSOLUTE in the units that the limit counts.",
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
		summary: "Change a threshold",
		description: "It can be reached once more in the same period.",
		path,
		example: { threshold: 90 },
		refusals: ["DuplicatedEntityNotAllowed"],
		uncoded,
	}),
	delete: operation({
		operationId: "usageAlerts.delete",
		summary: "Set a threshold no more",
		description: "What was reached stays in the list.",
		path,
		uncoded,
	}),
};
