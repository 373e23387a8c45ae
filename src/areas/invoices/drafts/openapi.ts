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
			"Assigns the number and the date of issue. The due date follows from the net terms. Without this call, Tollgate issues the draft when its grace period ends.",
		path: invoice,
		refusals: [...refusals],
	}),
	addLine: operation({
		operationId: "customers.addInvoiceLine",
		summary: "Add a line to a draft",
		description:
			"The amount is quantity times price, rounded once. Without `taxPercentage`, the line is taxed like the other lines. A negative price is a deduction. The total of the draft cannot become negative.",
		path: invoice,
		example: { description: "Onboarding workshop", quantity: 2, unit: "days", unitPrice: 900 },
		refusals: [...refusals, "InvalidArgumentError"],
	}),
	removeLine: operation({
		operationId: "customers.removeInvoiceLine",
		summary: "Remove a manually added line from a draft",
		description:
			"`line` is the number of the line in `lineItems`, from 1. Lines of subscriptions cannot be removed; credit them with a credit note or a line with a negative price.",
		path: { ...invoice, line: ["The line's number, from 1", "2"] },
		refusals: [...refusals, "InvalidArgumentError"],
	}),
};
