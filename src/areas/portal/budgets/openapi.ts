import { operation } from "../../../openapi/operation";

const uncoded = { 404: "The link shows no such budget." } as const;
const denied = ["GovernanceNotEnabled", "AccessDeniedError"] as const;
const ofRequest = {
	path: { id: "The request's id, from the list" },
	refusals: [...denied, "InvalidArgumentError"],
	uncoded: { 404: "The link shows no such request." },
} as const;

export const portalBudgetOperations = {
	link: operation({
		operationId: "portal.retrieveLink",
		summary: "Retrieve what the link shows",
		description: "Returns the customer, the person, and the link's access to budgets. Ours.",
	}),
	list: operation({
		operationId: "portal.listBudgets",
		summary: "List the budgets of the link",
		description:
			"Sorted by utilization, highest first. A link to an entity shows the budgets of that entity and of all below. Ours.",
		query: {
			featureIds: "Only budgets of these features",
			currencyIds: "Only budgets of these custom currencies",
			entityTypeIds: "Only entities of these kinds",
			entityIdSearch: "Only entities with this text in their id or name, in any letter case",
			minUtilization: "Only budgets with at least this utilization: 0.8 is 80 percent",
		},
		refusals: denied,
	}),
	retrieve: operation({
		operationId: "portal.retrieveBudgets",
		summary: "Retrieve the budgets of an entity",
		description: "Returns limits and usage in the current windows. Ours.",
		path: { entityId: ["The entity's id", "drafter"] },
		refusals: denied,
		uncoded,
	}),
	change: operation({
		operationId: "portal.changeBudget",
		summary: "Change the limit of a budget",
		description:
			"For links with `budgets` GOVERN. A link to an entity changes only budgets below that entity, never its own. Ours.",
		path: { entityId: ["The entity's id", "drafter"] },
		example: { currencyId: "currency-ai-credits", usageLimit: 300 },
		refusals: [...denied, "FeatureNotFound", "CustomCurrencyNotFound", "UnsupportedFeatureType"],
		uncoded,
	}),
	requests: operation({
		operationId: "portal.listBudgetRequests",
		summary: "List the budget requests of the link",
		query: { status: "Only requests with this status" },
		refusals: denied,
	}),
	request: operation({
		operationId: "portal.createBudgetRequest",
		summary: "Request a higher budget",
		description: "For any budget that the link shows. Somebody who governs the parent decides. Ours.",
		example: {
			...{ entityId: "drafter", currencyId: "currency-ai-credits", amount: 50 },
			...{ reason: "A long contract", duration: "PERIOD" },
		},
		refusals: [
			...denied,
			...(["FeatureNotFound", "CustomCurrencyNotFound", "EntityIsArchivedError", "UnsupportedFeatureType"] as const),
		],
	}),
	approve: operation({
		operationId: "portal.approveBudgetRequest",
		summary: "Approve a budget request",
		description:
			"Approves the requested amount, or a lower `amount`. The link governs the parent of the entity. Nobody decides their own request. Ours.",
		example: { amount: 30 },
		...ofRequest,
	}),
	decline: operation({
		operationId: "portal.declineBudgetRequest",
		summary: "Decline a budget request",
		description: "Nobody decides their own request. Ours.",
		example: {},
		...ofRequest,
	}),
};
