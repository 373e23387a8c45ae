import { eq, type SQL, sql } from "drizzle-orm";
import { createdWithin, type Page, readTablePage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { amongIds, archivedAs, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { TaxListQuery } from "./schema";
import { type TaxRow, taxes } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(taxes.environmentId, actor.environmentId);

const among = (tx: Transaction) => tx.select().from(taxes).where(amongIds(taxes.environmentId, taxes.refId)).prepare();

export const selectTaxes = (work: Work, refIds: readonly string[]): TaxRow[] =>
	refIds.length === 0 ? [] : work.remembered(among).all(idsIn(work, refIds));

const byId = (tx: Transaction) => tx.select().from(taxes).where(amongIds(taxes.environmentId, taxes.id)).prepare();

/** Returns taxes by row id. */
export const selectTaxesByIds = (work: Work, ids: readonly string[]): TaxRow[] =>
	ids.length === 0 ? [] : work.prepared(byId).all(idsIn(work, ids));

const any = (tx: Transaction) =>
	tx
		.select({ id: taxes.id })
		.from(taxes)
		.where(eq(taxes.environmentId, sql.placeholder("environmentId")))
		.limit(1)
		.prepare();

/** Whether the environment has a tax. */
export const hasTaxes = (work: Work): boolean =>
	work.remembered(any).get({ environmentId: work.actor.environmentId }) !== undefined;

export const pageTaxes = (work: Work, query: TaxListQuery): Page<TaxRow> =>
	readTablePage(work, query, taxes, inEnvironment(work), [
		query.id === undefined ? undefined : eq(taxes.refId, query.id),
		archivedAs(taxes.archivedAt, queryValues(query.status)),
		...createdWithin(query, taxes.createdAt),
	]);

export const insertTax = (
	work: Work,
	tax: Pick<TaxRow, "refId" | "displayName" | "percentage" | "isInclusive" | "country" | "code">,
): TaxRow => insertRow(work, taxes, { ...tax, ...newRow(work) });

export const saveTax = (
	work: Work,
	{ id }: TaxRow,
	changes: Partial<Pick<TaxRow, "displayName" | "archivedAt">>,
): TaxRow => changeRow(work, taxes, id, { ...changes, updatedAt: work.now });
