import { operation } from "../../../openapi/operation";

const path = { id: "The grant's id, which the list of grants answers" } as const;

export const grantOperations = {
	list: operation({
		operationId: "credits.grants.list",
		summary: "List a customer's credit grants",
		description: "The newest first, whatever their status: also those that recur, and overdrafts.",
		query: {
			customerId: ["The customer's id", "customer-acme"],
			currencyId: "Only grants of this currency",
			resourceId: "The grants of this resource; those that belong to none when left out",
		},
		refusals: ["CustomerNotFound", "CustomCurrencyNotFound"],
	}),
	create: operation({
		operationId: "credits.grants.create",
		summary: "Give or sell credits",
		description:
			"PROMOTIONAL costs nothing. PAID counts at once when `billingInformation.isInvoicePaid` says so, when `paymentCollectionMethod` is NONE, or when it costs nothing; else it is PAYMENT_PENDING beside an open invoice, and counts once that is paid. Payments are recorded later, so `awaitPaymentConfirmation` waits for nothing: either way the answer comes at once.",
		example: {
			customerId: "customer-acme",
			currencyId: "currency-ai-credits",
			displayName: "Starter pack",
			grantType: "PAID",
			amount: 500,
			cost: { amount: 50, currency: "usd" },
			billingInformation: { invoiceDaysUntilDue: 14 },
			expireAt: "2099-01-01T00:00:00.000Z",
		},
		refusals: [
			"CustomerNotFound",
			"CustomCurrencyNotFound",
			"EntityIsArchivedError",
			"ExpireAtMustBeLaterThanEffectiveAtError",
			"BillingIntegrationMissing",
		],
	}),
	update: operation({
		operationId: "credits.grants.update",
		summary: "Change a credit grant's name, comment, priority, dates or metadata",
		description:
			"What is left out stays. The amount is fixed for good. Priority and dates decide what is consumed first from now on.",
		path,
		example: { comment: "Agreed by phone", priority: 10 },
		refusals: [
			"CreditGrantNotFound",
			"ExpireAtMustBeLaterThanEffectiveAtError",
			"CannotUpdateExpireAtForExpiredCreditGrantError",
			"InvalidArgumentError",
		],
	}),
	void: operation({
		operationId: "credits.grants.void",
		summary: "Void a credit grant",
		description:
			"What is left of it is lost; what was consumed stays consumed. The open invoice of a grant that waits for its payment is canceled.",
		path,
		refusals: ["CreditGrantNotFound", "CreditGrantAlreadyVoided", "CreditGrantCannotBeVoided"],
	}),
};
