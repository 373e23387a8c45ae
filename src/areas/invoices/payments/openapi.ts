import { operation } from "../../../openapi/operation";

const path = {
	id: ["The customer's id, or its id at the billing provider", "customer-acme"],
	invoiceRef: ["The invoice's id, from the list of invoices", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
} as const;

export const paymentOperations = {
	list: operation({
		operationId: "customers.listInvoicePayments",
		summary: "List the payments and refunds of an invoice",
		path,
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
	}),
	record: operation({
		operationId: "customers.recordInvoicePayment",
		summary: "Record a payment of an invoice, or a refund",
		description:
			"A payment can be less or more than the amount due. The excess goes to the customer's balance. A `reference` that this invoice already has is recorded only once. A `REFUND` of an OPEN invoice makes its amount due again. Other refunds are paid from the customer's balance, which credit notes increase.",
		path,
		example: { amount: 1, kind: "PAYMENT", method: "BANK_TRANSFER", reference: "statement 7, line 3" },
		refusals: ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError", "InvalidArgumentError"],
	}),
	reverse: operation({
		operationId: "customers.reverseInvoicePayment",
		summary: "Reverse a payment of an invoice",
		description:
			"The amount is due again, and a PAID invoice is OPEN again with the same due date. Everything that began with the payment continues. The money of a RETURNED payment or a CHARGEBACK has left; that of a MISALLOCATED payment is unallocated. Without an `amount`, all that is left of the payment is reversed. A `reference` is recorded once. The customer's balance first pays what overpayments and credit notes of the invoice added to it.",
		path: {
			...path,
			paymentId: ["The payment's id, from the list of payments", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c73"],
		},
		example: { reason: "CHARGEBACK", reference: "case 5512" },
		refusals: ["CustomerNotFound", "InvoiceNotFound", "InvalidArgumentError"],
	}),
};
