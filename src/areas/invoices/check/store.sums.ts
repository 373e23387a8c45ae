import { and, asc, eq, gt, gte, sql } from "drizzle-orm";
import { amongIds, idsIn } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { creditNoteLines, creditNotes, invoiceLines, invoices, isNumbered } from "../table";

// The check of sums reads the columns that it compares, and those with JSON: reading one that is damaged fails.

const { placeholder } = sql;

/** The number of documents in memory at once, with their lines. */
const documentsAtOnceMax = 200;

const columnsOf = (table: typeof invoices | typeof creditNotes) => ({
	id: table.id,
	number: table.number,
	sequence: table.sequence,
	subTotal: table.subTotal,
	discount: table.discount,
	tax: table.tax,
	taxConversion: table.taxConversion,
	missingRateTo: table.missingRateTo,
	total: table.total,
	issuer: table.issuer,
	customer: table.customer,
});

const invoiceColumns = {
	...columnsOf(invoices),
	state: invoices.state,
	amountPaid: invoices.amountPaid,
	balanceApplied: invoices.balanceApplied,
	nextDueAt: invoices.nextDueAt,
	cashDiscount: invoices.cashDiscount,
	customFields: invoices.customFields,
	stated: invoices.stated,
};

const invoicesFrom = (tx: Transaction) =>
	tx
		.select(invoiceColumns)
		.from(invoices)
		.where(
			and(
				eq(invoices.environmentId, placeholder("environmentId")),
				isNumbered,
				gte(invoices.sequence, placeholder("sequence")),
			),
		)
		.orderBy(asc(invoices.sequence))
		.limit(documentsAtOnceMax)
		.prepare();

const draftsAfter = (tx: Transaction) =>
	tx
		.select(invoiceColumns)
		.from(invoices)
		.where(
			and(
				eq(invoices.environmentId, placeholder("environmentId")),
				eq(invoices.state, "DRAFT"),
				gt(invoices.id, placeholder("after")),
			),
		)
		.orderBy(asc(invoices.id))
		.limit(documentsAtOnceMax)
		.prepare();

const creditNotesFrom = (tx: Transaction) =>
	tx
		.select(columnsOf(creditNotes))
		.from(creditNotes)
		.where(
			and(
				eq(creditNotes.environmentId, placeholder("environmentId")),
				gte(creditNotes.sequence, placeholder("sequence")),
			),
		)
		.orderBy(asc(creditNotes.sequence))
		.limit(documentsAtOnceMax)
		.prepare();

const lineColumnsOf = (table: typeof invoiceLines | typeof creditNoteLines) => ({
	amount: table.amount,
	discount: table.discount,
	tax: table.tax,
	taxes: table.taxes,
	discounts: table.discounts,
	wording: table.wording,
	tiers: table.tiers,
	/** As it is in the file. */
	basis: sql<string | Uint8Array | null>`${table.basis}`,
});

const linesAmongInvoices = (tx: Transaction) =>
	tx
		.select({ documentId: invoiceLines.invoiceId, ...lineColumnsOf(invoiceLines) })
		.from(invoiceLines)
		.where(amongIds(invoiceLines.environmentId, invoiceLines.invoiceId))
		.prepare();

const linesAmongCreditNotes = (tx: Transaction) =>
	tx
		.select({ documentId: creditNoteLines.creditNoteId, ...lineColumnsOf(creditNoteLines) })
		.from(creditNoteLines)
		.where(amongIds(creditNoteLines.environmentId, creditNoteLines.creditNoteId))
		.prepare();

/** Returns the next few issued invoices from this number on. */
export const summedInvoices = (work: Work, sequence: number) =>
	work.prepared(invoicesFrom).all({ environmentId: work.actor.environmentId, sequence });

/** Returns the next few drafts after an id. */
export const summedDrafts = (work: Work, after: string) =>
	work.prepared(draftsAfter).all({ environmentId: work.actor.environmentId, after });

/** Returns the next few credit notes from this number on. */
export const summedCreditNotes = (work: Work, sequence: number) =>
	work.prepared(creditNotesFrom).all({ environmentId: work.actor.environmentId, sequence });

/** Returns the amounts of the lines of invoices. */
export const summedInvoiceLines = (work: Work, ids: readonly string[]) =>
	work.prepared(linesAmongInvoices).all(idsIn(work, ids));

/** Returns the amounts of the lines of credit notes. */
export const summedCreditNoteLines = (work: Work, ids: readonly string[]) =>
	work.prepared(linesAmongCreditNotes).all(idsIn(work, ids));
