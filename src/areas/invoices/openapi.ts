import { operation } from "../../openapi/operation";

const customer = { id: ["The customer's id, or its id at the billing provider", "customer-acme"] } as const;
const invoice = {
	...customer,
	invoiceRef: ["The invoice's id, from the list of invoices", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
} as const;
const note = {
	id: ["The customer's id", "customer-globex"],
	creditNoteRef: ["The credit note's id, from the list of credit notes", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c71"],
} as const;
const pdf = { description: "The PDF, inline.", contentType: "application/pdf" } as const;

export const invoiceOperations = {
	list: operation({
		operationId: "customers.listInvoices",
		summary: "List a customer's invoices",
		description: "Sorted by date of issue, oldest first, unless `orderBy` or `orderDir` says otherwise.",
		path: customer,
		query: {
			contractExternalId: "Only invoices of this contract",
			issuedAfter: "Only invoices issued at this instant or after",
			issuedBefore: "Only invoices issued before this instant",
			stateIn: "Only invoices in these states",
			dueBefore: "Only invoices that are due before this instant",
			number: "Only the invoice with this number",
			search: "Only invoices whose number begins with this text, or the one with this id",
			overdue: "`true`: only OPEN invoices whose due date has passed; `false`: only others",
			orderBy: "The field to sort by. Default: the date of issue, or the due date with `dueBefore` or `overdue`",
			orderDir: "Ascending (the default) or descending",
		},
		refusals: ["CustomerNotFound"],
	}),
	retrieve: operation({
		operationId: "customers.retrieveInvoice",
		summary: "Show an invoice",
		path: invoice,
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
	}),
	retrievePdf: operation({
		operationId: "customers.retrieveInvoicePdf",
		summary: "Get an invoice as PDF",
		description: "Renders the PDF and waits a few seconds for it.",
		path: invoice,
		answer: pdf,
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
		uncoded: {
			500: "Every attempt to render it failed.",
			503: "Not ready in time. Retry after the seconds in `Retry-After`.",
		},
	}),
	retrievePdfStatus: operation({
		operationId: "customers.retrieveInvoicePdfStatus",
		summary: "Check whether an invoice's PDF is ready",
		description: "Returns at once. The response contains the file (base64) when `status` is READY.",
		path: invoice,
		refusals: ["InvoiceNotFound"],
	}),
	generatePdf: operation({
		operationId: "customers.generateInvoicePdf",
		summary: "Start rendering an invoice as PDF",
		description: "Returns at once. `GET …/pdf/status` returns the progress.",
		path: invoice,
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
	}),
	markAsPaid: operation({
		operationId: "customers.markInvoiceAsPaid",
		summary: "Record that an invoice was paid",
		path: invoice,
		example: {},
		refusals: ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError"],
	}),
	credit: operation({
		operationId: "customers.creditInvoice",
		summary: "Correct an invoice with a credit note",
		description:
			"Invoices never change. By default the credit note credits the rest of the invoice except its usage, which stays owed. `amount` credits a part, tax included, from the lines in their order. `lines` credits lines by their numbers in `lineItems`, from 1, usage too: each as a whole, or the `amount` given for it. A credit note cannot exceed the rest of the invoice.",
		path: invoice,
		example: { reasonCode: "WAIVER" },
		refusals: ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError", "InvalidArgumentError"],
	}),
	listCreditNotes: operation({
		operationId: "customers.listCreditNotes",
		summary: "List a customer's credit notes",
		path: customer,
		refusals: ["CustomerNotFound"],
	}),
	retrieveCreditNote: operation({
		operationId: "customers.retrieveCreditNote",
		summary: "Show a credit note",
		path: note,
		refusals: ["CustomerNotFound"],
		uncoded: { 404: "The customer has no such credit note." },
	}),
	voidCreditNote: operation({
		operationId: "customers.voidCreditNote",
		summary: "Void an unused credit note",
		description:
			"Possible for a credit note that a call issued, while its invoice is OPEN and the customer's balance still contains the amount that the note added. Its number is not reused.",
		path: { ...note, id: customer.id },
		refusals: ["CustomerNotFound", "InvalidArgumentError"],
		uncoded: { 404: "The customer has no such credit note." },
	}),
	retrieveCreditNotePdf: operation({
		operationId: "customers.retrieveCreditNotePdf",
		summary: "Get a credit note as PDF",
		path: note,
		answer: pdf,
		refusals: ["CustomerNotFound"],
		uncoded: {
			404: "The customer has no such credit note.",
			500: "Every attempt to render it failed.",
			503: "Not ready in time. Retry after the seconds in `Retry-After`.",
		},
	}),
};
