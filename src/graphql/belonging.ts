import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Work } from "../kernel/work";

/** Our choice: a list inside an object does not page; whoever has more asks the root's list with a filter. */
export const belongingMax = 100;

interface Children<Row> {
	readonly id: SQLiteColumn;
	/** The column that holds the parent's row id. */
	readonly parent: SQLiteColumn;
	readonly environment: SQLiteColumn;
	readonly shown?: SQL;
	/** Row id → row: the area's `…ByIds`. */
	readonly rows: (work: Work, ids: readonly string[]) => ReadonlyMap<string, Row>;
}

/** Reads the newest rows that belong to each of several parents: two queries, however many parents there are. */
export const belonging =
	<Row extends object>({ id, parent, environment, shown, rows }: Children<Row>) =>
	(work: Work, parentIds: readonly string[]): Map<string, Row[]> => {
		const of = and(eq(environment, work.actor.environmentId), inArray(parent, [...parentIds]), shown);
		const newest = sql`row_number() over (partition by ${parent} order by ${id} desc)`;
		const pairs = work.tx.values<[string, string]>(
			sql`select parent_id, row_id from (select ${parent} as parent_id, ${id} as row_id, ${newest} as place
				from ${id.table} where ${of}) where place <= ${belongingMax} order by row_id desc`,
		);
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
