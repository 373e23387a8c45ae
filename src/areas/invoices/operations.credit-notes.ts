import type { Instant } from "../../kernel/clock";
import { exact, sum } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import type { CreditNoteDraft } from "./draft";
import { accountAsIssuer, getCustomersInvoice, getInvoice, getInvoicedCustomer, linesByInvoice } from "./operations";
import { instantOf, totalsOf } from "./rules";
import { assertDateOf, creditNoteNumber, linesToCredit } from "./rules.credit-notes";
import type { CreditNoteListQuery, InvoiceCredit } from "./schema.credit-notes";
import { changeInvoice } from "./store";
import {
	creditNoteLinesOf,
	creditNotesOf,
	findCustomersCreditNote,
	insertCreditNote,
	nextCreditNoteSequence,
	pageCreditNotes,
} from "./store.credit-notes";
import type { CreditNoteLineRow, CreditNoteRow, InvoiceRow } from "./table";

/**
 * Issues a credit note: numbers it without a gap, keeps issuer and customer as they are now, and stores the lines. It never
 * changes. Its invoice, when it has one, gets a new revision, and is PAID once nothing of it is left to collect. A proration
 * may give back more than its invoice says: the unused time can have been billed over several.
 * InvoiceNotFound; AmountTooLarge beyond the range of exact totals.
 */
export function issueCreditNote(work: Work, draft: CreditNoteDraft): CreditNoteRow {
	const { totalHundredths: _, ...totals } = totalsOf(draft);
	assert(exact(totals.total).gt(0), `a credit note gives something back, not ${totals.total}`);
	const invoice = draft.invoiceId === null ? undefined : correctedInvoice(work, draft, draft.invoiceId);
	const sequence = nextCreditNoteSequence(work);
	const note = insertCreditNote(
		work,
		{
			customerId: draft.customerId,
			subscriptionId: draft.subscriptionId ?? null,
			contractId: draft.contractId ?? null,
			invoiceId: draft.invoiceId,
			invoiceNumber: invoice?.number ?? null,
			reducesDue: invoice?.state === "OPEN",
			number: creditNoteNumber(sequence),
			sequence,
			reasonCode: draft.reasonCode ?? "ORDER_CHANGE",
			currency: draft.currency,
			issuedAt: draft.issuedAt ?? work.now,
			periodStart: draft.period?.start ?? null,
			periodEnd: draft.period?.end ?? null,
			...totals,
			taxPercentage: draft.taxPercentage ?? null,
			discountLabel: draft.discountLabel ?? null,
			issuer: draft.issuer ?? accountAsIssuer(work),
			customer: draft.customer,
		},
		draft.lines,
	);
	if (invoice) settle(work, invoice, note.issuedAt);
	return note;
}

function correctedInvoice(work: Work, { customerId, currency }: CreditNoteDraft, invoiceId: string): InvoiceRow {
	const invoice = getInvoice(work, invoiceId);
	assert(invoice.customerId === customerId, `the credit note goes to the customer of ${invoice.number}`);
	assert(invoice.currency === currency, `the credit note is in the currency of ${invoice.number}`);
	assert(invoice.state !== "CANCELED", `${invoice.number} is CANCELED: nothing of it is owed`);
	return invoice;
}

/** The invoice shows what was credited, so its PDF is another one; when that was all there was to collect, it is PAID. */
function settle(work: Work, invoice: InvoiceRow, at: Instant): void {
	const credited = sum(creditNotesOf(work, invoice).map(({ total }) => exact(total)));
	const isSettled = invoice.state === "OPEN" && credited.gte(invoice.total);
	changeInvoice(work, invoice, isSettled ? { state: "PAID", paidAt: at } : {});
}

/**
 * Credits all of an invoice that is not usage and not credited yet (semantics-extra 9). CustomerNotFound; InvoiceNotFound;
 * BillingInvoiceStatusError when it is CANCELED or nothing is left; InvalidArgumentError when it charges nothing but usage,
 * or when the date lies before its issue or in the future.
 */
export function creditInvoice(
	work: Work,
	customerRef: string,
	invoiceRef: string,
	{ reasonCode, issueDate }: InvoiceCredit,
): CreditNoteRow {
	const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);
	const issuedAt = issueDate === undefined ? work.now : instantOf(issueDate);
	if (issueDate !== undefined) assertDateOf(invoice, "issueDate", issuedAt, work.now);
	const notes = creditNotesOf(work, invoice);
	const creditedLines = linesByCreditNote(work, notes);
	const earlier = notes.map(({ id, number }) => ({ number, lines: creditedLines.get(id) ?? [] }));
	const lines = linesToCredit(invoice, linesByInvoice(work, [invoice]).get(invoice.id) ?? [], earlier);
	const { periodStart, periodEnd } = invoice;
	return issueCreditNote(work, {
		customerId: invoice.customerId,
		customer: invoice.customer,
		issuer: invoice.issuer,
		subscriptionId: invoice.subscriptionId,
		contractId: invoice.contractId,
		invoiceId: invoice.id,
		reasonCode: reasonCode ?? "ORDER_CHANGE",
		currency: invoice.currency,
		issuedAt,
		period: periodStart === null || periodEnd === null ? null : { start: periodStart, end: periodEnd },
		discountLabel: invoice.discountLabel,
		taxPercentage: invoice.taxPercentage,
		lines,
	});
}

/** Newest first. */
export const listCreditNotes = (work: Work, customerId: string, query: CreditNoteListQuery): Page<CreditNoteRow> =>
	pageCreditNotes(work, customerId, query);

/** Undefined when it is no credit note of that customer: the catalogue has no code for it, so the route says so. */
export const findCreditNoteOf = (work: Work, customerId: string, creditNoteRef: string): CreditNoteRow | undefined =>
	findCustomersCreditNote(work, customerId, creditNoteRef);

/** The lines of each of the notes, in the order of the document. */
export const linesByCreditNote = (
	work: Work,
	notes: readonly CreditNoteRow[],
): ReadonlyMap<string, CreditNoteLineRow[]> =>
	Map.groupBy(
		creditNoteLinesOf(
			work,
			notes.map(({ id }) => id),
		),
		({ creditNoteId }) => creditNoteId,
	);
