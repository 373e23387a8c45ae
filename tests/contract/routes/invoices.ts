import { none, ofCustomer, type Template } from "./template";

const ofInvoice = (customer: string, invoice: string, tail: string) => ({
	path: `/customers/${customer}/invoices/${invoice}${tail}`,
	unknown: [
		[`/customers/${none}/invoices/${invoice}${tail}`, "CustomerNotFound"],
		[`/customers/${customer}/invoices/${none}${tail}`, "InvoiceNotFound"],
	] as const,
});

const ofCreditNote = (tail: string) => ({
	path: `/customers/acme/credit-notes/{creditNote}${tail}`,
	unknown: [
		[`/customers/${none}/credit-notes/{creditNote}${tail}`, "CustomerNotFound"],
		// The catalogue has no code for it.
		[`/customers/acme/credit-notes/${none}${tail}`, null],
	] as const,
});

// The catalogue has no code for an unknown receipt.
const ofReceipt = (tail: string) => ({
	path: `/receipts/{receipt}${tail}`,
	unknown: [[`/receipts/${none}${tail}`, null]] as const,
});

// The catalogue has no code for an unknown policy.
const ofPolicy = (tail: string) => ({
	path: `/dunning-policies/standard${tail}`,
	unknown: [[`/dunning-policies/${none}${tail}`, null]] as const,
});

const ofDispute = (tail: string) => ({
	path: `/disputes/{dispute}${tail}`,
	unknown: [[`/disputes/${none}${tail}`, null]] as const,
});

export const invoices: Record<string, Template> = {
	"GET /receipts": { path: "/receipts", scope: "INVOICE:READ", foreign: "an empty list" },
	"POST /receipts": {
		path: "/receipts",
		scope: "INVOICE:WRITE",
		body: {
			customerId: "acme",
			amount: 2.5,
			currency: "usd",
			method: "CARD",
			receivedDate: "2026-01-30T00:00:00Z",
			reference: "s-7",
			note: "by phone",
			excess: "BALANCE",
		},
		unknown: [["/receipts", "CustomerNotFound", { customerId: none, amount: 2.5, currency: "usd" }]],
	},
	"GET /receipts/:receiptId": { ...ofReceipt(""), scope: "INVOICE:READ" },
	"GET /receipts/:receiptId/pdf": { ...ofReceipt("/pdf"), scope: "INVOICE:READ" },
	"POST /receipts/:receiptId/allocations": {
		...ofReceipt("/allocations"),
		scope: "INVOICE:WRITE",
		body: { allocations: [{ invoiceId: "{unpaid}", amount: 0.01 }], excess: "UNALLOCATED" },
		// Ids in bodies are not filled in.
		answers: [404, "InvoiceNotFound"],
	},
	"POST /receipts/:receiptId/allocations/:allocationId/reverse": {
		...ofReceipt("/allocations/{allocation}/reverse"),
		scope: "INVOICE:WRITE",
		body: { amount: 0.01 },
	},
	"POST /receipts/:receiptId/refunds": {
		...ofReceipt("/refunds"),
		scope: "INVOICE:WRITE",
		body: { amount: 0.01, method: "CASH", reference: "r-7", note: "at the counter" },
	},
	"POST /receipts/:receiptId/return": {
		...ofReceipt("/return"),
		scope: "INVOICE:WRITE",
		body: { reason: "RETURNED", amount: 0.01, reference: "b-7", note: "by the bank" },
	},
	"GET /dunning-policies": { path: "/dunning-policies", scope: "INVOICE:READ", foreign: "an empty list" },
	"POST /dunning-policies": {
		path: "/dunning-policies",
		scope: "INVOICE:WRITE",
		body: {
			...{ id: "strict", displayName: "Strict", reminders: [0, 5], end: { action: "CANCEL", afterDays: 20 } },
			texts: [{ kind: "DUE", language: "de", subject: "Fällig", text: "{invoices}" }],
			appliesTo: { isDefault: true, legalEntityIds: [], planIds: [] },
		},
		foreign: "its own",
	},
	"GET /dunning-policies/:id": { ...ofPolicy(""), scope: "INVOICE:READ" },
	"PATCH /dunning-policies/:id": {
		...ofPolicy(""),
		scope: "INVOICE:WRITE",
		body: {
			...{ displayName: "Reminders", reminders: [0], end: { action: "PAUSE", afterDays: 3 }, texts: [] },
			appliesTo: { isDefault: false, legalEntityIds: [], planIds: [] },
		},
	},
	"POST /dunning-policies/:id/archive": { ...ofPolicy("/archive"), scope: "INVOICE:WRITE" },
	"GET /dunning-cases": { path: "/dunning-cases", scope: "INVOICE:READ", foreign: "an empty list" },
	"GET /customers/:id/dunning": { ...ofCustomer("/dunning"), scope: "INVOICE:READ" },
	"PUT /customers/:id/dunning": {
		...ofCustomer("/dunning"),
		scope: "INVOICE:WRITE",
		body: { policyId: null, isExempt: true },
	},
	"GET /customers/:id/collection": { ...ofCustomer("/collection"), scope: "INVOICE:READ" },
	"GET /customers/:id/reminders": { ...ofCustomer("/reminders"), scope: "INVOICE:READ" },
	"GET /customers/:id/invoices/:invoiceRef/collection": {
		...ofInvoice("parent", "{unpaid}", "/collection"),
		scope: "INVOICE:READ",
	},
	"POST /customers/:id/invoices/:invoiceRef/collection/start": {
		...ofInvoice("parent", "{unpaid}", "/collection/start"),
		scope: "INVOICE:WRITE",
		body: {},
	},
	"POST /customers/:id/invoices/:invoiceRef/collection/suspend": {
		...ofInvoice("parent", "{unpaid}", "/collection/suspend"),
		scope: "INVOICE:WRITE",
		body: { reason: "HOLD", untilDay: "2026-02-20", note: "by phone" },
	},
	"POST /customers/:id/invoices/:invoiceRef/collection/resume": {
		...ofInvoice("parent", "{unpaid}", "/collection/resume"),
		scope: "INVOICE:WRITE",
	},
	"POST /customers/:id/invoices/:invoiceRef/collection/stop": {
		...ofInvoice("parent", "{unpaid}", "/collection/stop"),
		scope: "INVOICE:WRITE",
		body: { note: "by phone" },
	},
	"POST /receipts/:receiptId/disputes": {
		...ofReceipt("/disputes"),
		scope: "INVOICE:WRITE",
		body: { amount: 0.01, reason: "fraudulent", reference: "case 7", note: "by mail" },
	},
	"GET /disputes": { path: "/disputes", scope: "INVOICE:READ", foreign: "an empty list" },
	"GET /disputes/:disputeId": { ...ofDispute(""), scope: "INVOICE:READ" },
	"POST /disputes/:disputeId/state": {
		...ofDispute("/state"),
		scope: "INVOICE:WRITE",
		body: { state: "UNDER_REVIEW", note: "sent" },
	},
	// The dispute of the scenario was recorded by hand.
	"POST /disputes/:disputeId/evidence": {
		...ofDispute("/evidence"),
		...{ scope: "INVOICE:WRITE", body: { evidence: { text: "sent" } }, answers: [400, "InvalidArgumentError"] },
	},
	"POST /disputes/:disputeId/accept": {
		...ofDispute("/accept"),
		...{ scope: "INVOICE:WRITE", answers: [400, "InvalidArgumentError"] },
	},
	"GET /invoices": {
		path: "/invoices",
		scope: "INVOICE:READ",
		foreign: "an empty list",
	},
	"GET /customers/:id/invoices": { ...ofCustomer("/invoices"), scope: "INVOICE:READ" },
	"GET /customers/:id/invoices/:invoiceRef": { ...ofInvoice("acme", "{invoice}", ""), scope: "INVOICE:READ" },
	"GET /customers/:id/invoices/:invoiceRef/pdf": {
		...ofInvoice("acme", "{invoice}", "/pdf"),
		scope: "INVOICE:READ",
	},
	"GET /customers/:id/invoices/:invoiceRef/payments": {
		...ofInvoice("acme", "{invoice}", "/payments"),
		scope: "INVOICE:READ",
	},
	"POST /customers/:id/invoices/:invoiceRef/payments": {
		...ofInvoice("parent", "{unpaid}", "/payments"),
		scope: "INVOICE:WRITE",
		body: {
			amount: 0.5,
			kind: "PAYMENT",
			method: "CARD",
			reference: "7",
			note: "by phone",
		},
	},
	"POST /customers/:id/invoices/:invoiceRef/payments/:paymentId/reverse": {
		...ofInvoice("parent", "{partlyPaid}", "/payments/{payment}/reverse"),
		scope: "INVOICE:WRITE",
		body: { reason: "RETURNED", reference: "R-7", note: "by the bank" },
	},
	"POST /customers/:id/invoices/:invoiceRef/paid": {
		...ofInvoice("parent", "{unpaid}", "/paid"),
		scope: "INVOICE:WRITE",
		body: {},
	},
	"GET /customers/:id/invoices/:invoiceRef/lines/:line/explain": {
		...ofInvoice("acme", "{invoice}", "/lines/1/explain"),
		scope: "INVOICE:READ",
	},
	// An issued invoice is no draft any more.
	"POST /customers/:id/invoices/:invoiceRef/finalize": {
		...ofInvoice("acme", "{invoice}", "/finalize"),
		scope: "INVOICE:WRITE",
		answers: [404, "BillingInvoiceStatusError"],
	},
	"POST /customers/:id/invoices/:invoiceRef/lines": {
		...ofInvoice("acme", "{invoice}", "/lines"),
		scope: "INVOICE:WRITE",
		body: { description: "Workshop", quantity: 2, unit: "days", unitPrice: 900, taxPercentage: 19 },
		answers: [404, "BillingInvoiceStatusError"],
	},
	"DELETE /customers/:id/invoices/:invoiceRef/lines/:line": {
		...ofInvoice("acme", "{invoice}", "/lines/1"),
		scope: "INVOICE:WRITE",
		answers: [404, "BillingInvoiceStatusError"],
	},
	"POST /customers/:id/invoices/:invoiceRef/credit-note": {
		...ofInvoice("parent", "{unpaid}", "/credit-note"),
		scope: "INVOICE:WRITE",
		body: { reasonCode: "WAIVER", lines: [{ line: 1, amount: 0.01 }] },
	},
	"GET /customers/:id/credit-notes": { ...ofCustomer("/credit-notes"), scope: "INVOICE:READ" },
	"GET /customers/:id/credit-notes/:creditNoteRef": { ...ofCreditNote(""), scope: "INVOICE:READ" },
	"POST /customers/:id/credit-notes/:creditNoteRef/void": {
		...ofCreditNote("/void"),
		scope: "INVOICE:WRITE",
		// Its invoice was credited as a whole.
		answers: [400, "InvalidArgumentError"],
	},
	"GET /customers/:id/credit-notes/:creditNoteRef/pdf": { ...ofCreditNote("/pdf"), scope: "INVOICE:READ" },
	"GET /customers/:id/invoices/:invoiceRef/pdf/status": {
		path: "/customers/acme/invoices/{invoice}/pdf/status",
		scope: "INVOICE:READ",
		unknown: [
			[`/customers/${none}/invoices/{invoice}/pdf/status`, "InvoiceNotFound"],
			[`/customers/acme/invoices/${none}/pdf/status`, "InvoiceNotFound"],
		],
	},
	"POST /customers/:id/invoices/:invoiceRef/pdf/generate": {
		path: "/customers/acme/invoices/{invoice}/pdf/generate",
		scope: "INVOICE:WRITE",
		unknown: [
			[`/customers/${none}/invoices/{invoice}/pdf/generate`, "CustomerNotFound"],
			[`/customers/acme/invoices/${none}/pdf/generate`, "InvoiceNotFound"],
		],
	},
	"GET /invoices/totals": { path: "/invoices/totals", scope: "INVOICE:READ", foreign: "its own" },
};
