import type { Database } from "bun:sqlite";

interface Column {
	readonly name: string;
	readonly type: string;
	readonly pk: number;
}

/**
 * Makes a crowd of the few rows that a table holds: copies them until there are `rowsMin`. What tells rows apart, and what
 * names rows of another table that is copied too, gets the number of the copy at its end; so the copies of a customer have
 * copies of its subscriptions, and what they bought stays the same. A table that is empty stays so: to the planner, one of
 * which nothing is known is large.
 */
export function crowd(db: Database, sizes: ReadonlyMap<string, number>): void {
	db.run("PRAGMA foreign_keys = OFF");
	db.run("PRAGMA synchronous = OFF");
	db.run("BEGIN");
	for (const [table, rowsMin] of sizes) copyRows(db, table, rowsMin, sizes);
	db.run("COMMIT");
}

function copyRows(db: Database, table: string, rowsMin: number, sizes: ReadonlyMap<string, number>): void {
	const count = db.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()?.count ?? 0;
	if (count === 0) return;
	const columns = db.query<Column, []>(`PRAGMA table_info("${table}")`).all();
	const numbered = numberedColumns(db, table, columns, sizes);
	const values = columns.map(({ name, type }) => {
		if (!numbered.has(name)) return `"${name}"`;
		return type === "INTEGER" ? `"${name}" + copy.n * 1000` : `"${name}" || '-' || copy.n`;
	});
	const copies = Math.ceil(rowsMin / count);
	db.run(
		`WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${copies})
		INSERT OR IGNORE INTO "${table}" SELECT ${values.join(", ")} FROM (SELECT * FROM "${table}") CROSS JOIN copy`,
	);
}

/** The keys, the last column of every other unique index, and what refers to a table that is copied. */
function numberedColumns(
	db: Database,
	table: string,
	columns: readonly Column[],
	sizes: ReadonlyMap<string, number>,
): Set<string> {
	const references = db.query<{ from: string; table: string }, []>(`PRAGMA foreign_key_list("${table}")`).all();
	const copied = references.filter((one) => sizes.has(one.table)).map(({ from }) => from);
	const kept = new Set([...references.map(({ from }) => from), "environment_id"]);
	const keys = columns.filter(({ pk, name }) => pk > 0 && !kept.has(name)).map(({ name }) => name);
	const indexes = db.query<{ name: string; unique: number }, []>(`PRAGMA index_list("${table}")`).all();
	const unique = indexes
		.filter((index) => index.unique === 1)
		.map(({ name }) =>
			db
				.query<{ name: string }, []>(`PRAGMA index_info("${name}")`)
				.all()
				.map((one) => one.name),
		)
		.filter((names) => !names.some((name) => copied.includes(name) || keys.includes(name)))
		.flatMap((names) => names.filter((name) => !kept.has(name)).slice(-1));
	return new Set([...copied, ...keys, ...unique]);
}
