import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { recordUses } from "../../coupons/operations.uses";
import { giveNumber, issuerOf } from "../../legal-entities/operations";
import { addBalanceEntry } from "../balance/ledger";
import { addLines } from "../drafts/operations";
import { invoiceCredited } from "../events";
import { issuerAsParty } from "../issuer";
import type { NewCreditNote, NewCreditNoteLine, NewInvoiceLine } from "../new-documents";
import { getCustomersInvoice, getInvoice, getInvoicedCustomer, linesByInvoice } from "../operations";
import { assertIssued, lineTotal, totalsOf } from "../rules";
import { negatedDiscounts } from "../rules.discounts";
import { sameConversion, taxConversionOf } from "../rules.tax-conversion";
import { negatedTaxes } from "../rules.taxes";
import { changeInvoice, lineColumnsOf } from "../store";
import type { CreditNoteLineRow, CreditNoteRow, InvoiceLineRow, InvoiceRow, LineRow } from "../table";
import { viewCreditNote } from "../view";
import { creditableOfMember } from "./creditable-of-member";
import {
	assertDateOf,
	assertOwed,
	type Credited,
	creditableAmount,
	dueOf,
	linesToCredit,
	nextInvoice,
	splitLines,
	toBalanceOf,
} from "./rules";
import { leftOfLines, linesOfPart } from "./rules.partial";
import type { CreditNote, CreditNoteListQuery, InvoiceCredit } from "./schema";
import {
	type CreditNotesOf,
	correctingInvoiceLines,
	creditNoteLinesOf,
	creditNotesOf,
	findCustomersCreditNote,
	insertCreditNote,
	invoicesCharging,
	linesOfNotesByCharge,
	nextCreditNoteSequence,
	pageCreditNotes,
	selectCreditNotes,
} from "./store";

/**
 * Credits subscriptions (row ids) for unused time. It credits the invoices that charged that time, newest first, also those of
 * other customers. Each gets its own credit note, up to its uncredited rest; a draft gets lines instead. The remainder goes to the
 * customer's balance. Throws the errors of `issueCreditNote`.
 */
export function creditUnusedTime(
	work: Work,
	input: Omit<NewCreditNote, "invoiceId">,
	subscriptionIds: readonly string[],
): void {
	let { lines } = input;
	for (const invoice of invoicesToCredit(work, input, subscriptionIds)) {
		const rest = sum(lines.map(lineTotal));
		if (rest.lte(0)) return;
		const ofInvoice = creditableAmount(invoice, creditNotesOf(work, invoice));
		// Other subscriptions of a consolidated invoice keep what they charge on it.
		const own = invoice.subscriptionId === null ? creditableOfMember(work, invoice, subscriptionIds) : undefined;
		const left = own?.left.lt(ofInvoice) ? own.left : ofInvoice;
		if (left.lte(0)) continue;
		const [unnamed, others] = splitLines(lines, left.lt(rest) ? left : rest, input.currency);
		const part = own ? unnamed.map((line) => ({ ...line, ...own.names })) : unnamed;
		lines = others;
		if (invoice.state === "DRAFT") {
			addLines(work, invoice, part.map(takenOff), { isManual: false });
			continue;
		}
		// The customer of that invoice may differ from the customer that pays now.
		const { customerId, customer } = invoice.customerId === input.customerId ? input : invoice;
		issueCreditNote(work, { ...input, customerId, customer, invoiceId: invoice.id, lines: part });
	}
	if (sum(lines.map(lineTotal)).gt(0)) issueCreditNote(work, { ...input, invoiceId: null, lines });
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

/** The credits of an invoice on other documents. */
interface CreditedElsewhere {
	/** Lines of a later invoice. */
	readonly waiting: readonly NewInvoiceLine[];
	/** The positions of usage that a change with an earlier date has credited. */
	readonly reversed: ReadonlySet<number>;
}

/**
 * Credits an invoice, excluding usage and earlier credits (docs/interface/invoices.md), or the requested part of it. Throws CustomerNotFound, InvoiceNotFound, or BillingInvoiceStatusError if
 * the invoice is CANCELED or nothing is left. Throws InvalidArgumentError for an invoice of usage only, for a part that exceeds the
 * rest, and for a date before the issue or in the future.
 */
export function creditInvoice(
	work: Work,
	customerRef: string,
	invoiceRef: string,
	{ reasonCode, issueDate, ...part }: InvoiceCredit,
	{ waiting, reversed }: CreditedElsewhere,
): CreditNoteRow {
	const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);
	assertIssued(invoice);
	const issuedAt = issueDate === undefined ? work.now : instantOf(issueDate);
	if (issueDate !== undefined) assertDateOf(invoice, "issueDate", issuedAt, work.now);
	const notes = creditNotesOf(work, invoice);
	const charged = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
	const ofCharges = correctionsByCharge(work, invoice, charged, waiting);
	// A full credit also credits the lines by which the invoice reduces its own charges.
	const ofOthers = ofCharges.filter(({ isOwn }) => !isOwn);
	const lines = isPart(part)
		? partialLines(work, invoice, notes, charged, { ofCharges, reversed }, part)
		: withinCreditable(
				invoice,
				notes,
				linesToCredit(invoice, charged, byDocument([...correctionsByNotes(work, notes), ...ofOthers])),
			);
	const { periodStart, periodEnd } = invoice;
	return issueCreditNote(work, {
		customerId: invoice.customerId,
		customer: invoice.customer,
		subscriptionId: invoice.subscriptionId,
		contractId: invoice.contractId,
		invoiceId: invoice.id,
		reasonCode: reasonCode ?? "ORDER_CHANGE",
		isByHand: true,
		currency: invoice.currency,
		issuedAt,
		period: periodStart === null || periodEnd === null ? null : { start: periodStart, end: periodEnd },
		discountLabel: invoice.discountLabel,
		discountPercent: invoice.discountPercent,
		taxPercentage: invoice.taxPercentage,
		lines,
	});
}

type Part = Pick<InvoiceCredit, "amount" | "lines">;

export const isPart = ({ amount, lines }: Part): boolean => amount !== undefined || lines !== undefined;

function partialLines(
	work: Work,
	invoice: InvoiceRow,
	notes: readonly CreditNoteRow[],
	charged: readonly InvoiceLineRow[],
	{ ofCharges, reversed }: Pick<CreditedElsewhere, "reversed"> & { readonly ofCharges: readonly Correction[] },
	part: Part,
): NewCreditNoteLine[] {
	assertOwed(invoice);
	const ofNotes = [...linesByCreditNote(work, notes).values()].flat();
	const lefts = leftOfLines(
		charged,
		ofCharges.map(({ line }) => line),
		ofNotes,
	);
	const lines = linesOfPart(invoice, lefts, part, reversed);
	const [left, wanted] = [creditableAmount(invoice, notes), sum(lines.map(lineTotal))];
	if (left.lt(wanted))
		throw fail(
			"InvalidArgumentError",
			`At most ${left.toFixed()} of ${invoice.number} can be credited; got ${wanted.toFixed()}.`,
		);
	return lines;
}

/** A line that credits a charge, the number of its document, and whether that document is the invoice itself. */
interface Correction {
	readonly number: string;
	readonly line: LineRow;
	readonly isOwn?: boolean;
}

/** Returns the credits of lines without a charge id: only notes of the same invoice can credit them. */
function correctionsByNotes(work: Work, notes: readonly CreditNoteRow[]): Correction[] {
	const lines = linesByCreditNote(work, notes);
	return notes.flatMap(({ id, number }) =>
		(lines.get(id) ?? []).filter(({ chargeId }) => chargeId === null).map((line) => ({ number, line })),
	);
}

/**
 * Returns the credits of an invoice's charges on all documents: credit notes of any invoice, later invoices, including waiting lines,
 * and the invoice's own lines from its time as a draft.
 */
function correctionsByCharge(
	work: Work,
	invoice: InvoiceRow,
	charged: readonly LineRow[],
	waiting: readonly NewInvoiceLine[],
): Correction[] {
	const chargeIds = charged.flatMap(({ chargeId, amount }) => (chargeId && exact(amount).gte(0) ? [chargeId] : []));
	return [
		...linesOfNotesByCharge(work, chargeIds),
		...correctingInvoiceLines(work, chargeIds).map(({ number, line }) => ({
			number,
			line: negated(line),
			isOwn: line.invoiceId === invoice.id,
		})),
		...waiting
			.filter(({ chargeId }) => chargeId && chargeIds.includes(chargeId))
			.map((line, at) => ({ number: nextInvoice, line: negated(lineColumnsOf(invoice, line, at)) })),
	];
}

const byDocument = (corrections: readonly Correction[]): Credited[] =>
	[...Map.groupBy(corrections, ({ number }) => number)].map(([number, ones]) => ({
		number,
		lines: ones.map(({ line }) => line),
	}));

/** Returns the charges of an invoice that have an id, and the rest of each before discount and tax. */
export function chargesLeft(
	work: Work,
	invoice: InvoiceRow,
	waiting: readonly NewInvoiceLine[],
): Array<{ readonly line: InvoiceLineRow; readonly left: Decimal }> {
	const charged = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
	const credited = Map.groupBy(
		correctionsByCharge(work, invoice, charged, waiting).map(({ line }) => line),
		({ chargeId }) => chargeId,
	);
	return charged
		.filter(({ chargeId, amount }) => chargeId !== null && exact(amount).gte(0))
		.map((line) => {
			const own = credited.get(line.chargeId) ?? [];
			return { line, left: toDecimal(exact(line.amount).minus(sum(own.map(({ amount }) => exact(amount))))) };
		});
}

const negated = (line: LineRow): LineRow => ({ ...line, ...takenOff(line), total: minus(line.total) });

/** Converts a line of a credit note to a line of an invoice. */
const takenOff = <Line extends Pick<NewInvoiceLine, "amount" | "discount" | "tax" | "taxes" | "discounts">>(
	line: Line,
) => ({
	...line,
	...negatedTaxes(line),
	...negatedDiscounts(line),
	amount: minus(line.amount),
	discount: minus(line.discount ?? zero),
	tax: minus(line.tax ?? zero),
});

const minus = (amount: Decimal): Decimal => toDecimal(exact(amount).times(-1));

/** Limits lines to the rest of the invoice. Negative usage lines (volume tiers) can make the other lines exceed that rest. */
function withinCreditable(
	invoice: InvoiceRow,
	notes: readonly CreditNoteRow[],
	lines: readonly NewCreditNoteLine[],
): readonly NewCreditNoteLine[] {
	const left = creditableAmount(invoice, notes);
	if (left.lte(0))
		throw fail("BillingInvoiceStatusError", `The invoice ${invoice.number} has nothing left that could be credited.`);
	return sum(lines.map(lineTotal)).lte(left) ? lines : splitLines(lines, left, invoice.currency)[0];
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
