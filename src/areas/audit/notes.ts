import type { Database as SqliteFile } from "bun:sqlite";
import { assert } from "../../kernel/errors";
import { type Action, masked } from "./rules.entry";
import { type AuditedColumn, type AuditedTable, auditedTable, type FileColumn, fieldName } from "./rules.tables";

/** One row that was changed, as the triggers of a writing connection have noted it. */
export interface Note {
	readonly table: AuditedTable;
	readonly action: Action;
	readonly entityId: string;
	readonly entityRef: string | null;
	/** Null where the table has none. */
	readonly environmentId: string | null;
	readonly accountId: string | null;
	readonly customerId: string | null;
	readonly ownerId: string | null;
	/** By field `{ before, after }`, what is null left out: a JSON object. */
	readonly fields: string;
	/** The same of personal data; null where nothing of it has changed. */
	readonly personal: string | null;
	readonly subjectId: string | null;
}

/** As a trigger writes it: the followed columns of the row before and after, each a JSON array in the table's order. */
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

/** Takes what was noted since it was asked last, within the open transaction. */
export type TakeNotes = () => Note[];

/**
 * Has every change of a followed table noted that this connection makes, by whichever statement: by triggers that only it has, into a
 * table that only it sees. Both take part in its transactions and savepoints, so what is undone or rehearsed leaves no note.
 */
export function noteChanges(sqlite: SqliteFile): TakeNotes {
	const known = noting.get(sqlite);
	if (known) return known;
	const take = startNoting(sqlite);
	noting.set(sqlite, take);
	return take;
}

/** A connection has its triggers once, however many write by it. */
const noting = new WeakMap<SqliteFile, TakeNotes>();

function startNoting(sqlite: SqliteFile): TakeNotes {
	const tables = auditedTables(sqlite);
	sqlite.run("PRAGMA temp_store = MEMORY");
	sqlite.run(`CREATE TEMP TABLE audit_notes (position INTEGER PRIMARY KEY, ${noteColumns.join(", ")})`);
	for (const table of tables.values()) for (const trigger of triggersOf(table)) sqlite.run(trigger);
	const read = sqlite.prepare<Noted, []>(`SELECT ${noteColumns.join(", ")} FROM temp.audit_notes ORDER BY position`);
	const clear = sqlite.prepare("DELETE FROM temp.audit_notes");
	return () => {
		const notes = read.values() as Noted[];
		if (notes.length === 0) return [];
		clear.run();
		return notes.flatMap((note) => noteOf(tables, note) ?? []);
	};
}

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

/** Undefined for a row that was written as it was. */
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

/** The members of two JSON objects by field, personal data apart: written as text, as the entry keeps it. */
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

/** The followed tables of a main file, as it stands. */
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

/** It says no more than it must: SQLite compiles it into each statement that writes the table. */
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
