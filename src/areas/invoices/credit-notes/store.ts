import { and, asc, eq, getTableColumns, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow, insertRows } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { NewCreditNoteLine } from "../new-documents";
import { sealOfCreditNote, sealOfLines } from "../rules.seal";
import { lineColumnsOf } from "../store";
import {
	type CreditNoteLineRow,
	type CreditNoteRow,
	creditNoteLines,
	creditNoteSequences,
	creditNotes,
	type InvoiceLineRow,
	type InvoiceRow,
	invoiceLines,
	invoices,
} from "../table";
import type { CreditNoteListQuery } from "./schema";

const inEnvironment = ({ actor }: Work): SQL => eq(creditNotes.environmentId, actor.environmentId);

/** Returns the next number of this environment. It is part of the caller's transaction; a rollback releases it. */
export const nextCreditNoteSequence = (work: Work): number =>
	work.prepared(counted).get({ environmentId: work.actor.environmentId }).last;

const counted = (tx: Transaction) =>
	tx
		.insert(creditNoteSequences)
		.values({ environmentId: sql.placeholder("environmentId"), last: 1 })
		.onConflictDoUpdate({
			target: creditNoteSequences.environmentId,
			set: { last: sql`${creditNoteSequences.last} + 1` },
		})
		.returning({ last: creditNoteSequences.last })
		.prepare();

export function insertCreditNote(
	work: Work,
	note: Omit<CreditNoteRow, "id" | "environmentId" | "voidedAt" | "createdAt" | "linesSeal" | "seal">,
	lines: readonly NewCreditNoteLine[],
): CreditNoteRow {
	const { environmentId } = work.actor;
	const lineRows = lines.map((line, position) => ({
		invoiceLine: line.invoiceLine ?? null,
		...lineColumnsOf({ ...note, environmentId }, line, position),
	}));
	const unsealed = {
		...note,
		id: work.newId(),
		environmentId,
		voidedAt: null,
		linesSeal: sealOfLines(lineRows),
		createdAt: work.now,
	};
	const row = insertRow(work, creditNotes, { ...unsealed, seal: sealOfCreditNote(unsealed) });
	insertRows(
		work,
		creditNoteLines,
		lineRows.map((line) => ({ creditNoteId: row.id, ...line })),
	);
	return row;
}

export const findCreditNote = (work: Work, id: string): CreditNoteRow | undefined =>
	work.tx
		.select()
		.from(creditNotes)
		.where(and(inEnvironment(work), eq(creditNotes.id, id)))
		.get();

export const findCustomersCreditNote = (work: Work, customerId: string, id: string): CreditNoteRow | undefined =>
	work.tx
		.select()
		.from(creditNotes)
		.where(and(inEnvironment(work), eq(creditNotes.customerId, customerId), eq(creditNotes.id, id)))
		.get();

export function markVoided(work: Work, note: CreditNoteRow): CreditNoteRow {
	const voidedAt = work.now;
	const seal = note.seal === null ? null : sealOfCreditNote({ ...note, voidedAt });
	return changeRow(work, creditNotes, note.id, { voidedAt, seal });
}

/** Returns the valid (not voided) notes of an invoice, in the order of their numbers. */
export const creditNotesOf = (work: Work, { id }: InvoiceRow): CreditNoteRow[] =>
	work.tx
		.select()
		.from(creditNotes)
		.where(and(inEnvironment(work), eq(creditNotes.invoiceId, id), isNull(creditNotes.voidedAt)))
		.orderBy(asc(creditNotes.sequence))
		.all();

/** The owner of credit notes: a customer, or a contract (row ids). */
export type CreditNotesOf = { readonly customerId: string } | { readonly contractId: string };

export function pageCreditNotes(work: Work, of: CreditNotesOf, query: CreditNoteListQuery): Page<CreditNoteRow> {
	const own = and(
		inEnvironment(work),
		"customerId" in of ? eq(creditNotes.customerId, of.customerId) : eq(creditNotes.contractId, of.contractId),
	);
	return readTablePage(work, query, creditNotes, own);
}

export const selectCreditNotes = (work: Work, ids: readonly string[]): CreditNoteRow[] =>
	work.prepared(notesOfIds).all(idsIn(work, ids));

const notesOfIds = (tx: Transaction) =>
	tx.select().from(creditNotes).where(amongIds(creditNotes.environmentId, creditNotes.id)).prepare();

/** A line with the number of its document. */
interface NumberedLine<Line> {
	readonly number: string;
	readonly line: Line;
}

/** Returns the lines of credit notes with one of these charge ids, which credit the charge or charge it again, oldest first. */
export const linesOfNotesByCharge = (
	work: Work,
	chargeIds: readonly string[],
): Array<NumberedLine<CreditNoteLineRow>> =>
	chargeIds.length === 0
		? []
		: work.tx
				.select({ number: creditNotes.number, line: getTableColumns(creditNoteLines) })
				.from(creditNoteLines)
				.innerJoin(creditNotes, eq(creditNotes.id, creditNoteLines.creditNoteId))
				.where(
					and(inEnvironment(work), isNull(creditNotes.voidedAt), inArray(creditNoteLines.chargeId, [...chargeIds])),
				)
				.orderBy(asc(creditNotes.sequence), asc(creditNoteLines.position))
				.all();

/** Returns the lines of invoices that reduce a charge with one of these ids, oldest first. */
export const correctingInvoiceLines = (
	work: Work,
	chargeIds: readonly string[],
): Array<NumberedLine<InvoiceLineRow>> =>
	chargeIds.length === 0
		? []
		: work.tx
				.select({ number: invoices.number, line: getTableColumns(invoiceLines) })
				.from(invoiceLines)
				.innerJoin(invoices, eq(invoices.id, invoiceLines.invoiceId))
				.where(
					and(
						eq(invoices.environmentId, work.actor.environmentId),
						ne(invoices.state, "CANCELED"),
						inArray(invoiceLines.chargeId, [...chargeIds]),
						// Repeats the condition of the index.
						sql`${invoiceLines.chargeId} IS NOT NULL AND ${invoiceLines.amount} LIKE '-%'`,
					),
				)
				.orderBy(asc(invoices.sequence), asc(invoiceLines.position))
				.all();

/** Returns the valid (not voided) notes of several invoices, by their row ids. */
export const creditNotesOfInvoices = (work: Work, invoiceIds: readonly string[]): CreditNoteRow[] =>
	invoiceIds.length === 0 ? [] : work.prepared(notesAmong).all(idsIn(work, invoiceIds));

const notesAmong = (tx: Transaction) =>
	tx
		.select()
		.from(creditNotes)
		.where(and(amongIds(creditNotes.environmentId, creditNotes.invoiceId), isNull(creditNotes.voidedAt)))
		.orderBy(asc(creditNotes.sequence))
		.prepare();

/** Returns the credit notes of subscriptions (row ids) that correct no invoice and are addressed to one of these customers. */
export const creditNotesWithoutInvoice = (
	work: Work,
	customerIds: readonly string[],
	subscriptionIds: readonly string[],
): CreditNoteRow[] =>
	work.tx
		.select()
		.from(creditNotes)
		.where(
			and(
				inEnvironment(work),
				inArray(creditNotes.customerId, [...customerIds]),
				inArray(creditNotes.subscriptionId, [...subscriptionIds]),
				isNull(creditNotes.invoiceId),
			),
		)
		.orderBy(asc(creditNotes.sequence))
		.all();

/** Returns the lines of several notes, in the order of the document; the caller groups them. */
export const creditNoteLinesOf = (work: Work, creditNoteIds: readonly string[]): CreditNoteLineRow[] =>
	creditNoteIds.length === 0
		? []
		: work.tx
				.select()
				.from(creditNoteLines)
				.where(
					and(
						eq(creditNoteLines.environmentId, work.actor.environmentId),
						inArray(creditNoteLines.creditNoteId, [...creditNoteIds]),
					),
				)
				.orderBy(asc(creditNoteLines.creditNoteId), asc(creditNoteLines.position))
				.all();
