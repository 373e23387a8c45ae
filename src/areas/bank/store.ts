import { and, asc, desc, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Page, type PageQuery, readTablePage } from "../../kernel/page";
import { changeRow, insertRow, newRow, saveRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { BankEntryListQuery } from "./schema";
import {
	type BankAccountRow,
	type BankEntryRow,
	type BankImportRow,
	type BankStatementRow,
	bankAccounts,
	bankEntries,
	bankImportParts,
	bankImports,
	bankPayers,
	bankStatements,
} from "./table";

export const selectAccounts = ({ tx, actor }: Work): BankAccountRow[] =>
	tx.select().from(bankAccounts).where(eq(bankAccounts.environmentId, actor.environmentId)).all();

export const pageAccounts = (work: Work, query: PageQuery): Page<BankAccountRow> =>
	readTablePage(work, query, bankAccounts, eq(bankAccounts.environmentId, work.actor.environmentId));

export const findAccount = ({ tx, actor }: Work, iban: string): BankAccountRow | undefined =>
	tx
		.select()
		.from(bankAccounts)
		.where(and(eq(bankAccounts.environmentId, actor.environmentId), eq(bankAccounts.iban, iban)))
		.get();

export const findAccountById = ({ tx, actor }: Work, id: string): BankAccountRow | undefined =>
	tx
		.select()
		.from(bankAccounts)
		.where(and(eq(bankAccounts.environmentId, actor.environmentId), eq(bankAccounts.id, id)))
		.get();

export const selectAccountsByIds = ({ tx, actor }: Work, ids: readonly string[]): BankAccountRow[] =>
	tx
		.select()
		.from(bankAccounts)
		.where(and(eq(bankAccounts.environmentId, actor.environmentId), inArray(bankAccounts.id, [...ids])))
		.all();

export const insertAccount = (
	work: Work,
	account: Pick<BankAccountRow, "iban" | "legalEntityId" | "feeTolerance" | "csvMapping">,
): BankAccountRow => insertRow(work, bankAccounts, { ...newRow(work), ...account });

export const changeAccount = (
	work: Work,
	{ id }: BankAccountRow,
	changes: Partial<Pick<BankAccountRow, "feeTolerance" | "csvMapping">>,
): BankAccountRow => changeRow(work, bankAccounts, id, { ...changes, updatedAt: work.now });

export const pageImports = (work: Work, query: PageQuery): Page<BankImportRow> =>
	readTablePage(work, query, bankImports, eq(bankImports.environmentId, work.actor.environmentId));

export const findImport = ({ tx, actor }: Work, id: string): BankImportRow | undefined =>
	tx
		.select()
		.from(bankImports)
		.where(and(eq(bankImports.environmentId, actor.environmentId), eq(bankImports.id, id)))
		.get();

export const selectImports = ({ tx, actor }: Work, ids: readonly string[]): BankImportRow[] =>
	tx
		.select()
		.from(bankImports)
		.where(and(eq(bankImports.environmentId, actor.environmentId), inArray(bankImports.id, [...ids])))
		.all();

export const insertImport = (
	work: Work,
	row: Pick<BankImportRow, "id" | "taskId" | "format" | "statementsCount" | "entriesCount">,
): BankImportRow => insertRow(work, bankImports, { ...newRow(work), ...row, state: "IMPORTING" });

export const changeImport = (work: Work, id: string, changes: Partial<BankImportRow>): BankImportRow =>
	changeRow(work, bankImports, id, changes);

export const insertPart = (work: Work, part: { importId: string; position: number; items: string }): void =>
	saveRow(work, bankImportParts, {
		...{ ...part, environmentId: work.actor.environmentId, createdAt: work.machineNow },
	});

/** Returns the part of an import that has the item of a position: the last one that begins at or before it. */
export const findPart = ({ tx }: Work, importId: string, position: number) =>
	tx
		.select({ position: bankImportParts.position, items: bankImportParts.items })
		.from(bankImportParts)
		.where(and(eq(bankImportParts.importId, importId), lt(bankImportParts.position, position + 1)))
		.orderBy(desc(bankImportParts.position))
		.limit(1)
		.get();

/** Deletes the parts of an import that begin before a position. */
export const deleteParts = ({ tx }: Work, importId: string, before: number): void => {
	tx.delete(bankImportParts)
		.where(and(eq(bankImportParts.importId, importId), lt(bankImportParts.position, before)))
		.run();
};

/** Our bound: abandoned parts that one import deletes. */
const abandonedMax = 200;

/** Deletes parts of files that did not arrive whole, older than a time. */
export const deleteAbandonedParts = ({ tx }: Work, before: Instant): void => {
	const abandoned = tx
		.select({ importId: bankImportParts.importId, position: bankImportParts.position })
		.from(bankImportParts)
		.leftJoin(bankImports, eq(bankImports.id, bankImportParts.importId))
		.where(and(lt(bankImportParts.createdAt, before), isNull(bankImports.id)))
		.orderBy(asc(bankImportParts.createdAt))
		.limit(abandonedMax)
		.all();
	for (const { importId, position } of abandoned)
		tx.delete(bankImportParts)
			.where(and(eq(bankImportParts.importId, importId), eq(bankImportParts.position, position)))
			.run();
};

export const pageStatements = (work: Work, query: PageQuery, accountId: string | undefined): Page<BankStatementRow> =>
	readTablePage(
		work,
		query,
		bankStatements,
		and(
			eq(bankStatements.environmentId, work.actor.environmentId),
			accountId === undefined ? undefined : eq(bankStatements.accountId, accountId),
		),
	);

export const insertStatement = (
	work: Work,
	row: Pick<BankStatementRow, "id" | "accountId" | "importId" | "number" | "sequence" | "year" | "currency">,
): BankStatementRow => insertRow(work, bankStatements, { ...newRow(work), ...row });

export const changeStatement = (work: Work, id: string, changes: Partial<BankStatementRow>): BankStatementRow =>
	changeRow(work, bankStatements, id, changes);

export const selectStatements = ({ tx, actor }: Work, ids: readonly string[]): BankStatementRow[] =>
	tx
		.select()
		.from(bankStatements)
		.where(and(eq(bankStatements.environmentId, actor.environmentId), inArray(bankStatements.id, [...ids])))
		.all();

/** Finds a statement of the account with that number and these balances. */
export const findSameStatement = (
	{ tx }: Work,
	{ accountId, year, sequence, number }: Pick<BankStatementRow, "accountId" | "year" | "sequence" | "number">,
): BankStatementRow | undefined =>
	tx
		.select()
		.from(bankStatements)
		.where(
			and(
				eq(bankStatements.accountId, accountId),
				eq(bankStatements.year, year),
				sql`${bankStatements.sequence} IS ${sequence}`,
				sql`${bankStatements.number} IS ${number}`,
			),
		)
		.limit(1)
		.get();

/** Returns the highest number of a statement of the account and year below a number. */
export const sequenceBefore = (
	{ tx }: Work,
	{ accountId, year, sequence }: Pick<BankStatementRow, "accountId" | "year" | "sequence">,
): number | undefined =>
	tx
		.select({ sequence: bankStatements.sequence })
		.from(bankStatements)
		.where(
			and(
				eq(bankStatements.accountId, accountId),
				eq(bankStatements.year, year),
				lt(bankStatements.sequence, sequence ?? 0),
			),
		)
		.orderBy(desc(bankStatements.sequence))
		.limit(1)
		.get()?.sequence ?? undefined;

export const isKnownEntry = (work: Work, accountId: string, fingerprint: string): boolean =>
	work.prepared(entryByFingerprint).get({ accountId, fingerprint }) !== undefined;

const entryByFingerprint = (tx: Transaction) =>
	tx
		.select({ id: bankEntries.id })
		.from(bankEntries)
		.where(
			and(
				eq(bankEntries.accountId, sql.placeholder("accountId")),
				eq(bankEntries.fingerprint, sql.placeholder("fingerprint")),
			),
		)
		.prepare();

export const insertEntry = (work: Work, row: Omit<BankEntryRow, "environmentId" | "createdAt">): BankEntryRow =>
	insertRow(work, bankEntries, { ...row, environmentId: work.actor.environmentId, createdAt: work.now });

export const changeEntry = (work: Work, id: string, changes: Partial<BankEntryRow>): BankEntryRow =>
	changeRow(work, bankEntries, id, changes);

export const selectEntries = ({ tx, actor }: Work, ids: readonly string[]): BankEntryRow[] =>
	tx
		.select()
		.from(bankEntries)
		.where(and(eq(bankEntries.environmentId, actor.environmentId), inArray(bankEntries.id, [...ids])))
		.all();

export const findEntry = ({ tx, actor }: Work, id: string): BankEntryRow | undefined =>
	tx
		.select()
		.from(bankEntries)
		.where(and(eq(bankEntries.environmentId, actor.environmentId), eq(bankEntries.id, id)))
		.get();

/** Returns a page of entries, newest first. The customer is a row id. */
export function pageEntries(
	work: Work,
	{ state, statementId, customerId, ...query }: BankEntryListQuery,
): Page<BankEntryRow> {
	return readTablePage(
		work,
		query,
		bankEntries,
		and(
			eq(bankEntries.environmentId, work.actor.environmentId),
			statementId === undefined ? undefined : eq(bankEntries.statementId, statementId),
			customerId === undefined ? undefined : eq(bankEntries.customerId, customerId),
		),
		[state === undefined ? undefined : eq(bankEntries.state, state)],
	);
}

/** The entries in memory at once in a check. */
const checkedAtOnce = 500;

/** Returns the next entries after an id. */
export const entriesAfter = ({ tx, actor }: Work, after: string): BankEntryRow[] =>
	tx
		.select()
		.from(bankEntries)
		.where(and(eq(bankEntries.environmentId, actor.environmentId), gt(bankEntries.id, after)))
		.orderBy(asc(bankEntries.id))
		.limit(checkedAtOnce)
		.all();

/** Stores whose IBAN it is; the last decision counts. */
export function savePayer(work: Work, payer: { iban: string; customerId: string; entryId: string }): void {
	const { environmentId } = work.actor;
	const ofIban = and(eq(bankPayers.environmentId, environmentId), eq(bankPayers.iban, payer.iban));
	work.tx.delete(bankPayers).where(ofIban).run();
	insertRow(work, bankPayers, { ...payer, id: work.newId(), environmentId, createdAt: work.now });
}

/** Drops a payer that Tollgate learned by an entry. */
export const deletePayer = ({ tx, actor }: Work, iban: string, entryId: string): void => {
	tx.delete(bankPayers)
		.where(
			and(
				eq(bankPayers.environmentId, actor.environmentId),
				eq(bankPayers.iban, iban),
				eq(bankPayers.entryId, entryId),
			),
		)
		.run();
};

/** Returns the next known payers after an IBAN. */
export const payersAfter = ({ tx, actor }: Work, after: string, rowsMax: number) =>
	tx
		.select({ iban: bankPayers.iban, customerId: bankPayers.customerId })
		.from(bankPayers)
		.where(and(eq(bankPayers.environmentId, actor.environmentId), gt(bankPayers.iban, after)))
		.orderBy(asc(bankPayers.iban))
		.limit(rowsMax)
		.all();
