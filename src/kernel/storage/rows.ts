import { and, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { assert } from "../errors";
import type { Transaction, Work } from "../work";

/** Returns the first columns of every new row of an environment. */
export const newRow = (work: Work) => ({
	id: work.newId(),
	environmentId: work.actor.environmentId,
	createdAt: work.now,
	updatedAt: work.now,
});

// Building a statement takes ten times as long as running it. So each statement is built once for each table and set of columns, and
// prepared once for each connection.

/** Writes a new row and returns it: an omitted column is null, or has its default. */
export function insertRow<Table extends SQLiteTable>(
	work: Work,
	table: Table,
	row: Table["$inferInsert"],
): Table["$inferSelect"] {
	insertRows(work, table, [row]);
	const given: Readonly<Record<string, unknown>> = row;
	return Object.fromEntries(
		Object.entries(getTableColumns(table)).map(([name, column]) => [name, given[name] ?? column.default ?? null]),
	);
}

/** Writes new rows. */
export function insertRows<Table extends SQLiteTable>(
	work: Work,
	table: Table,
	rows: ReadonlyArray<Table["$inferInsert"]>,
): void {
	let names: readonly string[] = [];
	let statement: ReturnType<typeof inserting> | undefined;
	for (const row of rows) {
		const values = storedValues(table, row);
		const given = Object.keys(values);
		// Usually all rows have the same columns.
		if (!statement || given.length !== names.length || given.some((name, at) => name !== names[at]))
			statement = inserting(work, table, given);
		names = given;
		statement.run(values);
	}
}

/** Writes a row, or updates the row of the same primary key. */
export function saveRow<Table extends SQLiteTable>(work: Work, table: Table, row: Table["$inferInsert"]): void {
	const values = storedValues(table, row);
	saving(work, table, Object.keys(values)).run(values);
}

/** A table whose rows have an id of their own; most belong to an environment. */
type TableWithIds = SQLiteTable & { readonly id: SQLiteColumn; readonly environmentId?: SQLiteColumn };

/**
 * Changes the given columns of a row of the work's environment, and returns the row. Undefined values change nothing.
 */
export function changeRow<Table extends TableWithIds>(
	work: Work,
	table: Table,
	id: string,
	changes: Partial<Table["$inferSelect"]>,
): Table["$inferSelect"] {
	const values = storedValues(table, changes);
	const changed = changing(work, table, Object.keys(values)).get({ ...values, ...changedRow(work, id) });
	assert(changed, "a row that is changed is there");
	return changed;
}

/** As `changeRow`, of a table whose rows count their changes. */
export function reviseRow<Table extends TableWithIds & { readonly revision: SQLiteColumn }>(
	work: Work,
	table: Table,
	id: string,
	changes: Partial<Table["$inferSelect"]>,
): Table["$inferSelect"] {
	const values = storedValues(table, changes);
	const changed = revising(work, table, Object.keys(values)).get({ ...values, ...changedRow(work, id) });
	assert(changed, "a row that is changed is there");
	return changed;
}

/** Changes a row that the caller has read. */
export function writeColumns<Table extends TableWithIds>(
	work: Work,
	table: Table,
	id: string,
	changes: Partial<Table["$inferSelect"]>,
): void {
	const values = storedValues(table, changes);
	writing(work, table, Object.keys(values)).run({ ...values, ...changedRow(work, id) });
}

const changedRow = ({ actor }: Work, id: string) => ({ changedIn: actor.environmentId, changedId: id });

// No table has columns with these names.
const isChanged = ({ environmentId, id }: TableWithIds) =>
	and(environmentId && eq(environmentId, sql.placeholder("changedIn")), eq(id, sql.placeholder("changedId")));

const changing = bySet((tx, table: TableWithIds, names) =>
	tx.update(table).set(placeholders(names)).where(isChanged(table)).returning().prepare(),
);

const revising = bySet((tx, table: TableWithIds & { readonly revision: SQLiteColumn }, names) => {
	const revision = sql`${table.revision} + 1`;
	return tx
		.update(table)
		.set({ ...placeholders(names), revision })
		.where(isChanged(table))
		.returning()
		.prepare();
});

const writing = bySet((tx, table: TableWithIds, names) =>
	tx.update(table).set(placeholders(names)).where(isChanged(table)).prepare(),
);

const inserting = bySet((tx, table: SQLiteTable, names) => tx.insert(table).values(placeholders(names)).prepare());

const saving = bySet((tx, table: SQLiteTable, names) => {
	const columns = getTableColumns(table);
	const set = names.map((name) => [name, sql.raw(`excluded."${columns[name]?.name}"`)]);
	return tx
		.insert(table)
		.values(placeholders(names))
		.onConflictDoUpdate({ target: primaryKeyOf(table), set: Object.fromEntries(set) })
		.prepare();
});

function primaryKeyOf(table: SQLiteTable): SQLiteColumn[] {
	const { columns, primaryKeys } = getTableConfig(table);
	return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

const placeholders = (names: readonly string[]): Record<string, SQL> =>
	Object.fromEntries(names.map((name) => [name, sql`${sql.placeholder(name)}`]));

/** Returns the values by column in the form of the file, for the statement. */
function storedValues(table: SQLiteTable, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const stored: Record<string, unknown> = {};
	for (const [name, column] of columnsOf(table)) {
		const value = values[name];
		if (value !== undefined) stored[name] = value === null ? null : column.mapToDriverValue(value);
	}
	return stored;
}

function columnsOf(table: SQLiteTable): ReadonlyArray<readonly [name: string, column: SQLiteColumn]> {
	const known = knownColumns.get(table);
	if (known) return known;
	const columns = Object.entries(getTableColumns(table));
	knownColumns.set(table, columns);
	return columns;
}

const knownColumns = new WeakMap<SQLiteTable, ReadonlyArray<readonly [name: string, column: SQLiteColumn]>>();

/** The number of cached statements. Callers change more sets of columns than are worth caching. */
const setsMax = 100;

/** Statements by table and written columns. */
function bySet<Table extends SQLiteTable, Statement>(
	build: (tx: Transaction, table: Table, names: readonly string[]) => Statement,
) {
	const tables = new WeakMap<Table, Map<string, (tx: Transaction) => Statement>>();
	return (work: Work, table: Table, names: readonly string[]): Statement => {
		const sets = tables.get(table) ?? new Map<string, (tx: Transaction) => Statement>();
		tables.set(table, sets);
		const set = names.join();
		const known = sets.get(set);
		if (known) return work.prepared(known);
		const prepare = (tx: Transaction): Statement => build(tx, table, names);
		if (sets.size >= setsMax) return prepare(work.tx);
		sets.set(set, prepare);
		return work.prepared(prepare);
	};
}

/**
 * The condition for rows of one environment whose column has one of some ids, for a prepared statement (`work.prepared`). The ids are one
 * parameter, so one statement serves any number of them. Run it with `idsIn`.
 */
export const amongIds = (environmentId: SQLiteColumn, column: SQLiteColumn): SQL =>
	sql`${environmentId} = ${sql.placeholder("environmentId")} and ${column} in (select value from json_each(${sql.placeholder("ids")}))`;

export const idsIn = ({ actor }: Work, ids: readonly string[]) => ({
	environmentId: actor.environmentId,
	ids: JSON.stringify(ids),
});

/** Returns all ids as one parameter, because SQLite limits the number of parameters. */
export const isOneOf = (column: SQLiteColumn, ids: readonly string[]): SQL =>
	sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`;

/** The condition for rows with an archive date: one of the two statuses filters a list; both, or none, include every row. */
export function archivedAs(column: SQLiteColumn, statuses: readonly string[] | undefined): SQL | undefined {
	const asked = new Set(statuses);
	if (asked.size !== 1) return undefined;
	return asked.has("ARCHIVED") ? isNotNull(column) : isNull(column);
}
