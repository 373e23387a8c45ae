import type { Database } from "bun:sqlite";

export type Value = string | number | null;

/** Inserts a row with what is given, and something for each other column that must have a value. */
export function insertInto(db: Database, table: string, given: Record<string, Value | Uint8Array>): void {
	const required = db
		.query<{ name: string; type: string }, [string]>(
			'SELECT name, type FROM pragma_table_info(?) WHERE "notnull" AND dflt_value IS NULL',
		)
		.all(table)
		.map(({ name, type }): [string, Value | Uint8Array] => [name, type === "INTEGER" ? 1 : `${name}-x`]);
	const row = { ...Object.fromEntries(required), ...given };
	const names = Object.keys(row);
	db.prepare(
		`INSERT INTO ${table} (${names.map((name) => `"${name}"`).join()}) VALUES (${names.map(() => "?").join()})`,
	).run(...Object.values(row));
}
