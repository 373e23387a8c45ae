import { and, asc, desc, eq, gt, gte, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { packedIn, unpackedIn } from "../../kernel/storage/packed-id";
import type { Work } from "../../kernel/work";
import type { Removable } from "./rules.anchor";
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
	const { ids, others } = driven(filter);
	const within = [
		beyond === undefined ? undefined : (isForward ? gt : lt)(ids.id, beyond),
		filter.from === undefined ? undefined : gte(ids.id, firstIdAt(filter.from)),
		filter.until === undefined ? undefined : lt(ids.id, firstIdAt(filter.until)),
	];
	const order = (isForward ? asc : desc)(ids.id);
	const limit = others.length === 0 ? rowsMax : lookedAtMax;
	const looked = sql`select ${ids.text} as id from ${ids.table} where ${and(ids.where, ...within)} order by ${order} limit ${limit}`;
	const rows = work.tx
		.select()
		.from(auditEntries)
		.where(
			and(
				eq(auditEntries.environmentId, filter.environmentId),
				sql`${auditEntries.id} in (${looked})`,
				filter.accountId === undefined ? undefined : eq(auditEntries.accountId, filter.accountId),
				...others,
			),
		)
		.orderBy((isForward ? asc : desc)(auditEntries.id))
		.limit(rowsMax)
		.all();
	if (others.length === 0 || rows.length === rowsMax) return { rows, endedAt: undefined };
	const last = work.tx.values<[string]>(sql`select id from (${looked}) limit 1 offset ${limit - 1}`)[0];
	return { rows, endedAt: last?.[0] };
}

/** Returns the index to use, the most selective first, and the filters that remain. */
function driven({ environmentId, actorId, operation, entityType, entityId, accountId }: EntryFilter) {
	const subjects = (key: string) => ({
		id: auditSubjects.entryId,
		text: unpackedIn(auditSubjects.entryId),
		table: sql`${auditSubjects}`,
		where: and(
			eq(auditSubjects.environmentId, environmentId),
			eq(auditSubjects.key, key),
			entityType === undefined ? undefined : eq(auditSubjects.entityType, entityType),
		),
	});
	const ofActor = actorId === undefined ? undefined : eq(auditEntries.actorId, actorId);
	const ofOperation = operation === undefined ? undefined : eq(auditEntries.operation, operation);
	const entries = (where: SQL | undefined) => ({
		...{ id: auditEntries.id, text: sql`${auditEntries.id}`, table: sql`${auditEntries}` },
		where: and(eq(auditEntries.environmentId, environmentId), where),
	});
	const given = (...conditions: ReadonlyArray<SQL | undefined>) =>
		conditions.filter((condition) => condition !== undefined);
	// The search also reads entries of other accounts.
	const account = accountId === undefined ? undefined : sql`true`;
	if (entityId !== undefined) return { ids: subjects(entityId), others: given(ofActor, ofOperation, account) };
	const ofType =
		entityType === undefined
			? undefined
			: sql`exists (select 1 from ${auditSubjects} where ${and(subjects(entityType).where, eq(auditSubjects.entryId, packedIn(auditEntries.id)))})`;
	if (ofActor) return { ids: entries(ofActor), others: given(ofOperation, ofType, account) };
	if (ofOperation) return { ids: entries(ofOperation), others: given(ofType, account) };
	if (entityType !== undefined) return { ids: subjects(entityType), others: given(account) };
	return { ids: entries(undefined), others: given(account) };
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
		.selectDistinct({ id: auditSubjects.entryId })
		.from(auditSubjects)
		.where(
			and(
				eq(auditSubjects.environmentId, environmentId),
				eq(auditSubjects.key, subjectId),
				gt(auditSubjects.entryId, afterId),
			),
		)
		.orderBy(asc(auditSubjects.entryId))
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
		for (const [key, entityType] of JSON.parse(entry.subjects) as ReadonlyArray<[string, string]>)
			work.tx
				.delete(auditSubjects)
				.where(
					and(
						eq(auditSubjects.environmentId, environmentId),
						eq(auditSubjects.key, key),
						eq(auditSubjects.entryId, entry.id),
						eq(auditSubjects.entityType, entityType),
					),
				)
				.run();
	const ids = entries.map((entry) => entry.id);
	work.tx.delete(auditPersonal).where(inArray(auditPersonal.entryId, ids)).run();
	work.tx
		.delete(auditEntries)
		.where(and(eq(auditEntries.environmentId, environmentId), lte(auditEntries.id, id)))
		.run();
}
