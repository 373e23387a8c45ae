import { operation } from "../../../openapi/operation";

const invoice = {
	id: ["The customer's id, or its id at the billing provider", "customer-acme"],
	invoiceRef: ["The invoice's id, which the list of invoices answers", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
} as const;
const refusals = ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError"] as const;

export const draftOperations = {
	finalize: operation({
		operationId: "customers.finalizeInvoice",
		summary: "Issue a draft now",
		description:
			"It gets its number and its date, and is due by its net terms from now on. It would be issued by itself when its grace period ends.",
		path: invoice,
		refusals: [...refusals],
	}),
	addLine: operation({
		operationId: "customers.addInvoiceLine",
		summary: "Add a line to a draft",
		description:
			"Quantity times price, rounded once; taxed as the other lines, unless it says otherwise. A price below zero takes something off; the total stays above or at zero.",
		path: invoice,
		example: { description: "Onboarding workshop", quantity: 2, unit: "days", unitPrice: 900 },
		refusals: [...refusals, "InvalidArgumentError"],
	}),
	removeLine: operation({
		operationId: "customers.removeInvoiceLine",
		summary: "Take a line off a draft that was added by hand",
		description:
			"`line` is its number in `lineItems`, from 1. What was sold is given back by a credit note, or by a line below zero.",
		path: { ...invoice, line: ["The line's number, from 1", "2"] },
		refusals: [...refusals, "InvalidArgumentError"],
	}),
};
