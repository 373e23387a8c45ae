import { operation } from "../../../openapi/operation";

const methodId = ["The saved method's id", "method-id"] as const;
const id = ["The customer's id", "customer-acme"] as const;

export const methodOperations = {
	list: operation({
		operationId: "customers.listPaymentMethods",
		summary: "List saved payment methods",
		description: "Newest first. Tollgate charges the default one. Card numbers never reach Tollgate.",
		path: { id },
		refusals: ["CustomerNotFound"],
	}),
	attach: operation({
		operationId: "customers.savePaymentMethod",
		summary: "Save a payment method of the provider",
		description:
			"`paymentMethodId` is the provider's id of a method that is saved there. Tollgate looks it up and makes it the customer's default payment method.",
		path: { id },
		example: { paymentMethodId: "pm_1" },
		refusals: [
			...(["CustomerNotFound", "EntityIsArchivedError", "BillingIntegrationMissing", "IntegrationNotFound"] as const),
			...(["InvalidArgumentError", "PaymentMethodNotFoundError", "PaymentProviderError"] as const),
		],
		uncoded: { 503: "The provider has not answered in time." },
	}),
	chooseDefault: operation({
		operationId: "customers.setDefaultPaymentMethod",
		summary: "Choose the default payment method",
		description: "Tollgate charges this saved method from then on.",
		path: { id, methodId },
		refusals: ["CustomerNotFound", "EntityIsArchivedError", "PaymentMethodNotFoundError"],
	}),
	remove: operation({
		operationId: "customers.removePaymentMethod",
		summary: "Remove a saved payment method",
		description:
			"Tollgate charges the method no more, and deletes it at the provider shortly after. The default method cannot be removed while a subscription is charged to it.",
		path: { id, methodId },
		refusals: [
			...(["CustomerNotFound", "EntityIsArchivedError", "PaymentMethodNotFoundError"] as const),
			"CannotRemovePaymentMethodFromCustomerError",
		],
	}),
};
