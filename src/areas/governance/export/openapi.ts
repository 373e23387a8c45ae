import { operation } from "../../../openapi/operation";

export const budgetExportOperations = {
	csv: operation({
		operationId: "customers.budgets.csv",
		summary: "Export a customer's budgets with usage as CSV",
		description:
			"A row for each budget of an active entity, with the usage of its current window and exact decimals. The first created comes first. A response has up to 1000 rows, and `Link` leads to the next ones.",
		path: { id: ["The customer's id", "customer-acme"] },
		query: {
			featureIds: "Only budgets of these features",
			currencyIds: "Only budgets of these custom currencies",
			entityTypeIds: "Only entities of these kinds",
		},
		answer: { description: "A line for each budget, after a line with the names", contentType: "text/csv" },
		refusals: ["GovernanceNotEnabled", "CustomerNotFound"],
	}),
};
