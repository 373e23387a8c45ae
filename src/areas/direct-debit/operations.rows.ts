import { and, asc, count, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import { type Big, exact, sum } from "../../kernel/decimal";
import { type Page, type PageQuery, readTablePage } from "../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { Day } from "./rules.target";
import type { DebitListQuery } from "./schema";
import { type DebitFileRow, type DebitRow, directDebitFiles, directDebits, isInFile, isOpen, isPlanned } from "./table";

// The rows of debits and files. The area `bank` makes files of them.

const { placeholder } = sql;

type New<Row> = Omit<Row, "id" | "environmentId" | "createdAt" | "updatedAt">;

const inEnvironment = ({ actor }: Work): SQL => eq(directDebits.environmentId, actor.environmentId);

const debitsById = (tx: Transaction) =>
	tx.select().from(directDebits).where(amongIds(directDebits.environmentId, directDebits.id)).prepare();

export const selectDebits = (work: Work, ids: readonly string[]): DebitRow[] =>
	work.prepared(debitsById).all(idsIn(work, ids));

const openOf = (tx: Transaction) =>
	tx
		.select()
		.from(directDebits)
		.where(and(eq(directDebits.invoiceId, placeholder("invoiceId")), isOpen))
		.prepare();

/** Returns the debit of an invoice that is PLANNED or IN_FILE. */
export const findOpenDebit = (work: Work, invoiceId: string): DebitRow | undefined =>
	work.prepared(openOf).get({ invoiceId });

/** Returns the PLANNED debits of a mandate. An invoice has at most one. */
export const plannedOfMandate = ({ tx }: Work, mandateId: string, rowsMax: number): DebitRow[] =>
	tx
		.select()
		.from(directDebits)
		.where(and(eq(directDebits.mandateId, mandateId), eq(directDebits.state, "PLANNED")))
		.limit(rowsMax)
		.all();

/** Returns PLANNED debits of a legal entity that are collected until a day, in the order of their days. */
export const plannedUntil = ({ tx }: Work, legalEntityId: string, until: Day, rowsMax: number): DebitRow[] =>
	tx
		.select()
		.from(directDebits)
		.where(and(eq(directDebits.legalEntityId, legalEntityId), lte(directDebits.collectionOn, until), isPlanned))
		.orderBy(asc(directDebits.collectionOn), asc(directDebits.id))
		.limit(rowsMax)
		.all();

/** Returns the number of these debits, at most `rowsMax`. */
export const countPlanned = ({ tx }: Work, legalEntityId: string, until: Day, rowsMax: number): number => {
	const planned = tx
		.select({ id: directDebits.id })
		.from(directDebits)
		.where(and(eq(directDebits.legalEntityId, legalEntityId), lte(directDebits.collectionOn, until), isPlanned))
		.limit(rowsMax)
		.as("planned");
	return tx.select({ count: count() }).from(planned).get()?.count ?? 0;
};

/** Returns debits of a file and group after an id, in the order of ids. */
export const debitsOfGroup = (
	{ tx }: Work,
	{ fileId, group, after }: { readonly fileId: string; readonly group: string; readonly after: string },
	rowsMax: number,
): DebitRow[] =>
	tx
		.select()
		.from(directDebits)
		.where(and(eq(directDebits.fileId, fileId), eq(directDebits.fileGroup, group), gt(directDebits.id, after)))
		.orderBy(asc(directDebits.id))
		.limit(rowsMax)
		.all();

/** Returns the debits of a file and group that the bank has, after an id, in the order of ids. */
export const inFileOfGroup = (
	{ tx }: Work,
	{ fileId, group, after }: { readonly fileId: string; readonly group: string; readonly after: string },
	rowsMax: number,
): DebitRow[] =>
	tx
		.select()
		.from(directDebits)
		.where(
			and(eq(directDebits.fileId, fileId), eq(directDebits.fileGroup, group), gt(directDebits.id, after), isInFile),
		)
		.orderBy(asc(directDebits.id))
		.limit(rowsMax)
		.all();

export const debitsAfter = (work: Work, after: string, rowsMax: number): DebitRow[] =>
	work.tx
		.select()
		.from(directDebits)
		.where(and(inEnvironment(work), gt(directDebits.id, after)))
		.orderBy(asc(directDebits.id))
		.limit(rowsMax)
		.all();

/** Returns a page of debits, newest first. The customer is a row id. */
export const pageDebits = (
	work: Work,
	{ state, invoiceId, fileId, customerId: _, ...query }: DebitListQuery,
	customerId: string | undefined,
): Page<DebitRow> =>
	readTablePage(
		work,
		query,
		directDebits,
		and(
			inEnvironment(work),
			customerId === undefined ? undefined : eq(directDebits.customerId, customerId),
			invoiceId === undefined ? undefined : eq(directDebits.invoiceId, invoiceId),
			fileId === undefined ? undefined : eq(directDebits.fileId, fileId),
		),
		[state === undefined ? undefined : eq(directDebits.state, state)],
	);

export const insertDebit = (work: Work, row: New<DebitRow>): DebitRow =>
	insertRow(work, directDebits, { ...newRow(work), ...row });

export const changeDebit = (work: Work, id: string, changes: Partial<DebitRow>): DebitRow =>
	changeRow(work, directDebits, id, { ...changes, updatedAt: work.now });

export const findFile = ({ tx, actor }: Work, id: string): DebitFileRow | undefined =>
	tx
		.select()
		.from(directDebitFiles)
		.where(and(eq(directDebitFiles.environmentId, actor.environmentId), eq(directDebitFiles.id, id)))
		.get();

/** Returns the file that a legal entity's task is making. */
export const findMaking = ({ tx }: Work, legalEntityId: string): DebitFileRow | undefined =>
	tx
		.select()
		.from(directDebitFiles)
		.where(and(eq(directDebitFiles.legalEntityId, legalEntityId), sql`state = 'MAKING'`))
		.get();

export const selectFiles = ({ tx, actor }: Work, ids: readonly string[]): DebitFileRow[] =>
	ids.length === 0
		? []
		: tx
				.select()
				.from(directDebitFiles)
				.where(and(eq(directDebitFiles.environmentId, actor.environmentId), inArray(directDebitFiles.id, [...ids])))
				.all();

/** Returns the next files after an id, in the order of ids. */
export const filesAfter = ({ tx, actor }: Work, after: string, rowsMax: number): DebitFileRow[] =>
	tx
		.select()
		.from(directDebitFiles)
		.where(and(eq(directDebitFiles.environmentId, actor.environmentId), gt(directDebitFiles.id, after)))
		.orderBy(asc(directDebitFiles.id))
		.limit(rowsMax)
		.all();

/** Counts and sums the debits of a file, for its check. */
export function sumOfFile({ tx }: Work, fileId: string): { readonly count: number; readonly sum: Big } {
	const rows = tx
		.select({ amount: directDebits.amount })
		.from(directDebits)
		.where(eq(directDebits.fileId, fileId))
		.all();
	return { count: rows.length, sum: sum(rows.map(({ amount }) => exact(amount))) };
}

export const pageFiles = (work: Work, query: PageQuery): Page<DebitFileRow> =>
	readTablePage(work, query, directDebitFiles, eq(directDebitFiles.environmentId, work.actor.environmentId));

export const insertFile = (work: Work, row: Omit<DebitFileRow, "environmentId" | "createdAt">): DebitFileRow =>
	insertRow(work, directDebitFiles, { ...row, environmentId: work.actor.environmentId, createdAt: work.now });

export const changeFile = (work: Work, id: string, changes: Partial<DebitFileRow>): DebitFileRow =>
	changeRow(work, directDebitFiles, id, changes);
