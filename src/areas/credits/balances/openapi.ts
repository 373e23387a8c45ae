import { operation } from "../../../openapi/operation";

export const walletsQueryDocs = {
	customerId: ["The customer's id", "customer-acme"],
	currencyId: "Only this currency",
	resourceId: "Only this resource of the customer; empty: no resource. All when omitted",
} as const;

export const walletsRefusals = ["CustomerNotFound", "CustomCurrencyNotFound"] as const;

export const balanceOperations = {
	list: operation({
		operationId: "credits.listBalances",
		summary: "List a customer's credit balances",
		description:
			"One balance for each currency and resource with a grant or a consumption, the newest first. Accepted consumptions count before they are settled.",
		query: walletsQueryDocs,
		refusals: walletsRefusals,
	}),
};
