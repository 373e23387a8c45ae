import { none, type Template } from "./template";

const list = { scope: "INVOICE:READ", foreign: "an empty list" } as const;

// The catalogue has no code for unknown mandates, debits and files.
const of = (what: string, id: string, tail: string) => ({
	path: `/${what}/${id}${tail}`,
	unknown: [[`/${what}/${none}${tail}`, null]] as const,
});

export const directDebits: Record<string, Template> = {
	"GET /direct-debit-creditors": { ...list, path: "/direct-debit-creditors" },
	"PUT /direct-debit-creditors/:legalEntityId": {
		path: "/direct-debit-creditors/{entity}",
		scope: "INVOICE:WRITE",
		body: { creditorId: "DE98ZZZ09999999999", format: "pain.008.001.08", leadDays: 14, batchBooking: false },
		unknown: [[`/direct-debit-creditors/${none}`, null, { creditorId: "DE98ZZZ09999999999" }]],
	},
	"GET /mandates": { ...list, path: "/mandates", unknown: [[`/mandates?customerId=${none}`, "CustomerNotFound"]] },
	"POST /mandates": {
		path: "/mandates",
		scope: "INVOICE:WRITE",
		body: {
			...{ customerId: "acme", legalEntityId: none, reference: "M-1", scheme: "CORE", kind: "RECURRENT" },
			...{ iban: "DE02120300000000202051", bic: "BYLADEM1001", debtorName: "Acme", signedOn: "2025-12-15" },
			debtorAddress: { line1: "1 Street", line2: "", city: "Berlin", postalCode: "10115", state: "", country: "DE" },
		},
		// No legal entity has that id.
		answers: [400, "InvalidArgumentError"],
		unknown: [
			["/mandates", "CustomerNotFound", { customerId: none, iban: "DE02120300000000202051", signedOn: "2025-12-15" }],
		],
	},
	"GET /mandates/:mandateId": { ...of("mandates", "{mandate}", ""), scope: "INVOICE:READ" },
	"POST /mandates/:mandateId/revoke": { ...of("mandates", "{mandate}", "/revoke"), scope: "INVOICE:WRITE" },
	"GET /direct-debits": { ...list, path: "/direct-debits" },
	"POST /direct-debits": {
		path: "/direct-debits",
		scope: "INVOICE:WRITE",
		body: { invoiceId: none, mandateId: none },
		answers: [404, "InvoiceNotFound"],
		unknown: [["/direct-debits", "InvoiceNotFound", { invoiceId: none }]],
	},
	"GET /direct-debits/:debitId": { ...of("direct-debits", "{debit}", ""), scope: "INVOICE:READ" },
	"POST /direct-debits/:debitId/cancel": {
		...of("direct-debits", "{debit}", "/cancel"),
		scope: "INVOICE:WRITE",
		// A file has it.
		answers: [404, "BillingInvoiceStatusError"],
	},
	"POST /direct-debits/:debitId/return": {
		...of("direct-debits", "{debit}", "/return"),
		scope: "INVOICE:WRITE",
		body: { code: "AM04", returnedOn: "2099-01-01" },
		// The day is to come.
		answers: [400, "InvalidArgumentError"],
	},
	"GET /direct-debit-files": { ...list, path: "/direct-debit-files" },
	"POST /direct-debit-files": {
		foreign: "the same",
		path: "/direct-debit-files",
		scope: "INVOICE:WRITE",
		body: { legalEntityId: none, collectUntil: "2020-01-01" },
		// No legal entity has that id.
		answers: [400, "InvalidArgumentError"],
	},
	"GET /direct-debit-files/:fileId": { ...of("direct-debit-files", "{debitFile}", ""), scope: "INVOICE:READ" },
	"GET /direct-debit-files/:fileId/document": {
		...of("direct-debit-files", "{debitFile}", "/document"),
		scope: "INVOICE:READ",
	},
	"POST /direct-debit-files/:fileId/settle": {
		...of("direct-debit-files", "{debitFile}", "/settle"),
		scope: "INVOICE:WRITE",
		body: { bookedOn: "2099-01-01" },
		// The day is to come.
		answers: [400, "InvalidArgumentError"],
	},
};
