import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { recordUses } from "../../coupons/operations.uses";
import { giveNumber, issuerOf } from "../../legal-entities/operations";
import { addBalanceEntry } from "../balance/ledger";
import type { NamedLine } from "../consolidated/rules";
import { addLines } from "../drafts/operations";
import { invoiceCredited } from "../events";
import { issuerAsParty } from "../issuer";
import type { NewCreditNote } from "../new-documents";
import { getInvoice } from "../operations";
import { lineTotal, totalsOf } from "../rules";
import { sameConversion, taxConversionOf } from "../rules.tax-conversion";
import { changeInvoice } from "../store";
import type { CreditNoteLineRow, CreditNoteRow, InvoiceRow } from "../table";
import { viewCreditNote } from "../view";
import { creditableOfMember } from "./creditable-of-member";
import { creditableAmount, dueOf, takenOff, toBalanceOf } from "./rules";
import { type CreditableInvoice, distributeCredits } from "./rules.credited-invoices";
import type { CreditNote, CreditNoteListQuery } from "./schema";
import {
	type CreditNotesOf,
	creditNoteLinesOf,
	creditNotesOf,
	findCustomersCreditNote,
	insertCreditNote,
	nextCreditNoteSequence,
	pageCreditNotes,
	selectCreditNotes,
} from "./store";
import { chargeIdsOf, invoicesCharging } from "./store.charging";

/**
 * Credits subscriptions (row ids) for unused time. It credits the invoices that charged that time, also those of other customers:
 * each invoice for its own charges first, then the newest. Each gets its own credit note, up to its uncredited rest; a draft gets lines
 * instead. The remainder goes to the customer's balance. Throws the errors of `issueCreditNote`.
 */
export function creditUnusedTime(
	work: Work,
	input: Omit<NewCreditNote, "invoiceId">,
	subscriptionIds: readonly string[],
): void {
	const invoices = creditableInvoices(work, input, subscriptionIds);
	const { parts, rest } = distributeCredits(input.lines, invoices, input.currency);
	for (const [nth, { invoice, names }] of invoices.entries()) {
		const part = (parts[nth] ?? []).map((line) => ({ ...line, ...names }));
		if (part.length === 0) continue;
		if (invoice.state === "DRAFT") {
			addLines(work, invoice, part.map(takenOff), { isManual: false });
			continue;
		}
		// The customer of that invoice may differ from the customer that pays now.
		const { customerId, customer } = invoice.customerId === input.customerId ? input : invoice;
		issueCreditNote(work, { ...input, customerId, customer, invoiceId: invoice.id, lines: part });
	}
	if (sum(rest.map(lineTotal)).gt(0)) issueCreditNote(work, { ...input, invoiceId: null, lines: rest });
}

/** Returns the invoices that charged the time of the lines, newest first, drafts before them. */
function creditableInvoices(
	work: Work,
	input: Omit<NewCreditNote, "invoiceId">,
	subscriptionIds: readonly string[],
): Array<CreditableInvoice & { readonly invoice: InvoiceRow; readonly names: NamedLine | undefined }> {
	const invoices = invoicesToCredit(work, input, subscriptionIds);
	const charges = chargeIdsOf(
		work,
		invoices.map(({ id }) => id),
		input.lines.flatMap(({ chargeId }) => chargeId ?? []),
	);
	return invoices.map((invoice) => {
		const left = creditableAmount(invoice, creditNotesOf(work, invoice));
		// Other subscriptions of a consolidated invoice keep what they charge on it.
		const own = invoice.subscriptionId === null ? creditableOfMember(work, invoice, subscriptionIds) : undefined;
		const chargeIds = charges.get(invoice.id) ?? new Set<string>();
		return { invoice, names: own?.names, left: own?.left.lt(left) ? own.left : left, chargeIds };
	});
}

function invoicesToCredit(
	work: Work,
	{ lines, currency }: Omit<NewCreditNote, "invoiceId">,
	subscriptionIds: readonly string[],
): InvoiceRow[] {
	const times = lines.flatMap((line) => (line.period && lineTotal(line).gt(0) ? line.period : []));
	if (times.length === 0) return [];
	return invoicesCharging(work, {
		currency,
		subscriptionIds,
		from: Math.min(...times.map(({ start }) => start)),
		until: Math.max(...times.map(({ end }) => end)),
	});
}

/**
 * Issues a credit note: assigns the next number without a gap, copies issuer and customer, and stores the lines. A note never changes,
 * and never exceeds the rest of its invoice. The invoice gets a new revision, and is PAID once nothing is due. The customer's balance
 * receives the part that had been paid, or that has no invoice. Throws InvoiceNotFound, or AmountTooLarge beyond the range of exact
 * totals.
 */
export function issueCreditNote(work: Work, input: NewCreditNote): CreditNoteRow {
	const { totalHundredths: _, ...totals } = totalsOf(input);
	assert(exact(totals.total).gt(0), `a credit note must credit more than zero; got ${totals.total}`);
	const invoice = input.invoiceId === null ? undefined : correctedInvoice(work, input, input.invoiceId);
	const notes = invoice ? creditNotesOf(work, invoice) : [];
	if (invoice)
		assert(
			creditableAmount(invoice, notes).gte(totals.total),
			`a credit note cannot exceed the creditable amount of ${invoice.number}`,
		);
	const toBalance = toBalanceOf(totals.total, invoice, notes);
	const sequence = nextCreditNoteSequence(work);
	const issuer = issuerOf(work, invoice?.legalEntityId ?? input.legalEntityId ?? null);
	const given = giveNumber(work, issuer.entity, "CREDIT_NOTE", input.issuedAt ?? work.now);
	const note = insertCreditNote(
		work,
		{
			customerId: input.customerId,
			subscriptionId: input.subscriptionId ?? null,
			contractId: input.contractId ?? null,
			invoiceId: input.invoiceId,
			invoiceNumber: invoice?.number ?? null,
			reducesDue: invoice?.state === "OPEN",
			isByHand: input.isByHand ?? false,
			legalEntityId: issuer.entity.id,
			...given,
			sequence,
			reasonCode: input.reasonCode ?? "ORDER_CHANGE",
			currency: input.currency,
			periodStart: input.period?.start ?? null,
			periodEnd: input.period?.end ?? null,
			...totals,
			toBalance,
			taxPercentage: input.taxPercentage ?? null,
			...(invoice
				? sameConversion(invoice, totals.tax)
				: taxConversionOf(issuer.entity, { ...totals, currency: input.currency }, given.issuedAt)),
			discountLabel: input.discountLabel ?? null,
			discountPercent: input.discountPercent ?? null,
			issuer: invoice?.issuer ?? issuerAsParty(issuer),
			customer: input.customer,
		},
		input.lines,
	);
	recordUses(work, { ...note, isCreditNote: true }, input.lines);
	addBalanceEntry(work, note, { kind: "CREDITED", amount: toBalance, creditNoteId: note.id });
	if (invoice) invoiceCredited(work, settle(work, invoice, [...notes, note], note.issuedAt), note);
	return note;
}

function correctedInvoice(work: Work, { customerId, currency }: NewCreditNote, invoiceId: string): InvoiceRow {
	const invoice = getInvoice(work, invoiceId);
	assert(invoice.customerId === customerId, `the credit note goes to the customer of ${invoice.number}`);
	assert(invoice.currency === currency, `the credit note is in the currency of ${invoice.number}`);
	assert(invoice.state !== "CANCELED", `${invoice.number} is CANCELED: nothing of it is owed`);
	return invoice;
}

/** Raises the revision of the invoice, because its PDF shows the credit. The invoice becomes PAID if nothing is left to collect. */
function settle(work: Work, invoice: InvoiceRow, notes: readonly CreditNoteRow[], at: Instant): InvoiceRow {
	const isSettled = invoice.state === "OPEN" && dueOf(invoice, notes).eq(0);
	return changeInvoice(work, invoice, isSettled ? { state: "PAID", paidAt: at } : {});
}

/** Returns the amount that credit notes can still credit. */
export const creditableLeft = (work: Work, invoice: InvoiceRow): Decimal =>
	toDecimal(creditableAmount(invoice, creditNotesOf(work, invoice)));

/** Lists credit notes, newest first. */
export const listCreditNotes = (work: Work, of: CreditNotesOf, query: CreditNoteListQuery): Page<CreditNoteRow> =>
	pageCreditNotes(work, of, query);

/** Returns the notes as the API shows them; `customerRefId` belongs to the customer of the notes. */
export function viewCreditNotes(work: Work, notes: readonly CreditNoteRow[], customerRefId: string): CreditNote[] {
	const lines = linesByCreditNote(work, notes);
	return notes.map((note) => viewCreditNote(note, lines.get(note.id) ?? [], customerRefId));
}

/** Returns credit notes by row id. */
export const creditNotesByIds = (work: Work, ids: readonly string[]): Map<string, CreditNoteRow> =>
	new Map(selectCreditNotes(work, ids).map((note) => [note.id, note]));

/** Returns undefined for a note of another customer. The catalogue of errors has no code for it, so the route reports it. */
export const findCreditNoteOf = (work: Work, customerId: string, creditNoteRef: string): CreditNoteRow | undefined =>
	findCustomersCreditNote(work, customerId, creditNoteRef);

/** Returns the lines of each note, in the order of the document. */
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
