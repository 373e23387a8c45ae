import { operation } from "../../openapi/operation";

const customer = { id: ["The customer's id, or its id at the billing provider", "customer-acme"] } as const;
const invoice = {
	...customer,
	invoiceRef: ["The invoice's id, which the list of invoices answers", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
} as const;
const note = {
	id: ["The customer's id", "customer-globex"],
	creditNoteRef: [
		"The credit note's id, which the list of credit notes answers",
		"0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c71",
	],
} as const;
const pdf = { description: "The PDF, inline.", contentType: "application/pdf" } as const;

export const invoiceOperations = {
	list: operation({
		operationId: "customers.listInvoices",
		summary: "List a customer's invoices",
		description: "The first issued comes first, unless it is asked otherwise.",
		path: customer,
		query: {
			contractExternalId: "Only invoices of this contract",
			issuedAfter: "Only invoices issued at this instant or after",
			issuedBefore: "Only invoices issued before this instant",
			stateIn: "Only invoices in these states",
			dueBefore: "Only invoices that are due before this instant",
			number: "Only the invoice of this number",
			search: "Only invoices whose number begins so, or the one of this id",
			overdue: "`true`: only OPEN invoices whose due date has passed; `false`: only others",
			orderBy:
				"By what to sort; when left out by the date of issue, or, with `dueBefore` or `overdue`, by the due date",
			orderDir: "Upwards (when left out) or downwards",
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
		description: "Renders it, and waits a few seconds for it.",
		path: invoice,
		answer: pdf,
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
		uncoded: {
			500: "Its render failed each time and was given up.",
			503: "Not ready in time; ask again after the seconds of `Retry-After`.",
		},
	}),
	retrievePdfStatus: operation({
		operationId: "customers.retrieveInvoicePdfStatus",
		summary: "Look whether an invoice's PDF is ready",
		description: "One look, no waiting. The file comes inline (base64) once `status` is READY.",
		path: invoice,
		refusals: ["InvoiceNotFound"],
	}),
	generatePdf: operation({
		operationId: "customers.generateInvoicePdf",
		summary: "Begin to render an invoice as PDF",
		description: "Answers at once; look with `GET …/pdf/status`.",
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
		summary: "Correct an invoice by a credit note",
		description:
			"Invoices never change: a credit note gives back what is left of one, without what was used, which stays owed. A part of it is credited by an `amount` (with tax, from its lines in their order), or by `lines` (their numbers in `lineItems`, from 1; usage too), all or an `amount` of each; never more than is left.",
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
		summary: "Take back a credit note that was not used",
		description:
			"One that was issued by a call, while its invoice is still OPEN, and what the balance got of it is still there. Its number stays used.",
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
			500: "Its render failed each time and was given up.",
			503: "Not ready in time; ask again after the seconds of `Retry-After`.",
		},
	}),
};
