import { operation } from "../../../openapi/operation";

const path = { id: ["The customer's id, or its id at the billing provider", "customer-acme"] } as const;

export const balanceOperations = {
	retrieve: operation({
		operationId: "customers.retrieveBalance",
		summary: "Show what a customer has in credit",
		description: "By currency. The next invoices in a currency are paid from it first.",
		path,
		refusals: ["CustomerNotFound"],
	}),
	list: operation({
		operationId: "customers.listBalanceEntries",
		summary: "List what has changed a customer's balance",
		description: "The newest comes first, each with what there was after it.",
		path,
		query: { currency: "Only entries in this currency" },
		refusals: ["CustomerNotFound"],
	}),
	adjust: operation({
		operationId: "customers.adjustBalance",
		summary: "Adjust a customer's balance",
		description: "By hand and with a reason: an amount above zero adds to it, one below zero takes from it.",
		path,
		example: { amount: 5, currency: "usd", reason: "Goodwill for the outage of 3 May" },
		refusals: ["CustomerNotFound", "InvalidArgumentError"],
	}),
};
