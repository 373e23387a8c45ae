import { isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Work } from "./work";

/** What every new row of an environment begins with. */
export const newRow = (work: Work) => ({
	id: work.newId(),
	environmentId: work.actor.environmentId,
	createdAt: work.now,
	updatedAt: work.now,
});

/**
 * Rows of one environment whose column holds one of some ids, for a prepared statement (`work.prepared`): the ids are one
 * parameter, so that one statement serves any number of them. Run it with `idsIn`.
 */
export const amongIds = (environmentId: SQLiteColumn, column: SQLiteColumn): SQL =>
	sql`${environmentId} = ${sql.placeholder("environmentId")} and ${column} in (select value from json_each(${sql.placeholder("ids")}))`;

export const idsIn = ({ actor }: Work, ids: readonly string[]) => ({
	environmentId: actor.environmentId,
	ids: JSON.stringify(ids),
});

/** For rows that are archived by a date: one of two statuses narrows a list; both together, or none, take every row. */
export function archivedAs(column: SQLiteColumn, statuses: readonly string[] | undefined): SQL | undefined {
	const asked = new Set(statuses);
	if (asked.size !== 1) return undefined;
	return asked.has("ARCHIVED") ? isNotNull(column) : isNull(column);
}
