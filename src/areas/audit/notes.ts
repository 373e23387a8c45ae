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

type Noted = [
	table: string,
	action: Action,
	entityId: string,
	entityRef: string | null,
	environmentId: string | null,
	accountId: string | null,
	customerId: string | null,
	ownerId: string | null,
	fields: string,
	personal: string | null,
	subjectId: string | null,
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
		return notes.map((note) => noteOf(tables, note));
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
	"fields",
	"personal",
	"subject",
] as const;

function noteOf(tables: ReadonlyMap<string, AuditedTable>, noted: Noted): Note {
	const [
		name,
		action,
		entityId,
		entityRef,
		environmentId,
		accountId,
		customerId,
		ownerId,
		fields,
		personal,
		subjectId,
	] = noted;
	const table = tables.get(name);
	assert(table, "only followed tables have triggers");
	const of = { entityId, entityRef, environmentId, accountId, customerId, ownerId, subjectId };
	return { table, action, ...of, fields, personal };
}

/** The followed tables of a main file, as it stands. */
export function auditedTables(sqlite: SqliteFile): ReadonlyMap<string, AuditedTable> {
	const names = sqlite
		.query<{ name: string }, []>(
			"SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
		)
		.all();
	return new Map(
		names.flatMap(({ name }) => {
			const columns = sqlite.query<FileColumn, []>(`PRAGMA main.table_info('${name}')`).all();
			const table = auditedTable(name, columns);
			return table ? [[name, table] as const] : [];
		}),
	);
}

function triggersOf(table: AuditedTable): string[] {
	const { name, columns } = table;
	const changed = columns.map((column) => `OLD.${quoted(column.name)} IS NOT NEW.${quoted(column.name)}`);
	return [
		trigger(table, "created", "INSERT", "", "NEW"),
		trigger(table, "deleted", "DELETE", "", "OLD"),
		...(columns.length > 0
			? [
					trigger(
						table,
						"updated",
						`UPDATE OF ${columns.map((column) => quoted(column.name)).join(", ")}`,
						`WHEN ${changed.join(" OR ")}`,
						"NEW",
					),
				]
			: []),
	].map((sql) => sql.replaceAll("«table»", name));
}

function trigger(table: AuditedTable, action: Action, event: string, when: string, row: "NEW" | "OLD"): string {
	const of = (column: string | undefined): string => (column === undefined ? "NULL" : `${row}.${quoted(column)}`);
	const { columns, key, ref, owner, subject, hasEnvironment, hasAccount, hasCustomer } = table;
	const personal = columns.filter(({ isPersonal }) => isPersonal);
	const values = [
		`'${table.name}'`,
		`'${action}'`,
		key.map(of).join(" || '/' || "),
		of(ref),
		of(hasEnvironment ? "environment_id" : table.name === "environments" ? "id" : undefined),
		of(hasAccount ? "account_id" : table.name === "accounts" ? "id" : undefined),
		of(hasCustomer ? "customer_id" : undefined),
		of(owner?.column),
		fieldsOf(
			columns.filter(({ isPersonal }) => !isPersonal),
			action,
		),
		personal.length === 0 ? "NULL" : `nullif(${fieldsOf(personal, action)}, '{}')`,
		of(subject),
	];
	return `CREATE TEMP TRIGGER audit_${action}_«table» AFTER ${event} ON main.«table» ${when} BEGIN
		INSERT INTO audit_notes (${noteColumns.join(", ")}) VALUES (${values.join(", ")});
	END`;
}

/** Written as text: to make values of JSON of them, and leave out what is null, takes twice as long. */
const fieldsOf = (columns: readonly AuditedColumn[], action: Action): string =>
	columns.length === 0
		? "'{}'"
		: `'{' || substr(concat(${columns.map((column) => fieldOf(column, action)).join(", ")}), 2) || '}'`;

function fieldOf({ name, isSecret }: AuditedColumn, action: Action): string {
	const [old, now] = [`OLD.${quoted(name)}`, `NEW.${quoted(name)}`];
	const shown = (value: string): string => (isSecret ? `'"${masked}"'` : `json_quote(${value})`);
	const field = `,"${fieldName(name)}":{`;
	const before = `'${field}"before":' || ${shown(old)}`;
	const after = `'${field}"after":' || ${shown(now)}`;
	switch (action) {
		case "created":
			return `iif(${now} IS NULL, '', ${after} || '}')`;
		case "deleted":
			return `iif(${old} IS NULL, '', ${before} || '}')`;
		case "updated":
			return `CASE WHEN ${old} IS ${now} THEN '' WHEN ${now} IS NULL THEN ${before} || '}' WHEN ${old} IS NULL THEN ${after} || '}' ELSE ${before} || ',"after":' || ${shown(now)} || '}' END`;
	}
}

const quoted = (name: string): string => `"${name}"`;
