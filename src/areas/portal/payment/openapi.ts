import { operation } from "../../../openapi/operation";

const methodId = "The method's id, from the list";
const charging = [
	...(["InvoiceNotFound", "BillingInvoiceStatusError", "BillingIntegrationMissing"] as const),
	...(["PaymentMethodNotFoundError", "DuplicatedEntityNotAllowed"] as const),
];
const opening = {
	refusals: ["BillingIntegrationMissing", "PaymentProviderError"] as const,
	uncoded: { 503: "The provider has not answered in time." },
};

export const portalPaymentOperations = {
	read: operation({
		operationId: "portal.retrievePayment",
		summary: "Show the customer's payment methods",
		description: "The saved methods, and the payments that are under way. Ours.",
	}),
	openPage: operation({
		operationId: "portal.setupPaymentMethod",
		summary: "Open the provider's page",
		description: "The customer saves a payment method there, and comes back to the portal. Ours.",
		...opening,
		refusals: [...opening.refusals],
	}),
	chooseDefault: operation({
		operationId: "portal.setDefaultPaymentMethod",
		summary: "Choose the default payment method",
		description: "Tollgate charges this one from then on. Ours.",
		path: { methodId },
		refusals: ["PaymentMethodNotFoundError", "EntityIsArchivedError"],
	}),
	remove: operation({
		operationId: "portal.removePaymentMethod",
		summary: "Remove a payment method",
		description: "The default method stays while a subscription is charged to it. Ours.",
		path: { methodId },
		refusals: ["PaymentMethodNotFoundError", "CannotRemovePaymentMethodFromCustomerError"],
	}),
	pay: operation({
		operationId: "portal.payInvoice",
		summary: "Pay an open invoice",
		description: "Charges the amount due to the default payment method, once. Ours.",
		path: { invoiceId: "The invoice's id, from the list" },
		refusals: charging,
	}),
};
