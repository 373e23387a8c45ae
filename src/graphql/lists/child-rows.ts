import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Work } from "../../kernel/work";
import { smallerPages, tooMuch } from "../request/budget";

/** Our choice: a list inside an object does not page; whoever has more asks the root's list with a filter. */
export const childRowsMax = 100;

/** Our choice: what the lists of all parents hold together is read at once, within some 30 ms. */
const childRowsOfAllMax = 2_000;

interface Children<Row> {
	readonly id: SQLiteColumn;
	/** The column that holds the parent's row id. */
	readonly parent: SQLiteColumn;
	readonly environment: SQLiteColumn;
	readonly shown?: SQL;
	/** Row id → row: the area's `…ByIds`. */
	readonly rows: (work: Work, ids: readonly string[]) => ReadonlyMap<string, Row>;
}

/**
 * Reads the newest rows that belong to each of several parents: two queries, however many parents there are. An index on the
 * parent and the id finds them, so that of what a parent has no more is looked at than is shown.
 */
export const childRows =
	<Row extends object>({ id, parent, environment, shown, rows }: Children<Row>) =>
	(work: Work, parentIds: readonly string[]): Map<string, Row[]> => {
		const own = and(sql`${parent} = parent.value`, eq(environment, work.actor.environmentId), shown);
		const newest = sql`(select ${id} as row_id from ${id.table} where ${own} order by ${id} desc limit ${childRowsMax})`;
		const pairs = work.tx.values<[string, string]>(
			sql`select parent.value, child.value from json_each(${JSON.stringify(parentIds)}) as parent,
				json_each((select json_group_array(row_id) from ${newest})) as child limit ${childRowsOfAllMax + 1}`,
		);
		if (pairs.length > childRowsOfAllMax) throw tooMuch(smallerPages);
		const found = rows(
			work,
			pairs.map(([, rowId]) => rowId),
		);
		const children = new Map<string, Row[]>();
		for (const [parentId, rowId] of pairs) {
			const row = found.get(rowId);
			if (row) children.set(parentId, [...(children.get(parentId) ?? []), row]);
		}
		return children;
	};
