import { operation } from "../../../openapi/operation";

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
};
