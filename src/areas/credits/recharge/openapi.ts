import { operation } from "../../../openapi/operation";

export const rechargeOperations = {
	retrieve: operation({
		operationId: "credits.getAutoRecharge",
		summary: "Show when and how far a customer's credits are recharged",
		description: "Disabled, with null `id` and dates, where nothing was saved.",
		query: {
			customerId: ["The customer's id", "customer-acme"],
			currencyId: ["The currency's id", "currency-ai-credits"],
		},
		refusals: ["CustomerNotFound", "CustomCurrencyNotFound"],
	}),
	save: operation({
		operationId: "credits.saveAutoRecharge",
		summary: "Set when and how far a customer's credits are recharged",
		description:
			"At or below the threshold the balance is filled up to the target by a PAID grant beside an open invoice; it counts once that is paid, and until then no other recharge begins. A credit costs what the customer's plan sells it for, else `unitPrice`. What would pass `maxSpendLimit` in a calendar month (UTC) waits for the next one.",
		example: {
			customerId: "customer-acme",
			currencyId: "currency-ai-credits",
			isEnabled: true,
			thresholdType: "CREDIT_AMOUNT",
			thresholdValue: 100,
			targetBalance: 1000,
			maxSpendLimit: 500,
			grantExpirationPeriod: "1_YEAR",
			unitPrice: { amount: 0.05, currency: "usd" },
		},
		refusals: ["CustomerNotFound", "CustomCurrencyNotFound", "EntityIsArchivedError"],
	}),
};
