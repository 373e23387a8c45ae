import { and, count, desc, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import { type Page, readTablePage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { amongIds, archivedAs, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { CurrencyListQuery } from "./schema";
import { type CurrencyRow, customCurrencies } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(customCurrencies.environmentId, actor.environmentId);

export const findActiveCurrency = (work: Work, refId: string): CurrencyRow | undefined =>
	work.tx
		.select()
		.from(customCurrencies)
		.where(and(inEnvironment(work), eq(customCurrencies.refId, refId), isNull(customCurrencies.archivedAt)))
		.get();

/** Returns the last archived currency of an id. */
export const findArchivedCurrency = (work: Work, refId: string): CurrencyRow | undefined =>
	work.tx
		.select()
		.from(customCurrencies)
		.where(and(inEnvironment(work), eq(customCurrencies.refId, refId), isNotNull(customCurrencies.archivedAt)))
		.orderBy(desc(customCurrencies.archivedAt), desc(customCurrencies.id))
		.limit(1)
		.get();

const currenciesAmongRefs = (tx: Transaction) =>
	tx
		.select()
		.from(customCurrencies)
		.where(and(amongIds(customCurrencies.environmentId, customCurrencies.refId), isNull(customCurrencies.archivedAt)))
		.prepare();

export const selectActiveByRef = (work: Work, refIds: readonly string[]): CurrencyRow[] =>
	refIds.length === 0 ? [] : work.remembered(currenciesAmongRefs).all(idsIn(work, refIds));

const currenciesAmong = (tx: Transaction) =>
	tx.select().from(customCurrencies).where(amongIds(customCurrencies.environmentId, customCurrencies.id)).prepare();

export const selectCurrencies = (work: Work, ids: readonly string[]): CurrencyRow[] =>
	ids.length === 0 ? [] : work.remembered(currenciesAmong).all(idsIn(work, ids));

export const countActive = (work: Work): number =>
	work.tx
		.select({ rows: count() })
		.from(customCurrencies)
		.where(and(inEnvironment(work), isNull(customCurrencies.archivedAt)))
		.get()?.rows ?? 0;

/** Without a status, lists only active currencies (docs/interface/http.md). */
export const pageCurrencies = (work: Work, query: CurrencyListQuery): Page<CurrencyRow> =>
	readTablePage(work, query, customCurrencies, inEnvironment(work), [
		archivedAs(customCurrencies.archivedAt, queryValues(query.status) ?? ["ACTIVE"]),
	]);

export const insertCurrency = (
	work: Work,
	currency: Omit<CurrencyRow, "id" | "environmentId" | "archivedAt" | "createdAt" | "updatedAt">,
): CurrencyRow =>
	insertRow(work, customCurrencies, {
		...currency,
		...newRow(work),
	});

export type CurrencyChanges = Partial<
	Pick<
		CurrencyRow,
		"displayName" | "description" | "symbol" | "unitSingular" | "unitPlural" | "metadata" | "archivedAt"
	>
>;

export const saveCurrency = (work: Work, { id }: CurrencyRow, changes: CurrencyChanges): CurrencyRow =>
	changeRow(work, customCurrencies, id, { ...changes, updatedAt: work.now });
