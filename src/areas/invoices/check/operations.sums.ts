import { and, asc, count, eq, gt, gte, max } from "drizzle-orm";
import { exact, sum } from "../../../kernel/decimal";
import { collectorAfter } from "../../../kernel/garbage";
import { packedPricesReader } from "../../../kernel/storage/packed-text";
import type { Work } from "../../../kernel/work";
import { givenNumbers } from "../../legal-entities/operations";
import type { DocumentKind } from "../../legal-entities/rules";
import { checkBalances } from "../balance/operations.check";
import { selectConsolidated } from "../consolidated/store";
import { checkPayments } from "../payments/operations.check";
import { lineTotal } from "../rules";
import { sameConversion } from "../rules.tax-conversion";
import {
	type CreditNoteRow,
	creditNoteSequences,
	creditNotes,
	type InvoiceRow,
	invoiceSequences,
	invoices,
	isNumbered,
	type LineRow,
} from "../table";
import { withinLines } from "./store.pages";
import {
	summedCreditNoteLines,
	summedCreditNotes,
	summedDrafts,
	summedInvoiceLines,
	summedInvoices,
} from "./store.sums";

/** The number of documents in memory at once, with their lines. */
const documentsAtOnceMax = 200;

/** The pages of documents between two garbage collections. */
const pagesPerCollection = 50;

/**
 * Returns the errors in this environment's invoices and credit notes, a text each; empty if there are none. It finds gaps in numbers,
 * wrong totals, wrong sums of payments, and balances that do not match their documents.
 */
export const checkInvoices = (work: Work): string[] => [
	...checkSeries("invoice", {
		from: (sequence) => withinLines(work, "invoices", summedInvoices(work, sequence), ({ id }) => id),
		linesOf: (ids) => summedInvoiceLines(work, ids),
		alsoCheck: (rows) => checkPayments(work, rows),
		lastGiven: lastInvoiceNumber(work),
	}),
	...checkSeries("credit note", {
		from: (sequence) => withinLines(work, "credit notes", summedCreditNotes(work, sequence), ({ id }) => id),
		linesOf: (ids) => summedCreditNoteLines(work, ids),
		lastGiven: lastCreditNoteNumber(work),
	}),
	...checkDrafts(work),
	...checkNumbers(work, "INVOICE"),
	...checkNumbers(work, "CREDIT_NOTE"),
	...checkBalances(work),
];

/** Checks the numbers of each legal entity and year. Numbers are unique, so the count of documents must equal the last number. */
function checkNumbers(work: Work, kind: DocumentKind): string[] {
	const table = kind === "INVOICE" ? invoices : creditNotes;
	const counted = work.tx
		.select({
			legalEntityId: table.legalEntityId,
			year: table.numberYear,
			documents: count(),
			highest: max(table.numberCount),
		})
		.from(table)
		.where(and(eq(table.environmentId, work.actor.environmentId), gt(table.sequence, 0)))
		.groupBy(table.legalEntityId, table.numberYear)
		.all();
	const keyOf = (row: { legalEntityId: string; year: number }): string => `${row.legalEntityId}:${row.year}`;
	const given = new Map(givenNumbers(work, kind).map((row) => [keyOf(row), row.last]));
	return counted
		.filter((row) => row.documents !== row.highest || row.documents !== given.get(keyOf(row)))
		.map(({ legalEntityId, year, documents, highest }) => {
			const what = kind === "INVOICE" ? "invoices" : "credit notes";
			const last = given.get(keyOf({ legalEntityId, year })) ?? 0;
			return `the legal entity ${legalEntityId} has ${documents} ${what} with numbers up to ${highest}${year === 0 ? "" : ` of ${year}`}; it gave ${last}`;
		});
}

/** Checks drafts: a draft has no number, has a date of automatic issue, and its totals are the sums of its lines. */
function checkDrafts(work: Work): string[] {
	const findings: string[] = [];
	const assertReadable = packedPricesReader();
	for (let after = ""; ; ) {
		const drafts = withinLines(work, "invoices", summedDrafts(work, after), ({ id }) => id);
		const last = drafts.at(-1);
		if (!last) return findings;
		const lines = linesOfEach(drafts, (ids) => summedInvoiceLines(work, ids), assertReadable);
		const waiting = selectConsolidated(
			work,
			drafts.map(({ id }) => id),
		).filter(({ nextDueAt }) => nextDueAt !== null);
		const isDue = new Set(waiting.map(({ invoiceId }) => invoiceId));
		for (const row of drafts) {
			const named = `the draft ${row.id}`;
			if (row.sequence !== 0 || row.number !== "") findings.push(`${named} has a number already`);
			if (row.nextDueAt === null && !isDue.has(row.id)) findings.push(`${named} is never issued by itself`);
			findings.push(...checkSums(named, row, lines.get(row.id) ?? []));
		}
		after = last.id;
	}
}

/** A kind of documents with one series of numbers. */
interface Series<Row> {
	/** Returns the next few documents from this number on. */
	readonly from: (sequence: number) => Row[];
	readonly linesOf: (ids: readonly string[]) => SummedLine[];
	readonly alsoCheck?: (rows: readonly Row[]) => string[];
	readonly lastGiven: number;
}

type Summed = Pick<
	InvoiceRow | CreditNoteRow,
	"id" | "number" | "sequence" | "subTotal" | "discount" | "tax" | "taxConversion" | "missingRateTo" | "total"
>;

interface SummedLine extends Pick<LineRow, "amount" | "discount" | "tax" | "taxes" | "discounts"> {
	readonly documentId: string;
	readonly basis: string | Uint8Array | null;
}

/** Returns the lines of some documents by the document's id. Throws if the terms of a line cannot be read. */
function linesOfEach(
	rows: readonly Summed[],
	linesOf: (ids: readonly string[]) => SummedLine[],
	assertReadable: (stored: string | Uint8Array | null) => void,
): ReadonlyMap<string, readonly SummedLine[]> {
	const lines = linesOf(rows.map(({ id }) => id));
	for (const { basis } of lines) assertReadable(basis);
	return Map.groupBy(lines, ({ documentId }) => documentId);
}

function checkSeries<Row extends Summed>(what: string, { from, linesOf, alsoCheck, lastGiven }: Series<Row>): string[] {
	const findings: string[] = [];
	let expected = 1;
	const collect = collectorAfter(pagesPerCollection);
	const assertReadable = packedPricesReader();
	for (;;) {
		const rows = from(expected);
		if (rows.length === 0) break;
		const lines = linesOfEach(rows, linesOf, assertReadable);
		for (const row of rows) {
			const named = `the ${what} ${row.number}`;
			if (row.sequence !== expected) findings.push(`before ${named} a number is missing`);
			expected = row.sequence + 1;
			findings.push(...checkSums(named, row, lines.get(row.id) ?? []));
		}
		findings.push(...(alsoCheck?.(rows) ?? []));
		collect();
	}
	if (lastGiven !== expected - 1)
		findings.push(`the last ${what} number given is ${lastGiven}, the last ${what}'s is ${expected - 1}`);
	return findings;
}

function checkSums(named: string, row: Summed, lines: readonly SummedLine[]): string[] {
	const sums = [
		["subTotal", row.subTotal, lines.map(({ amount }) => exact(amount))],
		["discount", row.discount, lines.map(({ discount }) => exact(discount))],
		["tax", row.tax, lines.map(({ tax }) => exact(tax))],
		["total", row.total, lines.map(lineTotal)],
	] as const;
	const { taxConversion } = row;
	const { taxConversion: converted } = sameConversion(row, row.tax);
	if (taxConversion && converted?.amount !== taxConversion.amount)
		return [
			`${named}: its tax of ${row.tax} is not ${taxConversion.amount} ${taxConversion.currency} at ${taxConversion.rate}`,
		];
	const taxed = lines.findIndex(({ tax, taxes }) => taxes && !sum(taxes.map(({ amount }) => exact(amount))).eq(tax));
	if (taxed >= 0) return [`${named}, line ${taxed + 1}: its tax is ${lines[taxed]?.tax}, its taxes make another sum`];
	const discounted = lines.findIndex(
		({ discount, discounts }) => discounts && !sum(discounts.map(({ amount }) => exact(amount))).eq(discount),
	);
	if (discounted >= 0)
		return [
			`${named}, line ${discounted + 1}: its discount is ${lines[discounted]?.discount}, its discounts make another sum`,
		];
	return sums.flatMap(([name, stated, parts]) =>
		sum(parts).eq(stated) ? [] : [`${named}: ${name} is ${stated}, its lines make ${sum(parts).toFixed()}`],
	);
}

export function readInvoices(work: Work, sequence: number): InvoiceRow[] {
	const { tx, actor } = work;
	const rows = tx
		.select()
		.from(invoices)
		.where(and(eq(invoices.environmentId, actor.environmentId), isNumbered, gte(invoices.sequence, sequence)))
		.orderBy(asc(invoices.sequence))
		.limit(documentsAtOnceMax)
		.all();
	return withinLines(work, "invoices", rows, ({ id }) => id);
}

/** Lines of the credited invoices are bounded too. */
export function readCreditNotes(work: Work, sequence: number): CreditNoteRow[] {
	const { tx, actor } = work;
	const rows = tx
		.select()
		.from(creditNotes)
		.where(and(eq(creditNotes.environmentId, actor.environmentId), gte(creditNotes.sequence, sequence)))
		.orderBy(asc(creditNotes.sequence))
		.limit(documentsAtOnceMax)
		.all();
	const own = withinLines(work, "credit notes", rows, ({ id }) => id);
	return withinLines(work, "invoices", own, ({ invoiceId }) => invoiceId ?? "");
}

const lastInvoiceNumber = ({ tx, actor }: Work): number =>
	tx.select().from(invoiceSequences).where(eq(invoiceSequences.environmentId, actor.environmentId)).get()?.last ?? 0;

const lastCreditNoteNumber = ({ tx, actor }: Work): number =>
	tx.select().from(creditNoteSequences).where(eq(creditNoteSequences.environmentId, actor.environmentId)).get()?.last ??
	0;
