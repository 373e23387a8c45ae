import { and, eq, getTableColumns, is, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { getTableConfig, SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../areas/access/rules.actors";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";

/** The type of a comparison. An enum has the name of its GraphQL type. */
export type Kind = "String" | "Date" | "Number" | "Boolean" | { readonly enum: string };

/** A field for filters and sortings. Instants are milliseconds; enums have GraphQL's values. */
export interface ComparedField {
	readonly kind: Kind;
	/** The column, or an expression of the list's tables. */
	readonly value: SQLWrapper | ((work: Work) => SQLWrapper);
	/** For a calculated value: a condition that is implied by some values and that indexes can use. */
	readonly found?: (work: Work, values: readonly unknown[]) => SQL;
	/** False saves a sort key. */
	readonly nullable: boolean;
	/** Set when the value belongs to a referred row. It is for filters only. */
	readonly through?: Reference;
}

/** A reference from the list's own column to the key of another table with environments. */
export interface Reference {
	readonly own: SQLiteColumn;
	readonly theirs: SQLiteColumn;
	readonly environment: SQLiteColumn;
}

/** A filter of another list. At least one row of this row must match it. */
export interface RelationField {
	/** The other list's type: its filter is `{type}Filter`. */
	readonly relation: string;
	readonly own: SQLiteColumn;
	readonly theirs: SQLiteColumn;
}

/** How an index finds rows by a column: the column is its first one, or follows the environment. */
type IndexedBy = "itself" | "environment";

/** Undefined without such an index. */
export function indexOf(value: unknown): IndexedBy | undefined {
	if (!is(value, SQLiteColumn)) return undefined;
	if (!knownIndexes.has(value)) knownIndexes.set(value, declaredIndexOf(value));
	return knownIndexes.get(value);
}

const knownIndexes = new WeakMap<SQLiteColumn, IndexedBy | undefined>();

/** Partial indexes do not count. */
function declaredIndexOf({ name, primary, table }: SQLiteColumn): IndexedBy | undefined {
	if (primary) return "itself";
	const leading = getTableConfig(table)
		.indexes.filter(({ config }) => config.where === undefined)
		.map(({ config }) => config.columns.map((indexed) => (is(indexed, SQLiteColumn) ? indexed.name : "")));
	if (leading.some(([first]) => first === name)) return "itself";
	if (leading.some(([first, second]) => first === "environment_id" && second === name)) return "environment";
	return undefined;
}

/** Whether an index sorts an environment's rows by the column, then by their ids. */
export function isSortedByIndex(column: SQLiteColumn, id: SQLiteColumn): boolean {
	return getTableConfig(column.table).indexes.some(({ config }) => {
		if (config.where !== undefined) return false;
		const [first, second, third] = config.columns.map((indexed) => (is(indexed, SQLiteColumn) ? indexed.name : ""));
		return first === "environment_id" && second === column.name && (third === id.name || config.unique);
	});
}

/** Rows for filters: of a root field, `field(filter, sorting, paging)`, or of relations only. */
export interface List {
	readonly field?: string;
	/** A second root field that shows all rows, such as all versions of all plans. Requires `field`. */
	readonly everyField?: string;
	readonly type: string;
	/** The filter's name, if it is not `{type}Filter`. */
	readonly filterName?: string;
	readonly scope: Scope;
	/** The tables to select from. */
	readonly source: SQL;
	/** The row id: the cursor, and the order "newest first". */
	readonly id: SQLiteColumn;
	/** The condition for rows of this list: the environment, and others of a shared table. */
	readonly within: (work: Work) => SQL;
	/** The stored number of rows of a filter. Undefined when none is stored. */
	readonly storedCount?: (work: Work, filter: Readonly<Record<string, unknown>>) => number | undefined;
	/** The condition for shown rows. The list hides others, such as archived customers. */
	readonly shown?: (work: Work) => SQL;
	readonly fields: Readonly<Record<string, ComparedField | RelationField>>;
	/** Row id → row: the area's `…ByIds`. */
	readonly rows: (work: Work, ids: readonly string[]) => ReadonlyMap<string, object>;
}

const compared = (kind: Kind, column: SQLiteColumn): ComparedField => ({
	...{ kind, value: column, nullable: !column.notNull },
});

/** A calculated value, such as a status from dates. */
export const calculated = (
	kind: Kind,
	value: ComparedField["value"],
	found?: ComparedField["found"],
): ComparedField => ({
	kind,
	value,
	nullable: true,
	...(found && { found }),
});

/** The caller's id of a row of another table, which this row refers to by its row id. */
export const refOf = (own: SQLiteColumn, theirs: ReferredTable): ComparedField => ({
	...{ kind: "String", value: theirs.refId, nullable: true },
	through: { own, theirs: theirs.id, environment: theirs.environmentId },
});

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
				return [name, compared(enumName === undefined ? kindOf(column) : { enum: enumName }, column)];
			}),
	);
}

/** Columns of instants are numbers that are named after them. */
function kindOf({ dataType, name }: SQLiteColumn): Kind {
	if (dataType === "boolean") return "Boolean";
	if (dataType === "number") return /(^|_)at$/.test(name) ? "Date" : "Number";
	return "String";
}

/** A status that has one value until the row is archived, then ARCHIVED. */
export const statusUntilArchived = (enumName: string, status: string, archivedAt: SQLiteColumn): ComparedField =>
	calculated(
		{ enum: enumName },
		sql`case when ${archivedAt} is null then ${sql.raw(`'${status}'`)} else 'ARCHIVED' end`,
	);

export type ListedTable = SQLiteTable & Record<"id" | "environmentId", SQLiteColumn>;

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
