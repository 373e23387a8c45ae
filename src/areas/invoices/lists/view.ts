import { csvResponse, nextLink } from "../../../http/responses/csv";
import { type Instant, toIso, toIsoOrNull } from "../../../kernel/clock";
import { exact, toDecimal, toWire } from "../../../kernel/decimal";
import type { Page } from "../../../kernel/page";
import { creditorReferenceOf } from "../document/rules.creditor-reference";
import { viewTaxInOtherCurrency } from "../schema.tax-conversion";
import { viewShownInvoice } from "../view";
import type { BookedInvoice } from "./operations";
import type { InvoiceInBooks } from "./schema";

export const viewBooked = ({
	invoice,
	lines,
	customerRefId,
	credited,
	due,
	isOverdue,
}: BookedInvoice): InvoiceInBooks => ({
	...viewShownInvoice(invoice, lines, customerRefId),
	customerName: invoice.customer.name,
	billingReason: invoice.billingReason,
	poNumber: invoice.poNumber,
	balanceApplied: toWire(invoice.balanceApplied),
	amountPaid: toWire(invoice.amountPaid),
	amountCredited: toWire(credited),
	amountDue: toWire(due),
	isOverdue,
	...viewTaxInOtherCurrency(invoice),
	finalizeDate: toIsoOrNull(invoice.nextDueAt),
});

/** Returns the day in UTC, which bookkeeping uses. */
const dayOf = (at: Instant | null): string => (at === null ? "" : toIso(at).slice(0, 10));

/** The columns for bookkeepers, in order, with exact decimals. */
const columns: ReadonlyArray<readonly [name: string, of: (row: BookedInvoice) => string | boolean | null]> = [
	["number", ({ invoice }) => invoice.number],
	["state", ({ invoice }) => invoice.state],
	["issueDate", ({ invoice }) => (invoice.state === "DRAFT" ? "" : dayOf(invoice.issuedAt))],
	["dueDate", ({ invoice }) => (invoice.state === "DRAFT" ? "" : dayOf(invoice.dueAt))],
	["paidDate", ({ invoice }) => dayOf(invoice.paidAt)],
	["periodStart", ({ invoice }) => dayOf(invoice.periodStart)],
	["periodEnd", ({ invoice }) => dayOf(invoice.periodEnd)],
	["customerId", ({ customerRefId }) => customerRefId],
	["customerName", ({ invoice }) => invoice.customer.name],
	["contractId", ({ invoice }) => invoice.contractRefId],
	["poNumber", ({ invoice }) => invoice.poNumber],
	["billingReason", ({ invoice }) => invoice.billingReason],
	["currency", ({ invoice }) => invoice.currency.toUpperCase()],
	["subtotal", ({ invoice }) => invoice.subTotal],
	["discount", ({ invoice }) => invoice.discount],
	["net", ({ invoice }) => toDecimal(exact(invoice.subTotal).minus(invoice.discount))],
	["tax", ({ invoice }) => invoice.tax],
	["total", ({ invoice }) => invoice.total],
	["fromBalance", ({ invoice }) => invoice.balanceApplied],
	["credited", ({ credited }) => credited],
	["paid", ({ invoice }) => invoice.amountPaid],
	["due", ({ due }) => due],
	["overdue", ({ isOverdue }) => isOverdue],
	["invoiceId", ({ invoice }) => invoice.id],
	[
		"taxCurrency",
		({ invoice: { taxConversion, missingRateTo, currency } }) =>
			(taxConversion?.currency ?? missingRateTo ?? currency).toUpperCase(),
	],
	// Empty if the rate is missing.
	["taxInTaxCurrency", ({ invoice }) => invoice.taxConversion?.amount ?? (invoice.missingRateTo ? "" : invoice.tax)],
	["exchangeRate", ({ invoice }) => invoice.taxConversion?.rate ?? ""],
	["cashDiscount", ({ invoice }) => invoice.cashDiscount?.amount ?? ""],
	["cashDiscountUntil", ({ invoice }) => dayOf(invoice.cashDiscount?.until ?? null)],
	["creditorReference", ({ invoice }) => creditorReferenceOf(invoice)],
];

/** Returns a page as CSV. `Link` leads to the next page, if there is one. */
export function invoicesCsv({ rows, next }: Page<BookedInvoice>, request: Request): Response {
	const lines = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, of]) => of(row)))];
	return csvResponse("invoices.csv", lines, nextLink(request, next));
}
