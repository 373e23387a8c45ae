import { operation } from "../../../openapi/operation";

const path = { id: "The grant's id, from the list of grants" } as const;

export const grantOperations = {
	list: operation({
		operationId: "credits.grants.list",
		summary: "List a customer's credit grants",
		description: "Grants of every status, also recurring ones and overdrafts, the newest first.",
		query: {
			customerId: ["The customer's id", "customer-acme"],
			currencyId: "Only grants of this currency",
			resourceId: "The grants of this resource; when omitted, the grants of no resource",
		},
		refusals: ["CustomerNotFound", "CustomCurrencyNotFound"],
	}),
	create: operation({
		operationId: "credits.grants.create",
		summary: "Grant or sell credits",
		description:
			"A PROMOTIONAL grant costs nothing. A PAID grant is active at once if `billingInformation.isInvoicePaid` is true, if `paymentCollectionMethod` is NONE, or if it costs nothing. Otherwise it is PAYMENT_PENDING with an open invoice, and becomes active when the invoice is paid. `awaitPaymentConfirmation` has no effect, because payments are recorded later.",
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
			"Omitted fields stay unchanged. The amount cannot change. New priorities and dates change the order of consumption from now on.",
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
			"The remaining credits are lost; consumed credits stay consumed. If the grant awaits its payment, its open invoice is canceled.",
		path,
		refusals: ["CreditGrantNotFound", "CreditGrantAlreadyVoided", "CreditGrantCannotBeVoided"],
	}),
};
