import { isNotNull, isNull, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Work } from "./work";

/** What every new row of an environment begins with. */
export const newRow = (work: Work) => ({
	id: work.newId(),
	environmentId: work.actor.environmentId,
	createdAt: work.now,
	updatedAt: work.now,
});

/** For rows that are archived by a date: one of two statuses narrows a list; both together, or none, take every row. */
export function archivedAs(column: SQLiteColumn, statuses: readonly string[] | undefined): SQL | undefined {
	const asked = new Set(statuses);
	if (asked.size !== 1) return undefined;
	return asked.has("ARCHIVED") ? isNotNull(column) : isNull(column);
}
