import { operation } from "../../../openapi/operation";

export const rechargeOperations = {
	retrieve: operation({
		operationId: "credits.getAutoRecharge",
		summary: "Show the settings of automatic recharges",
		description: "Without saved settings: disabled, with null `id` and dates.",
		query: {
			customerId: ["The customer's id", "customer-acme"],
			currencyId: ["The currency's id", "currency-ai-credits"],
		},
		refusals: ["CustomerNotFound", "CustomCurrencyNotFound"],
	}),
	save: operation({
		operationId: "credits.saveAutoRecharge",
		summary: "Save the settings of automatic recharges",
		description:
			"When the balance falls to the threshold, Tollgate creates a PAID grant up to the target balance, and an open invoice. The grant becomes active when the invoice is paid; until then no other recharge starts. A credit costs the price of the customer's plan, or else `unitPrice`. A recharge that would exceed `maxSpendLimit` in a calendar month (UTC) is postponed to the next month.",
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
