import { operation } from "../../../openapi/operation";

const path = {
	id: ["The customer's id, or its id at the billing provider", "customer-acme"],
	invoiceRef: ["The invoice's id, which the list of invoices answers", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
} as const;

export const paymentOperations = {
	list: operation({
		operationId: "customers.listInvoicePayments",
		summary: "List what was paid of an invoice, and paid back",
		path,
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
	}),
	record: operation({
		operationId: "customers.recordInvoicePayment",
		summary: "Record a payment of an invoice, or a refund",
		description:
			"A part of what is due, all of it, or more: what is beyond goes to the customer's balance. A `reference` that is known for this invoice records nothing again. A `REFUND` of an OPEN invoice makes its amount due again; else it is paid from the balance, into which a credit note puts what it gives back.",
		path,
		example: { amount: 1, kind: "PAYMENT", method: "BANK_TRANSFER", reference: "statement 7, line 3" },
		refusals: ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError", "InvalidArgumentError"],
	}),
};
