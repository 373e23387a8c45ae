import {
	type AnyColumn,
	and,
	asc,
	desc,
	eq,
	gt,
	gte,
	inArray,
	lt,
	lte,
	type SQL,
	type SQLWrapper,
	sql,
} from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import type { Removable } from "./rules.anchor";
import { subjectsOfEntry } from "./rules.subjects";
import {
	type AuditChainRow,
	type AuditEntryRow,
	type AuditPersonalRow,
	auditChains,
	auditEntries,
	auditPersonal,
	auditSubjects,
} from "./table";

/** The filters of the log. */
export interface EntryFilter {
	/** The environment, or `accountLevel` for the caller's account. */
	readonly environmentId: string;
	readonly accountId?: string;
	readonly actorId?: string | undefined;
	readonly operation?: string | undefined;
	readonly entityType?: string | undefined;
	readonly entityId?: string | undefined;
	/** The machine's time. */
	readonly from?: Instant | undefined;
	readonly until?: Instant | undefined;
}

export interface EntryRange {
	/** The entry after which the page begins, in the requested direction. */
	readonly beyond: string | undefined;
	readonly isForward: boolean;
	readonly rowsMax: number;
}

export interface FoundEntries {
	readonly rows: AuditEntryRow[];
	/** The entry at which a bounded search stopped; the next page continues there. */
	readonly endedAt: string | undefined;
}

/** The number of entries that one page examines when there are several filters. */
const lookedAtMax = 10_000;

/**
 * Returns entries of a chain, in or against its order. The most selective filter uses its index; the others are checked
 * row by row, up to a limit.
 */
export function findEntries(work: Work, filter: EntryFilter, range: EntryRange): FoundEntries {
	const { beyond, isForward, rowsMax } = range;
	const { driver, others } = driven(filter);
	const within = [
		beyond === undefined ? undefined : driver.bound(isForward ? gt : lt, beyond),
		filter.from === undefined ? undefined : driver.bound(gte, firstIdAt(filter.from)),
		filter.until === undefined ? undefined : driver.bound(lt, firstIdAt(filter.until)),
	];
	const order = (isForward ? asc : desc)(driver.order);
	const limit = others.length === 0 ? rowsMax : lookedAtMax;
	const looked = sql`select ${driver.serial} as serial from ${driver.table} where ${and(driver.where, ...within)} order by ${order} limit ${limit}`;
	const rows = work.tx
		.select()
		.from(auditEntries)
		.where(
			and(
				sql`${auditEntries.serial} in (${looked})`,
				filter.accountId === undefined ? undefined : eq(auditEntries.accountId, filter.accountId),
				...others,
			),
		)
		.orderBy((isForward ? asc : desc)(auditEntries.serial))
		.limit(rowsMax)
		.all();
	if (others.length === 0 || rows.length === rowsMax) return { rows, endedAt: undefined };
	const last = work.tx
		.select({ id: auditEntries.id })
		.from(auditEntries)
		.where(sql`${auditEntries.serial} = (select serial from (${looked}) limit 1 offset ${limit - 1})`)
		.get();
	return { rows, endedAt: last?.id };
}

type Comparison = typeof gt | typeof gte | typeof lt;

/** An index that finds entries of a chain in order. */
interface Driver {
	readonly table: SQL;
	readonly serial: SQLWrapper;
	readonly order: AnyColumn;
	readonly where: SQL | undefined;
	/** The condition that the entry's id compares with an id. */
	readonly bound: (compare: Comparison, id: string) => SQL;
}

/** Finds entries by the columns of an index that ends with the id. */
const byEntries = (environmentId: string, where: SQL | undefined): Driver => ({
	table: sql`${auditEntries}`,
	serial: auditEntries.serial,
	order: auditEntries.id,
	where: and(eq(auditEntries.environmentId, environmentId), where),
	bound: (compare, id) => compare(auditEntries.id, id),
});

/** Finds entries by a key of the index of subjects. In a chain, serials ascend as ids do. */
const bySubject = (environmentId: string, key: string, entityType: string | undefined): Driver => ({
	table: sql`${auditSubjects}`,
	serial: auditSubjects.entry,
	order: auditSubjects.entry,
	where: and(
		eq(auditSubjects.chain, chainOf(environmentId)),
		eq(auditSubjects.key, key),
		entityType === undefined ? undefined : eq(auditSubjects.entityType, entityType),
	),
	bound: (compare, id) => {
		const isLower = compare !== lt;
		const order = (isLower ? asc : desc)(auditEntries.id);
		const where = and(eq(auditEntries.environmentId, environmentId), compare(auditEntries.id, id));
		return (isLower ? gte : lte)(
			auditSubjects.entry,
			sql`(select ${auditEntries.serial} from ${auditEntries} where ${where} order by ${order} limit 1)`,
		);
	},
});

/** The number of an environment's chain, in SQL. */
const chainOf = (environmentId: string): SQL =>
	sql`(select ${auditChains.number} from ${auditChains} where ${eq(auditChains.environmentId, environmentId)})`;

/** Returns the index to use, the most selective first, and the filters that remain. */
function driven({ environmentId, actorId, operation, entityType, entityId, accountId }: EntryFilter) {
	const ofActor = actorId === undefined ? undefined : eq(auditEntries.actorId, actorId);
	const ofOperation = operation === undefined ? undefined : eq(auditEntries.operation, operation);
	const given = (...conditions: ReadonlyArray<SQL | undefined>) =>
		conditions.filter((condition) => condition !== undefined);
	// The search also reads entries of other accounts.
	const account = accountId === undefined ? undefined : sql`true`;
	if (entityId !== undefined)
		return { driver: bySubject(environmentId, entityId, entityType), others: given(ofActor, ofOperation, account) };
	const ofType =
		entityType === undefined
			? undefined
			: sql`exists (select 1 from ${auditSubjects} where ${and(bySubject(environmentId, entityType, entityType).where, eq(auditSubjects.entry, auditEntries.serial))})`;
	if (ofActor) return { driver: byEntries(environmentId, ofActor), others: given(ofOperation, ofType, account) };
	if (ofOperation) return { driver: byEntries(environmentId, ofOperation), others: given(ofType, account) };
	if (entityType !== undefined)
		return { driver: bySubject(environmentId, entityType, entityType), others: given(account) };
	return { driver: byEntries(environmentId, undefined), others: given(account) };
}

/** Returns the smallest UUIDv7 of an instant; a UUIDv7 begins with its milliseconds. */
function firstIdAt(at: Instant): string {
	const hex = Math.max(0, at).toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export const findEntry = (work: Work, environmentId: string, id: string): AuditEntryRow | undefined =>
	work.tx
		.select()
		.from(auditEntries)
		.where(and(eq(auditEntries.environmentId, environmentId), eq(auditEntries.id, id)))
		.get();

/** Returns the last entry for a key. */
export function latestEntryOf(
	work: Work,
	environmentId: string,
	key: string,
	entityType: string | undefined,
): AuditEntryRow | undefined {
	const { rows } = findEntries(
		work,
		{ environmentId, entityId: key, entityType },
		{ beyond: undefined, isForward: false, rowsMax: 1 },
	);
	return rows[0];
}

export const entriesByIds = (work: Work, ids: readonly string[]): AuditEntryRow[] =>
	work.tx
		.select()
		.from(auditEntries)
		.where(and(eq(auditEntries.environmentId, work.actor.environmentId), inArray(auditEntries.id, [...ids])))
		.all();

/** Returns the personal data of entries, in the order of their changes. */
export function personalOf(work: Work, ids: readonly string[]): ReadonlyMap<string, AuditPersonalRow[]> {
	const rows =
		ids.length === 0
			? []
			: work.tx
					.select()
					.from(auditPersonal)
					.where(inArray(auditPersonal.entryId, [...ids]))
					.orderBy(asc(auditPersonal.entryId), asc(auditPersonal.position))
					.all();
	return Map.groupBy(rows, ({ entryId }) => entryId);
}

export const allChains = (work: Work): AuditChainRow[] =>
	work.tx.select().from(auditChains).orderBy(asc(auditChains.environmentId)).all();

/** Returns the entries of a chain with personal data of a person or company. */
export const entriesAbout = (
	work: Work,
	environmentId: string,
	subjectId: string,
	afterId: string,
	rowsMax: number,
): string[] =>
	work.tx
		.selectDistinct({ id: auditEntries.id, serial: auditSubjects.entry })
		.from(auditSubjects)
		.innerJoin(auditEntries, eq(auditEntries.serial, auditSubjects.entry))
		.where(
			and(
				bySubject(environmentId, subjectId, undefined).where,
				bySubject(environmentId, subjectId, undefined).bound(gt, afterId),
			),
		)
		.orderBy(asc(auditSubjects.entry))
		.limit(rowsMax)
		.all()
		.map(({ id }) => id);

/** Returns the number of deleted rows. */
export const dropPersonal = (work: Work, entryIds: readonly string[], subjectId: string): number =>
	work.tx
		.update(auditPersonal)
		.set({ salt: null, fields: null, erasedAt: work.machineNow })
		.where(
			and(
				inArray(auditPersonal.entryId, [...entryIds]),
				eq(auditPersonal.subjectId, subjectId),
				sql`${auditPersonal.erasedAt} is null`,
			),
		)
		.returning({ position: auditPersonal.position })
		.all().length;

/** The number of entries of a chain that one purge reads; the next purge continues. */
const purgedMax = 10_000;

/** Returns the last of the oldest entries of each chain that were recorded before an instant of the machine. */
export function lastRecordedBefore(work: Work, before: Instant): Removable {
	const oldest = (environmentId: string, rowsMax: number) =>
		work.tx
			.select({ sequence: auditEntries.sequence, recordedAt: auditEntries.recordedAt })
			.from(auditEntries)
			.where(eq(auditEntries.environmentId, environmentId))
			.orderBy(asc(auditEntries.id))
			.limit(rowsMax)
			.all();
	const isOld = ({ recordedAt }: { readonly recordedAt: Instant }) => recordedAt < before;
	return new Map(
		allChains(work).flatMap(({ environmentId }) => {
			if (!oldest(environmentId, 1).some(isOld)) return [];
			const rows = oldest(environmentId, purgedMax);
			const young = rows.findIndex((row) => !isOld(row));
			const last = rows.at(young === -1 ? -1 : young - 1);
			return last ? [[environmentId, last.sequence] as const] : [];
		}),
	);
}

/** Returns the oldest entries of a chain, in order. */
export const oldestEntries = (work: Work, environmentId: string, rowsMax: number): AuditEntryRow[] =>
	work.tx
		.select()
		.from(auditEntries)
		.where(eq(auditEntries.environmentId, environmentId))
		.orderBy(asc(auditEntries.id))
		.limit(rowsMax)
		.all();

/** Deletes the entries up to and including `last`. The chain then begins after it. */
export function removeUntil(work: Work, entries: readonly AuditEntryRow[], last: AuditEntryRow): void {
	const { environmentId, id, sequence, hash } = last;
	work.tx
		.update(auditChains)
		.set({ sealedSequence: sequence, sealedHash: hash })
		.where(eq(auditChains.environmentId, environmentId))
		.run();
	for (const entry of entries)
		for (const [key, entityType] of subjectsOfEntry(entry))
			work.tx
				.delete(auditSubjects)
				.where(and(bySubject(environmentId, key, entityType).where, eq(auditSubjects.entry, entry.serial)))
				.run();
	const ids = entries.map((entry) => entry.id);
	work.tx.delete(auditPersonal).where(inArray(auditPersonal.entryId, ids)).run();
	work.tx
		.delete(auditEntries)
		.where(and(eq(auditEntries.environmentId, environmentId), lte(auditEntries.id, id)))
		.run();
}
