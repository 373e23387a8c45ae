import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Work } from "../../kernel/work";
import { smallerPages, tooMuch } from "../request/budget";

/**
 * Our choice (docs/interface/graphql.md#lists): a list in an object has no pages. The list of the root, with a filter,
 * returns all rows.
 */
export const childRowsMax = 100;

/** The rows of all parents together, which are read at once in about 30 ms. */
const childRowsOfAllMax = 2_000;

type ChildTable = SQLiteTable & Record<"id" | "environmentId", SQLiteColumn>;

/**
 * Reads the newest rows that belong to each of several parents: two queries, however many parents there are. `parent` is the
 * column of the parent's row id, `rows` the area's `…ByIds`. An index on the parent and the id finds the rows, so a parent's
 * other rows cost nothing.
 */
export const childRows =
	<Row extends object>(
		table: ChildTable,
		parent: SQLiteColumn,
		rows: (work: Work, ids: readonly string[]) => ReadonlyMap<string, Row>,
		shown?: SQL,
	) =>
	(work: Work, parentIds: readonly string[]): Map<string, Row[]> => {
		const { id, environmentId } = table;
		const own = and(sql`${parent} = parent.value`, eq(environmentId, work.actor.environmentId), shown);
		const newest = sql`(select ${id} as row_id from ${table} where ${own} order by ${id} desc limit ${childRowsMax})`;
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
