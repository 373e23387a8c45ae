import { type Instant, instantOf } from "../../kernel/clock";
import { firstWithin } from "../../kernel/json-size";
import { cutPage, type Page, pageBytesMax, pageRequestOf, unknownCursor } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { assertPerson } from "../access/rules";
import type { ChangeText } from "./rules.entry";
import type { AuditLogFilter, AuditLogQuery } from "./schema";
import {
	dropPersonal,
	type EntryFilter,
	entriesAbout,
	entriesByIds,
	findEntries,
	findEntry,
	latestEntryOf,
	personalOf,
} from "./store";
import { type AuditEntryRow, type AuditPersonalRow, accountLevel } from "./table";

/** An entry with the personal data that it holds apart, as far as it is there. */
export interface Entry {
	readonly id: string;
	readonly row: AuditEntryRow;
	readonly personal: readonly AuditPersonalRow[];
}

/**
 * The log of the caller's environment, newest first; that of its account for `level=account`, which belongs to no environment.
 * Where several things are asked for at once, a page may hold fewer entries than its limit and still have a next one.
 * IdentityForbidden for a key that asks for its account's.
 */
export function listEntries(work: Work, query: AuditLogQuery): Page<Entry> {
	const filter = filterOf(work, query);
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	if (cursor !== undefined && !findEntry(work, filter.environmentId, cursor)) throw unknownCursor(cursor);
	const { rows, endedAt } = findEntries(work, filter, { beyond: cursor, isForward: isBackward, rowsMax });
	const page = cutPage(query, withPersonal(work, rows));
	if (endedAt === undefined || page.rows.length < rows.length) return page;
	return isBackward ? { ...page, prev: endedAt } : { ...page, next: endedAt };
}

/** A part of the log from its beginning on: after an entry, undefined for the first part. No `next` where it ends. */
export function exportEntries(work: Work, query: AuditLogFilter, afterId: string | undefined, rowsMax: number) {
	const range = { beyond: afterId, isForward: true, rowsMax };
	const { rows, endedAt } = findEntries(work, filterOf(work, query), range);
	const entries = firstWithin(withPersonal(work, rows), pageBytesMax);
	const goesOn = rows.length === rowsMax || entries.length < rows.length;
	return { entries, next: goesOn ? entries.at(-1)?.id : endedAt };
}

export const auditEntriesByIds = (work: Work, ids: readonly string[]): ReadonlyMap<string, Entry> =>
	new Map(withPersonal(work, entriesByIds(work, ids)).map((entry) => [entry.id, entry]));

function filterOf(work: Work, query: AuditLogFilter): EntryFilter {
	const { actorId, operation, entityType, entityId, level } = query;
	const { accountId, environmentId } = work.actor;
	const bound = (name: "gt" | "gte" | "lt" | "lte", more: number): Instant | undefined => {
		const text = query[`createdAt[${name}]`];
		return text === undefined ? undefined : ((instantOf(text) + more) as Instant);
	};
	const filter = {
		...{ actorId, operation, entityType },
		from: latest(bound("gte", 0), bound("gt", 1)),
		until: earliest(bound("lt", 0), bound("lte", 1)),
	};
	const entityIn = (chain: string) => ({
		entityId: entityId && (rowIdOf(work, chain, entityId, entityType) ?? entityId),
	});
	if (level !== "account") return { ...filter, ...entityIn(environmentId), environmentId };
	assertPerson(work.actor, "read what happened outside their environment");
	if (work.actor.kind === "SYSTEM") return { ...filter, ...entityIn(accountLevel), environmentId: accountLevel };
	return { ...filter, ...entityIn(accountLevel), environmentId: accountLevel, accountId };
}

/** Of the thing that had this id in the interface last: what belongs to it names it by its row id. */
function rowIdOf(work: Work, environmentId: string, ref: string, entityType: string | undefined): string | undefined {
	const entry = latestEntryOf(work, environmentId, ref, entityType);
	const changes: readonly ChangeText[] = entry ? JSON.parse(entry.changes) : [];
	return changes.find(
		(change) => change.entityRef === ref && (entityType === undefined || change.entityType === entityType),
	)?.entityId;
}

const latest = (one: Instant | undefined, other: Instant | undefined): Instant | undefined =>
	one !== undefined && other !== undefined ? (Math.max(one, other) as Instant) : (one ?? other);
const earliest = (one: Instant | undefined, other: Instant | undefined): Instant | undefined =>
	one !== undefined && other !== undefined ? (Math.min(one, other) as Instant) : (one ?? other);

function withPersonal(work: Work, rows: readonly AuditEntryRow[]): Entry[] {
	const personal = personalOf(
		work,
		rows.map(({ id }) => id),
	);
	return rows.map((row) => ({ id: row.id, row, personal: personal.get(row.id) ?? [] }));
}

/** Our choice: entries that are looked at in one go. */
const piece = 500;

/**
 * Drops a piece of the personal data that the log of the work's environment holds of a customer, or of what belongs to it (by
 * row id), for good. Entries stay, and their chain holds: it covers hashes of what is dropped. Answers of how many changes,
 * and after which entry it goes on; undefined at the end.
 */
export function erasePersonal(
	work: Work,
	subjectId: string,
	after = "",
): { readonly erased: number; readonly next: string | undefined } {
	const ids = entriesAbout(work, work.actor.environmentId, subjectId, after, piece);
	const erased = ids.length === 0 ? 0 : dropPersonal(work, ids, subjectId);
	return { erased, next: ids.length === piece ? ids.at(-1) : undefined };
}
