import { operation } from "../../../openapi/operation";

const path = { id: "The attempt's id" } as const;
const uncoded = { 404: "There is no such attempt." };

export const attemptOperations = {
	list: operation({
		operationId: "attempts.list",
		summary: "List payment attempts",
		description: "Newest first: what Tollgate has charged or is charging, with the provider's code of a failure.",
		query: {
			customerId: "Only attempts of this customer",
			invoiceId: "Only attempts to pay this invoice",
			state: "Only attempts in these states",
		},
		refusals: ["CustomerNotFound"],
	}),
	create: operation({
		operationId: "attempts.create",
		summary: "Charge an invoice",
		description:
			"Charges the amount due of an OPEN invoice to the customer's default payment method, or to a saved one. The answer comes at once; the charge follows. An invoice has at most one attempt under way.",
		example: { invoiceId: "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c80" },
		refusals: [
			...(["InvoiceNotFound", "BillingInvoiceStatusError", "BillingIntegrationMissing"] as const),
			...(["PaymentMethodNotFoundError", "DuplicatedEntityNotAllowed"] as const),
		],
	}),
	retrieve: operation({ operationId: "attempts.retrieve", summary: "Show a payment attempt", path, uncoded }),
	cancel: operation({
		operationId: "attempts.cancel",
		summary: "Cancel a payment attempt",
		description: "Tollgate cancels the payment at the provider. If the money has arrived, the attempt is SUCCEEDED.",
		path,
		uncoded,
		refusals: ["BillingInvoiceStatusError"],
	}),
	resolve: operation({
		operationId: "attempts.resolve",
		summary: "Resolve an UNKNOWN payment attempt",
		description:
			"A person who has looked at the provider's account states the outcome. SUCCEEDED needs the provider's `reference` and records the receipt.",
		path,
		uncoded,
		example: { outcome: "SUCCEEDED", reference: "pi_1" },
		refusals: ["BillingInvoiceStatusError", "InvalidArgumentError"],
	}),
};
