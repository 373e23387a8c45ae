import { type AnyColumn, and, asc, desc, eq, gt, gte, lt, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { type AuditEntryRow, auditChains, auditEntries, auditSubjects } from "./table";

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
	const { driver, others } = driven(work, filter);
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
export const bySubject = (work: Work, environmentId: string, key: string, entityType: string | undefined): Driver => ({
	table: sql`${auditSubjects}`,
	serial: auditSubjects.entry,
	order: auditSubjects.entry,
	where: and(
		eq(auditSubjects.chain, chainOf(work, environmentId)),
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

/** Returns the number of an environment's chain; 0 before its first entry. */
export const chainOf = ({ tx }: Work, environmentId: string): number =>
	tx.select({ number: auditChains.number }).from(auditChains).where(eq(auditChains.environmentId, environmentId)).get()
		?.number ?? 0;

/** Returns the index to use, the most selective first, and the filters that remain. */
function driven(work: Work, filter: EntryFilter) {
	const { environmentId, actorId, operation, entityType, entityId, accountId } = filter;
	const ofActor = actorId === undefined ? undefined : eq(auditEntries.actorId, actorId);
	const ofOperation = operation === undefined ? undefined : eq(auditEntries.operation, operation);
	const given = (...conditions: ReadonlyArray<SQL | undefined>) =>
		conditions.filter((condition) => condition !== undefined);
	// The search also reads entries of other accounts.
	const account = accountId === undefined ? undefined : sql`true`;
	if (entityId !== undefined)
		return {
			driver: bySubject(work, environmentId, entityId, entityType),
			others: given(ofActor, ofOperation, account),
		};
	const ofType =
		entityType === undefined
			? undefined
			: sql`exists (select 1 from ${auditSubjects} where ${and(bySubject(work, environmentId, entityType, entityType).where, eq(auditSubjects.entry, auditEntries.serial))})`;
	if (ofActor) return { driver: byEntries(environmentId, ofActor), others: given(ofOperation, ofType, account) };
	if (ofOperation) return { driver: byEntries(environmentId, ofOperation), others: given(ofType, account) };
	if (entityType !== undefined)
		return { driver: bySubject(work, environmentId, entityType, entityType), others: given(account) };
	return { driver: byEntries(environmentId, undefined), others: given(account) };
}

/** Returns the smallest UUIDv7 of an instant; a UUIDv7 begins with its milliseconds. */
function firstIdAt(at: Instant): string {
	const hex = Math.max(0, at).toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

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
