import { and, eq, getTableColumns, is, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { getTableConfig, SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../areas/access/rules.actors";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";

/** What a field is compared as; an enum by the name of its GraphQL type. */
export type Kind = "String" | "Date" | "Number" | "Boolean" | { readonly enum: string };

/** A field that filters compare, and lists may be sorted by. Instants are milliseconds, enums as GraphQL spells them. */
export interface ComparedField {
	readonly kind: Kind;
	/** The column, or an expression over the list's tables. */
	readonly value: SQLWrapper | ((work: Work) => SQLWrapper);
	/** Of a value that is calculated: a condition that holds wherever it is one of some, and by which indexes find few rows. */
	readonly found?: (work: Work, values: readonly unknown[]) => SQL;
	/** False where the value is never null: one sort key less. */
	readonly nullable: boolean;
	/** The value belongs to a row that this one refers to; it can be filtered by, but not sorted by. */
	readonly through?: Reference;
}

/** From the list's own column to the key of the other table, whose rows are all of one environment. */
export interface Reference {
	readonly own: SQLiteColumn;
	readonly theirs: SQLiteColumn;
	readonly environment: SQLiteColumn;
}

/** A filter of another list, met by at least one of the rows that belong to this one. */
export interface RelationField {
	/** The other list's type: its filter is `{type}Filter`. */
	readonly relation: string;
	readonly own: SQLiteColumn;
	readonly theirs: SQLiteColumn;
}

/** How an index finds rows by a column: the column is the first one of it, or follows the environment there. */
type IndexedBy = "itself" | "environment";

/** Undefined where none does. */
export function indexOf(value: unknown): IndexedBy | undefined {
	if (!is(value, SQLiteColumn)) return undefined;
	if (!knownIndexes.has(value)) knownIndexes.set(value, declaredIndexOf(value));
	return knownIndexes.get(value);
}

const knownIndexes = new WeakMap<SQLiteColumn, IndexedBy | undefined>();

/** What an index holds in part only does not count. */
function declaredIndexOf({ name, primary, table }: SQLiteColumn): IndexedBy | undefined {
	if (primary) return "itself";
	const leading = getTableConfig(table)
		.indexes.filter(({ config }) => config.where === undefined)
		.map(({ config }) => config.columns.map((indexed) => (is(indexed, SQLiteColumn) ? indexed.name : "")));
	if (leading.some(([first]) => first === name)) return "itself";
	if (leading.some(([first, second]) => first === "environment_id" && second === name)) return "environment";
	return undefined;
}

/** Whether an index has an environment's rows in the order of the column, and those of one value in that of their ids. */
export function isSortedByIndex(column: SQLiteColumn, id: SQLiteColumn): boolean {
	return getTableConfig(column.table).indexes.some(({ config }) => {
		if (config.where !== undefined) return false;
		const [first, second, third] = config.columns.map((indexed) => (is(indexed, SQLiteColumn) ? indexed.name : ""));
		return first === "environment_id" && second === column.name && (third === id.name || config.unique);
	});
}

/** Rows that can be filtered: behind a field of the root, `field(filter, sorting, paging)`, or only behind relations. */
export interface List {
	readonly field?: string;
	/** A second field of the root, which leaves nothing out: all versions of all plans. Only alongside `field`. */
	readonly everyField?: string;
	readonly type: string;
	/** The filter's name where it is not `{type}Filter`. */
	readonly filterName?: string;
	readonly scope: Scope;
	/** The tables to select from. */
	readonly source: SQL;
	/** The row id: the cursor, and what sorts newest first. */
	readonly id: SQLiteColumn;
	/** The environment, and whatever tells rows of this list from others in the same table. */
	readonly within: (work: Work) => SQL;
	/** How many rows a filter shows, where that is kept; undefined where it is not. */
	readonly kept?: (work: Work, filter: Readonly<Record<string, unknown>>) => number | undefined;
	/** What the list leaves out although it exists, such as archived customers. */
	readonly shown?: (work: Work) => SQL;
	readonly fields: Readonly<Record<string, ComparedField | RelationField>>;
	/** Row id → row: the area's `…ByIds`. */
	readonly rows: (work: Work, ids: readonly string[]) => ReadonlyMap<string, object>;
}

const compared =
	(kind: Kind) =>
	(column: SQLiteColumn): ComparedField => ({ kind, value: column, nullable: !column.notNull });

export const text = compared("String");
export const date = compared("Date");
export const flag = compared("Boolean");
export const numeric = compared("Number");

/** An enum that is stored as GraphQL spells it. */
export const choice = (enumName: string, column: SQLiteColumn): ComparedField => compared({ enum: enumName })(column);

/** A value that is calculated, such as a status from dates. */
export const reckoned = (kind: Kind, value: ComparedField["value"], found?: ComparedField["found"]): ComparedField => ({
	kind,
	value,
	nullable: true,
	...(found && { found }),
});

/** The caller's id of something this row refers to. */
export const textThrough = (value: SQLiteColumn, through: Reference): ComparedField => ({
	kind: "String",
	value,
	nullable: true,
	through,
});

/** The caller's id of a row of another table, which this row refers to by its row id. */
export const refOf = (own: SQLiteColumn, theirs: ReferredTable): ComparedField =>
	textThrough(theirs.refId, { own, theirs: theirs.id, environment: theirs.environmentId });

interface ReferredTable {
	readonly id: SQLiteColumn;
	readonly refId: SQLiteColumn;
	readonly environmentId: SQLiteColumn;
}

/**
 * Fields that are columns of a table, separated by spaces: `name`; `name=column` where the column has another name. An enum
 * that is stored as GraphQL spells it names its type: `name:Enum`, `name=column:Enum`.
 */
export function columns(table: SQLiteTable, names: string): Record<string, ComparedField> {
	const own = getTableColumns(table) as Readonly<Record<string, SQLiteColumn>>;
	return Object.fromEntries(
		names
			.trim()
			.split(/\s+/)
			.map((word) => {
				const [, name = "", key = name, enumName] = word.match(/^(\w+)(?:=(\w+))?(?::(\w+))?$/) ?? [];
				const column = own[key];
				assert(column, `the table has a column ${key}`);
				return [name, compared(enumName === undefined ? kindOf(column) : { enum: enumName })(column)];
			}),
	);
}

/** Columns of instants are numbers that are named after them. */
function kindOf({ dataType, name }: SQLiteColumn): Kind {
	if (dataType === "boolean") return "Boolean";
	if (dataType === "number") return /(^|_)at$/.test(name) ? "Date" : "Number";
	return "String";
}

/** A status that is one value until the row is archived, and ARCHIVED since. */
export const statusUntilArchived = (enumName: string, status: string, archivedAt: SQLiteColumn): ComparedField =>
	reckoned({ enum: enumName }, sql`case when ${archivedAt} is null then ${sql.raw(`'${status}'`)} else 'ARCHIVED' end`);

type ListedTable = SQLiteTable & Record<"id" | "environmentId", SQLiteColumn>;

/** The rows of an environment in one table. */
export const tableList = (
	table: ListedTable,
	list: Pick<List, "type" | "scope" | "rows"> & Partial<List>,
	condition?: SQL,
): List => ({
	...{ source: sql`${table}`, id: table.id, fields: {} },
	within: ({ actor }) => sql`${and(eq(table.environmentId, actor.environmentId), condition)}`,
	...list,
});

export const relation = (type: string, own: SQLiteColumn, theirs: SQLiteColumn): RelationField => ({
	relation: type,
	own,
	theirs,
});
