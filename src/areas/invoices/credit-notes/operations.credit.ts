import { instantOf } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { NewCreditNoteLine, NewInvoiceLine } from "../new-documents";
import { getCustomersInvoice, getInvoicedCustomer, linesByInvoice } from "../operations";
import { assertIssued, lineTotal } from "../rules";
import { lineColumnsOf } from "../store";
import type { CreditNoteRow, InvoiceLineRow, InvoiceRow, LineRow } from "../table";
import { issueCreditNote, linesByCreditNote } from "./operations";
import {
	assertDateOf,
	assertOwed,
	type Credited,
	creditableAmount,
	linesToCredit,
	nextInvoice,
	splitLines,
	takenOff,
} from "./rules";
import { leftOfLines, linesOfPart } from "./rules.partial";
import type { InvoiceCredit } from "./schema";
import { correctingInvoiceLines, creditNotesOf, linesOfNotesByCharge } from "./store";

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

const negated = (line: LineRow): LineRow => ({
	...line,
	...takenOff(line),
	total: toDecimal(exact(line.total).times(-1)),
});

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
