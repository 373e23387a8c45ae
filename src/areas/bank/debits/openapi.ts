import { operation } from "../../../openapi/operation";

const debitId = ["The debit's id", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c72"] as const;
const fileId = ["The file's id", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c73"] as const;
const noDebit = { 404: "There is no such direct debit." };
const noFile = { 404: "There is no such file." };

export const debitOperations = {
	list: operation({
		operationId: "directDebit.list",
		summary: "List direct debits",
		description:
			"Newest first. `returnableUntil` and `unauthorizedUntil` say until when the debtor's bank may return a SETTLED one.",
		query: {
			customerId: "Only debits of this customer",
			invoiceId: "Only debits of this invoice",
			fileId: "Only debits in this file",
			state: "Only debits in this state",
		},
		refusals: ["CustomerNotFound"],
	}),
	create: operation({
		operationId: "directDebit.create",
		summary: "Collect an invoice by direct debit",
		description:
			"Plans a debit of the amount due of an OPEN invoice in euro, and announces it to the customer. Tollgate does so by itself when it issues an invoice of a customer with an ACTIVE mandate. The bank collects it on a banking day, not before the invoice is due, and `leadDays` after the announcement.",
		example: { invoiceId: "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c80" },
		refusals: [
			...(["InvoiceNotFound", "BillingInvoiceStatusError"] as const),
			...(["DuplicatedEntityNotAllowed", "InvalidArgumentError"] as const),
		],
		uncoded: { 404: "There is no such mandate." },
	}),
	retrieve: operation({
		operationId: "directDebit.retrieve",
		summary: "Retrieve a direct debit",
		path: { debitId },
		uncoded: noDebit,
	}),
	cancel: operation({
		operationId: "directDebit.cancel",
		summary: "Cancel a direct debit that is in no file",
		path: { debitId },
		refusals: ["BillingInvoiceStatusError"],
		uncoded: noDebit,
	}),
	return: operation({
		operationId: "directDebit.return",
		summary: "Record the return of a direct debit",
		description:
			"For a rejection by the bank and for returns that no statement reports. `code` is the ISO 20022 code. Money that had arrived is withdrawn, and its invoice is OPEN again. AC01, AC04, AC06, AC13, AG01, MD01, MD02, MD07 and SL01 stop the mandate.",
		path: { debitId },
		example: { code: "AM04" },
		refusals: ["BillingInvoiceStatusError", "InvalidArgumentError"],
		uncoded: noDebit,
	}),
	listFiles: operation({
		operationId: "directDebit.listFiles",
		summary: "List direct-debit files",
		description: "Newest first.",
	}),
	createFile: operation({
		operationId: "directDebit.createFile",
		summary: "Make a file of direct debits",
		description:
			"A task puts the PLANNED debits of a legal entity into one file: those that are collected until `collectUntil`, by default the next five banking days. A debit is in one file only. While a file is being made, a second call returns the same one. Debits of invoices of which nothing is due any more are canceled.",
		example: {},
		refusals: ["InvalidArgumentError"],
	}),
	retrieveFile: operation({
		operationId: "directDebit.retrieveFile",
		summary: "Retrieve a direct-debit file",
		path: { fileId },
		uncoded: noFile,
	}),
	downloadFile: operation({
		operationId: "directDebit.downloadFile",
		summary: "Download a direct-debit file",
		description: "The message pain.008 for the bank, always the same text.",
		path: { fileId },
		answer: { description: "The message", contentType: "application/xml" },
		refusals: ["BillingInvoiceStatusError", "RateLimitExceeded"],
		uncoded: { ...noFile, 503: "Too many streams are open; try again after the seconds in `Retry-After`." },
	}),
	settleFile: operation({
		operationId: "directDebit.settleFile",
		summary: "Record the money of a direct-debit file",
		description:
			"For a bank that books a file as one entry: a task settles each debit of the file that is not returned. Statements with an entry for each debit do so by themselves.",
		path: { fileId },
		example: {},
		refusals: ["BillingInvoiceStatusError", "InvalidArgumentError"],
		uncoded: noFile,
	}),
};
