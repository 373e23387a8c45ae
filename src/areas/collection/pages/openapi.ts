import { operation } from "../../../openapi/operation";

const id = ["The customer's id", "customer-acme"] as const;
const uncoded = { 404: "The customer has no such page." };

export const methodPageOperations = {
	open: operation({
		operationId: "customers.setupPaymentMethod",
		summary: "Open a page to save a payment method",
		description:
			"Send the customer to `url`, a page of the provider. The method that the customer saves there becomes the default payment method. Card numbers never reach Tollgate.",
		path: { id },
		example: { successUrl: "https://example.com/saved", cancelUrl: "https://example.com/back" },
		refusals: ["CustomerNotFound", "BillingIntegrationMissing", "IntegrationNotFound", "PaymentProviderError"],
	}),
	retrieve: operation({
		operationId: "customers.retrievePaymentMethodSetup",
		summary: "Show a page to save a payment method",
		path: { id, pageId: "The page's id" },
		refusals: ["CustomerNotFound"],
		uncoded,
	}),
};
