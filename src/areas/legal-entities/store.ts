import { and, asc, eq, getTableColumns, isNull, max, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Page, readTablePage } from "../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow, insertRows, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { CountedKind, DocumentKind } from "./rules";
import type { Logo } from "./rules.logo";
import type { LegalEntityListQuery } from "./schema";
import {
	type LegalEntityRow,
	type LogoRow,
	legalEntities,
	legalEntityLogos,
	type NumberPrefixRow,
	numberPrefixes,
	numberSequences,
	type PaymentAccountRow,
	paymentAccounts,
} from "./table";

/** Our choice (docs/interface/invoices.md#limits): few enough companies to list and read at once. */
export const entitiesMax = 100;

const inEnvironment = ({ actor }: Work): SQL => eq(legalEntities.environmentId, actor.environmentId);

/** Those that can be named, oldest first. */
export const selectLegalEntities = (work: Work): LegalEntityRow[] =>
	work.tx
		.select()
		.from(legalEntities)
		.where(and(inEnvironment(work), isNull(legalEntities.archivedAt)))
		.orderBy(asc(legalEntities.id))
		.limit(entitiesMax)
		.all();

// Asked for by every invoice that is issued.
const entitiesAmong = (tx: Transaction) =>
	tx.select().from(legalEntities).where(amongIds(legalEntities.environmentId, legalEntities.id)).prepare();

export const selectByIds = (work: Work, ids: readonly string[]): LegalEntityRow[] =>
	work.remembered(entitiesAmong).all(idsIn(work, ids));

const defaultOf = (tx: Transaction) =>
	tx
		.select()
		.from(legalEntities)
		.where(and(eq(legalEntities.environmentId, sql.placeholder("environmentId")), sql`is_default = 1`))
		.prepare();

export const findDefault = (work: Work): LegalEntityRow | undefined =>
	work.remembered(defaultOf).all({ environmentId: work.actor.environmentId })[0];

const accountsOf = (tx: Transaction) =>
	tx
		.select()
		.from(paymentAccounts)
		.where(amongIds(paymentAccounts.environmentId, paymentAccounts.legalEntityId))
		.orderBy(asc(paymentAccounts.id))
		.prepare();

/** Returns the payment accounts of these legal entities; each has one. */
export const selectPaymentAccounts = (work: Work, legalEntityIds: readonly string[]): PaymentAccountRow[] =>
	legalEntityIds.length === 0 ? [] : work.remembered(accountsOf).all(idsIn(work, legalEntityIds));

export const pageLegalEntities = (work: Work, query: LegalEntityListQuery): Page<LegalEntityRow> =>
	readTablePage(work, query, legalEntities, inEnvironment(work));

type NewEntity = Omit<LegalEntityRow, "id" | "environmentId" | "archivedAt" | "createdAt" | "updatedAt">;

/** With its one payment account. */
export function insertLegalEntity(
	work: Work,
	entity: Partial<NewEntity> & Pick<NewEntity, "name" | "isDefault">,
	account: Pick<PaymentAccountRow, "name"> & Partial<PaymentAccountRow>,
): LegalEntityRow {
	const row = insertRow(work, legalEntities, { ...newRow(work), ...entity });
	const { id, environmentId } = row;
	insertRows(work, paymentAccounts, [
		{ ...account, id: work.newId(), environmentId, legalEntityId: id, isDefault: true, createdAt: work.now },
	]);
	return row;
}

export const saveLegalEntity = (
	work: Work,
	{ id }: Pick<LegalEntityRow, "id">,
	changes: Partial<LegalEntityRow>,
): LegalEntityRow => changeRow(work, legalEntities, id, { ...changes, updatedAt: work.now });

export const savePaymentAccount = (
	work: Work,
	{ id }: Pick<PaymentAccountRow, "id">,
	changes: Pick<PaymentAccountRow, "iban" | "bic" | "bankName">,
): PaymentAccountRow => changeRow(work, paymentAccounts, id, changes);

/** Undefined when the prefix is free. */
export const findPrefix = (work: Work, stem: string) =>
	work.tx
		.select()
		.from(numberPrefixes)
		.where(and(eq(numberPrefixes.environmentId, work.actor.environmentId), eq(numberPrefixes.stem, stem)))
		.get();

/** All prefixes that documents of a kind have had. */
export const selectPrefixes = ({ tx, actor }: Work, kind: DocumentKind): NumberPrefixRow[] =>
	tx
		.select()
		.from(numberPrefixes)
		.where(and(eq(numberPrefixes.environmentId, actor.environmentId), eq(numberPrefixes.kind, kind)))
		.all();

export const insertPrefix = (
	work: Work,
	prefix: { readonly stem: string; readonly legalEntityId: string; readonly kind: DocumentKind },
): void => insertRows(work, numberPrefixes, [{ ...prefix, environmentId: work.actor.environmentId }]);

interface Series {
	readonly legalEntityId: string;
	readonly kind: CountedKind;
}

/** The date of what was numbered last, whatever year its number carries; null before the first. */
export const lastIssuedAt = (work: Work, series: Series): Instant | null =>
	work.prepared(lastDate).get({ environmentId: work.actor.environmentId, ...series })?.at ?? null;

const lastDate = (tx: Transaction) =>
	tx
		.select({ at: max(numberSequences.lastIssuedAt) })
		.from(numberSequences)
		.where(ofSeries)
		.prepare();

const ofSeries = and(
	eq(numberSequences.environmentId, sql.placeholder("environmentId")),
	eq(numberSequences.legalEntityId, sql.placeholder("legalEntityId")),
	eq(numberSequences.kind, sql.placeholder("kind")),
);

/** The next count of that year. It is part of the caller's transaction: a rollback takes it back. */
export const nextCount = (work: Work, series: Series, year: number, issuedAt: Instant): number =>
	work.prepared(counted).get({ environmentId: work.actor.environmentId, ...series, year, issuedAt }).last;

const counted = (tx: Transaction) =>
	tx
		.insert(numberSequences)
		.values({
			environmentId: sql.placeholder("environmentId"),
			legalEntityId: sql.placeholder("legalEntityId"),
			kind: sql`${sql.placeholder("kind")}`,
			year: sql.placeholder("year"),
			last: 1,
			lastIssuedAt: sql`${sql.placeholder("issuedAt")}`,
		})
		.onConflictDoUpdate({
			target: [
				numberSequences.environmentId,
				numberSequences.legalEntityId,
				numberSequences.kind,
				numberSequences.year,
			],
			set: { last: sql`${numberSequences.last} + 1`, lastIssuedAt: sql`excluded.last_issued_at` },
		})
		.returning({ last: numberSequences.last })
		.prepare();

/** The last number of each row that is counted by itself. */
export const selectSequences = (work: Work, kind: CountedKind) =>
	work.tx
		.select()
		.from(numberSequences)
		.where(and(eq(numberSequences.environmentId, work.actor.environmentId), eq(numberSequences.kind, kind)))
		.orderBy(numberSequences.legalEntityId, numberSequences.year)
		.all();

export const insertLogo = (work: Work, legalEntityId: string, logo: Logo): LogoRow => {
	const { environmentId } = work.actor;
	return insertRow(work, legalEntityLogos, {
		...logo,
		id: work.newId(),
		environmentId,
		legalEntityId,
		createdAt: work.now,
	});
};

const { bytes: _, ...logoColumns } = getTableColumns(legalEntityLogos);

const logosAmong = (tx: Transaction) =>
	tx
		.select(logoColumns)
		.from(legalEntityLogos)
		.where(amongIds(legalEntityLogos.environmentId, legalEntityLogos.id))
		.prepare();

/** Without their bytes. */
export const selectLogos = (work: Work, ids: readonly string[]): Array<Omit<LogoRow, "bytes">> =>
	ids.length === 0 ? [] : work.prepared(logosAmong).all(idsIn(work, ids));

export const findLogo = (work: Work, id: string): LogoRow | undefined =>
	work.tx
		.select()
		.from(legalEntityLogos)
		.where(and(eq(legalEntityLogos.environmentId, work.actor.environmentId), eq(legalEntityLogos.id, id)))
		.get();
