import { operation } from "../../../openapi/operation";

const example = {
	customerId: "customer-acme",
	currencyId: "currency-ai-credits",
	amount: 2.5,
	idempotencyKey: "answer-4711",
	dimensions: { model: "large" },
};

const refusals = ["CustomerNotFound", "CustomerResourceNotFound", "CustomCurrencyNotFound"] as const;

const busy = { 503: "Many grants of the customer have fallen due and are being carried out; repeat the call shortly." };

export const creditConsumptionOperations = {
	consume: operation({
		operationId: "credits.consumption.consume",
		summary: "Consume credits",
		description:
			"Takes credits without any feature, in the order of the grants, and answers what the wallet shows right after it. Never refused for lack of credits: what no grant covers is overdraft. The `idempotencyKey` belongs to the customer: the same call again takes nothing and repeats the first answer.",
		example,
		refusals,
		uncoded: busy,
	}),
	consumeAsync: operation({
		operationId: "credits.consumption.consumeAsync",
		summary: "Consume credits, up to 1000 times at once",
		description:
			"All or none are kept; they are on disk before the answer and taken within milliseconds after it, exactly once. Balances count them at once.",
		example: { consumptions: [example, { ...example, amount: 1, idempotencyKey: "answer-4712" }] },
		refusals,
	}),
};
