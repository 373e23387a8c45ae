import { type Instant, instantOf } from "../../kernel/clock";
import { firstWithin } from "../../kernel/json-size";
import { cutPage, type Page, pageBytesMax, pageRequestOf, unknownCursor } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { assertPerson } from "../access/rules";
import type { ChangeText } from "./rules.entry";
import type { AuditLogFilter, AuditLogQuery } from "./schema";
import { dropPersonal, entriesAbout, entriesByIds, findEntry, personalOf } from "./store";
import { type EntryFilter, findEntries, latestEntryOf } from "./store.search";
import { type AuditEntryRow, type AuditPersonalRow, accountLevel } from "./table";

/** An entry with its personal data, unless it was erased. */
export interface Entry {
	readonly id: string;
	readonly row: AuditEntryRow;
	readonly personal: readonly AuditPersonalRow[];
}

/**
 * Lists the log of the caller's environment, or of its account with `level=account`, newest first. With several filters, a page may
 * have fewer entries than its limit and still have a next page. Throws IdentityForbidden for a key that requests its account's log.
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

/** Returns a part of the log, oldest first, after an entry (undefined for the first part). `next` is missing at the end. */
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
	assertPerson(work.actor, "read entries outside their environment");
	if (work.actor.kind === "SYSTEM") return { ...filter, ...entityIn(accountLevel), environmentId: accountLevel };
	return { ...filter, ...entityIn(accountLevel), environmentId: accountLevel, accountId };
}

/** Returns the row id of the entity that had this id last. Entries about its parts refer to it by the row id. */
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

/** Entries that one batch reads. */
const piece = 500;

/**
 * Deletes one batch of the personal data in the log about a customer or one of its objects (by row id). Entries stay,
 * and their chain remains valid, because it covers hashes of the deleted data. Returns the number of changes, and the
 * entry to continue after; undefined at the end.
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
