import { operation } from "../../../openapi/operation";

export const walletsQueryDocs = {
	customerId: ["The customer's id", "customer-acme"],
	currencyId: "Of this currency",
	resourceId: "Of this resource of the customer; empty: of none. All of them when left out",
} as const;

export const walletsRefusals = ["CustomerNotFound", "CustomCurrencyNotFound"] as const;

export const balanceOperations = {
	list: operation({
		operationId: "credits.listBalances",
		summary: "List what a customer has in credits",
		description:
			"One for each currency and resource in which anything was granted or consumed, the newest first. What is accepted and settled in a moment counts already.",
		query: walletsQueryDocs,
		refusals: walletsRefusals,
	}),
};
