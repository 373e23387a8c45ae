import { operation } from "../../../openapi/operation";

const query = {
	customerId: ["The customer's id", "customer-acme"],
	currencyId: "Of this currency",
	resourceId: "Of this resource of the customer; empty: of none. All of them when left out",
} as const;

const refusals = ["CustomerNotFound", "CustomCurrencyNotFound"] as const;

export const creditReadOperations = {
	ledger: operation({
		operationId: "credits.listLedger",
		summary: "List the movements of a customer's credits",
		description:
			"The newest first. Each entry names one grant; the amount is never below zero, the type says the direction. The ledger is appended only.",
		query: { ...query, eventType: "Of these types, comma-separated" },
		refusals,
	}),
	usage: operation({
		operationId: "credits.getUsage",
		summary: "Show what a customer consumed over time",
		description:
			"By hours for up to a day, by UTC days beyond; one series for each feature, or with `groupBy` for each combination of the values of up to three dimensions. Pages are pages of series.",
		query: {
			...query,
			timeRange: "Back from the end; LAST_MONTH when left out",
			startDate: "Goes before `timeRange`",
			endDate: "Now when left out",
			groupBy: "One to three names of dimensions, comma-separated",
		},
		refusals,
	}),
	balances: operation({
		operationId: "credits.listBalances",
		summary: "List what a customer has in credits",
		description:
			"One for each currency and resource in which anything was granted or consumed, the newest first. What is accepted and settled in a moment counts already.",
		query,
		refusals,
	}),
};
