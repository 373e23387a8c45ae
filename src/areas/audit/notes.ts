import type { Database as SqliteFile } from "bun:sqlite";
import { assert } from "../../kernel/errors";
import { type Action, masked } from "./rules.entry";
import { fieldName } from "./rules.names";
import { type AuditedColumn, type AuditedTable, auditedTable, type FileColumn } from "./rules.tables";

/** A changed row, as the triggers of the writing connection recorded it. */
export interface Note {
	readonly table: AuditedTable;
	readonly action: Action;
	readonly entityId: string;
	readonly entityRef: string | null;
	/** Null if the table has no environment. */
	readonly environmentId: string | null;
	readonly accountId: string | null;
	readonly customerId: string | null;
	readonly ownerId: string | null;
	/** A JSON object of `{ before, after }` by field, without nulls. */
	readonly fields: string;
	/** The same for personal data; null if none changed. */
	readonly personal: string | null;
	readonly subjectId: string | null;
}

/** The row as a trigger writes it: the followed columns before and after, each as a JSON array in the table's order. */
type Noted = [
	table: string,
	action: Action,
	entityId: string,
	entityRef: string | null,
	environmentId: string | null,
	accountId: string | null,
	customerId: string | null,
	ownerId: string | null,
	subjectId: string | null,
	before: string | null,
	after: string | null,
];

/** Returns and clears the notes of the open transaction. */
export type TakeNotes = () => Note[];

/**
 * Records every change that this connection makes to a followed table, by any statement. Triggers that exist only on
 * this connection write to a temporary table. Both take part in transactions and savepoints, so rolled back and
 * previewed changes leave no note.
 */
export function noteChanges(sqlite: SqliteFile): TakeNotes {
	const known = noting.get(sqlite);
	if (known) return known;
	const take = startNoting(sqlite);
	noting.set(sqlite, take);
	return take;
}

/** A connection has its triggers once, even if several components write through it. */
const noting = new WeakMap<SqliteFile, TakeNotes>();

function startNoting(sqlite: SqliteFile): TakeNotes {
	const { tables, triggers } = followed(sqlite);
	sqlite.run("PRAGMA temp_store = MEMORY");
	sqlite.run(`CREATE TEMP TABLE audit_notes (position INTEGER PRIMARY KEY, ${noteColumns.join(", ")})`);
	// One transaction for all triggers: each of its own takes half as long again.
	sqlite.run(["BEGIN", ...triggers, "COMMIT"].join(";"));
	const read = sqlite.prepare<Noted, []>(`SELECT ${noteColumns.join(", ")} FROM temp.audit_notes ORDER BY position`);
	const clear = sqlite.prepare("DELETE FROM temp.audit_notes");
	return () => {
		const notes = read.values() as Noted[];
		if (notes.length === 0) return [];
		clear.run();
		return notes.flatMap((note) => noteOf(tables, note) ?? []);
	};
}

interface Followed {
	readonly tables: ReadonlyMap<string, AuditedTable>;
	readonly triggers: readonly string[];
}

/** The followed tables of the last schema: all connections of a process have the same, and its description takes milliseconds. */
let last: ({ readonly schema: string } & Followed) | undefined;

function followed(sqlite: SqliteFile): Followed {
	const schema = schemaOf(sqlite);
	if (last?.schema !== schema) {
		const tables = auditedTables(sqlite);
		last = { schema, tables, triggers: [...tables.values()].flatMap(triggersOf) };
	}
	return last;
}

/** Returns the statements that created the tables of main.db, as one text. */
const schemaOf = (sqlite: SqliteFile): string =>
	sqlite
		.query<{ text: string }, []>(
			"SELECT group_concat(sql, ';') AS text FROM (SELECT sql FROM main.sqlite_schema WHERE type = 'table' ORDER BY name)",
		)
		.get()?.text ?? "";

const noteColumns = [
	"tbl",
	"action",
	"entity",
	"ref",
	"environment",
	"account",
	"customer",
	"owner",
	"subject",
	"before",
	"after",
] as const;

/** Returns undefined if the row did not change. */
function noteOf(tables: ReadonlyMap<string, AuditedTable>, noted: Noted): Note | undefined {
	const [name, action, entityId, entityRef, environmentId, accountId, customerId, ownerId, subjectId, before, after] =
		noted;
	const table = tables.get(name);
	assert(table, "only followed tables have triggers");
	const changed = changedFields(table.columns, cells(before), cells(after));
	if (action === "updated" && changed.open === "" && changed.personal === "") return undefined;
	return {
		table,
		action,
		...{ entityId, entityRef, environmentId, accountId, customerId, ownerId, subjectId },
		fields: `{${changed.open}}`,
		personal: changed.personal === "" ? null : `{${changed.personal}}`,
	};
}

const cells = (row: string | null): readonly unknown[] => (row === null ? [] : JSON.parse(row));

/** Returns the changed fields as two JSON objects, as text: one without and one with personal data. */
function changedFields(columns: readonly AuditedColumn[], before: readonly unknown[], after: readonly unknown[]) {
	let open = "";
	let personal = "";
	columns.forEach(({ name, isSecret, isPersonal }, position) => {
		const old = before[position] ?? null;
		const now = after[position] ?? null;
		if (old === now) return;
		const shown = (value: unknown): string => (isSecret ? `"${masked}"` : JSON.stringify(value));
		const sides = [
			...(old === null ? [] : [`"before":${shown(old)}`]),
			...(now === null ? [] : [`"after":${shown(now)}`]),
		];
		const field = `"${fieldName(name)}":{${sides.join()}}`;
		if (isPersonal) personal += personal === "" ? field : `,${field}`;
		else open += open === "" ? field : `,${field}`;
	});
	return { open, personal };
}

/** Returns the followed tables of a main.db. */
export function auditedTables(sqlite: SqliteFile): ReadonlyMap<string, AuditedTable> {
	const columns = sqlite
		.query<FileColumn & { table: string }, []>(
			`SELECT tables.name AS "table", columns.name, columns.type, columns.pk
			FROM main.sqlite_schema AS tables, pragma_table_info(tables.name, 'main') AS columns
			WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
		)
		.all();
	const tables = [...Map.groupBy(columns, ({ table }) => table)];
	return new Map(
		tables.flatMap(([name, its]) => {
			const table = auditedTable(name, its);
			return table ? [[name, table] as const] : [];
		}),
	);
}

function triggersOf(table: AuditedTable): string[] {
	const columns = table.columns.map(({ name }) => quoted(name)).join(", ");
	return [
		trigger(table, "created", "INSERT"),
		trigger(table, "deleted", "DELETE"),
		...(columns === "" ? [] : [trigger(table, "updated", `UPDATE OF ${columns}`)]),
	];
}

/** The trigger is as short as possible, because SQLite compiles it into each statement that writes the table. */
function trigger(table: AuditedTable, action: Action, event: string): string {
	const row = action === "deleted" ? "OLD" : "NEW";
	const of = (column: string | undefined): string => (column === undefined ? "NULL" : `${row}.${quoted(column)}`);
	const { name, columns, key, ref, owner, subject, hasEnvironment, hasAccount, hasCustomer } = table;
	const all = (side: "OLD" | "NEW"): string =>
		`json_array(${columns.map((column) => `${side}.${quoted(column.name)}`).join(", ")})`;
	const values = [
		`'${name}'`,
		`'${action}'`,
		key.map(of).join(" || '/' || "),
		of(ref),
		of(hasEnvironment ? "environment_id" : name === "environments" ? "id" : undefined),
		of(hasAccount ? "account_id" : name === "accounts" ? "id" : undefined),
		of(hasCustomer ? "customer_id" : undefined),
		of(owner?.column),
		of(subject),
		action === "created" ? "NULL" : all("OLD"),
		action === "deleted" ? "NULL" : all("NEW"),
	];
	return `CREATE TEMP TRIGGER audit_${action}_${name} AFTER ${event} ON main.${name} BEGIN
		INSERT INTO audit_notes (${noteColumns.join(", ")}) VALUES (${values.join(", ")});
	END`;
}

const quoted = (name: string): string => `"${name}"`;
