import { operation } from "../../../openapi/operation";

const uncoded = { 404: "There is no such request in this environment." } as const;
const id = ["The request's id, from its creation", "budget-request-1"] as const;

export const budgetRequestOperations = {
	list: operation({
		operationId: "budgetRequests.list",
		summary: "List a customer's budget requests",
		path: { id: ["The customer's id", "customer-acme"] },
		query: { status: "Only requests with this status" },
		refusals: ["GovernanceNotEnabled", "CustomerNotFound"],
	}),
	create: operation({
		operationId: "budgetRequests.create",
		summary: "Request a higher budget",
		description:
			"Requests that the limit of an entity is raised by `amount`: PERIOD for the current window, PERMANENT for all. An undecided request expires after 7 days.",
		path: { id: ["The customer's id", "customer-acme"] },
		example: {
			...{ entityId: "research", currencyId: "currency-ai-credits", amount: 500 },
			...{ reason: "Evaluation of a new model", duration: "PERIOD" },
		},
		refusals: [
			...(["GovernanceNotEnabled", "CustomerNotFound", "FeatureNotFound", "CustomCurrencyNotFound"] as const),
			...(["EntityIsArchivedError", "UnsupportedFeatureType"] as const),
		],
	}),
	approve: operation({
		operationId: "budgetRequests.approve",
		summary: "Approve a budget request",
		description:
			"Approves the requested amount, or a lower `amount`. The higher limit counts at once. Nobody approves their own request.",
		path: { id },
		example: { amount: 300 },
		refusals: ["GovernanceNotEnabled", "InvalidArgumentError"],
		uncoded,
	}),
	decline: operation({
		operationId: "budgetRequests.decline",
		summary: "Decline a budget request",
		path: { id },
		example: {},
		refusals: ["GovernanceNotEnabled", "InvalidArgumentError"],
		uncoded,
	}),
};
