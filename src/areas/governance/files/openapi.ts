import { operation } from "../../../openapi/operation";

const path = { id: ["The customer's id", "customer-acme"] } as const;
const refusals = ["GovernanceNotEnabled", "CustomerNotFound"] as const;
const ofFile = {
	path,
	example: {
		budgets: [
			{ entityId: "research", currencyId: "currency-ai-credits", usageLimit: 5000, cadence: "P1M" },
			...[
				{
					entityId: "drafter",
					currencyId: "currency-ai-credits",
					parentId: "research",
					usageLimit: 300,
					cadence: "P1M",
				},
			],
		],
	},
	refusals: [
		...refusals,
		...(["FeatureNotFound", "CustomCurrencyNotFound", "EntityIsArchivedError", "UnsupportedFeatureType"] as const),
	],
} as const;

export const budgetFileOperations = {
	export: operation({
		operationId: "customers.budgets.export",
		summary: "Export a customer's budgets as a file",
		description:
			"Returns the budgets of active entities in a form that `plan` and `apply` read: sorted, without fields that have their defaults, and without usage. At most 1000 budgets.",
		path,
		refusals,
	}),
	plan: operation({
		operationId: "customers.budgets.plan",
		summary: "Compare a customer's budgets with a file",
		description: "Applies the file and rolls it back: returns the changes, or the refusal of `apply`.",
		...ofFile,
	}),
	apply: operation({
		operationId: "customers.budgets.apply",
		summary: "Make a customer's budgets those of a file",
		description:
			"Creates and changes budgets, all or none. Budgets that the file does not have stay. Applying a file again changes nothing.",
		...ofFile,
	}),
};
