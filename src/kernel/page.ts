import { Type } from "@sinclair/typebox";
import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { instantOf } from "./clock";
import { fail } from "./errors";
import { firstWithin, jsonBytes } from "./json-size";
import { queryInteger } from "./query";
import { Timestamp } from "./schema";
import type { Work } from "./work";

/** The default number of rows of a page, in REST and GraphQL. Source: docs/interface/http.md#queries-and-lists. */
export const pageSizeDefault = 20;

/** The maximum number of rows of a page. Source: docs/interface/http.md#queries-and-lists. */
export const pageSizeMax = 100;

/**
 * Our choice (docs/interface/http.md#queries-and-lists): the size limit of a page, whatever its number of rows. The
 * next page continues with the row that did not fit.
 */
export const pageBytesMax = 4 * 1024 * 1024;

/** The number of rows that are read before their size is known. A page of the default size is read at once. */
const pieceRows = pageSizeDefault + 1;

export const pageQuery = {
	after: Type.Optional(Type.String({ format: "uuid" })),
	before: Type.Optional(Type.String({ format: "uuid" })),
	limit: Type.Optional(queryInteger(1, pageSizeMax)),
};

export interface PageQuery {
	readonly after?: string;
	readonly before?: string;
	readonly limit?: string;
}

export interface Page<Row> {
	readonly rows: Row[];
	readonly next: string | null;
	readonly prev: string | null;
	/** The cursors of the rows. `viewPage` uses them to end a page whose rows exceed the size limit. */
	readonly cursors?: readonly string[];
	readonly isBackward?: boolean;
}

/**
 * Reads one page, newest first. The cursor is the row's UUIDv7, exclusive. Ids sort by time, so pages stay stable while rows are
 * added. `exists` returns whether a cursor names a row of this list's kind and environment.
 */
export function readPage<Row extends { id: string }>(
	query: PageQuery,
	id: SQLiteColumn,
	exists: (cursor: string) => boolean,
	read: (beyondCursor: SQL | undefined, order: SQL, rowsMax: number) => Row[],
): Page<Row> {
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	if (cursor !== undefined && !exists(cursor)) throw unknownCursor(cursor);
	const order = (isBackward ? asc : desc)(id);
	const beyond = (from: string | undefined) => (from === undefined ? undefined : (isBackward ? gt : lt)(id, from));
	return cutPage(
		query,
		readInPieces(rowsMax, (last, rows) => read(beyond(last ?? cursor), order, rows)),
	);
}

/** Reads rows until there are enough, or one more than fits a page. `read` continues after the row of an id. */
export function readInPieces<Row extends { id: string }>(
	rowsMax: number,
	read: (lastId: string | undefined, rowsMax: number) => readonly Row[],
): Row[] {
	const found: Row[] = [];
	let bytes = 0;
	for (let wanted = Math.min(rowsMax, pieceRows); ; ) {
		const piece = read(found.at(-1)?.id, wanted);
		for (const row of piece) bytes += jsonBytes(row);
		found.push(...piece);
		const isFull = found.length > 1 && bytes > pageBytesMax;
		if (piece.length < wanted || found.length >= rowsMax || isFull) return found;
		const fitting = Math.ceil((found.length * (pageBytesMax - bytes)) / bytes) + 1;
		wanted = Math.min(rowsMax - found.length, Math.max(1, fitting));
	}
}

/**
 * Reads a page of a table's rows. `list` defines the rows of the list, and a cursor must be among them; `filters` exclude some of them.
 */
export function readTablePage<
	Table extends SQLiteTable & { readonly id: SQLiteColumn; readonly $inferSelect: { id: string } },
>(
	{ tx }: Work,
	query: PageQuery,
	table: Table,
	list: SQL | undefined,
	filters: ReadonlyArray<SQL | undefined> = [],
): Page<Table["$inferSelect"]> {
	// Drizzle has no typed columns for a generic table.
	const rows: SQLiteTable = table;
	return readPage<Table["$inferSelect"]>(
		query,
		table.id,
		(cursor) =>
			tx
				.select({ id: table.id })
				.from(rows)
				.where(and(list, eq(table.id, cursor)))
				.get() !== undefined,
		(beyondCursor, order, rowsMax) =>
			tx
				.select()
				.from(rows)
				.where(and(list, beyondCursor, ...filters))
				.orderBy(order)
				.limit(rowsMax)
				.all() as Table["$inferSelect"][],
	);
}

/**
 * Like `readPage`, but ordered by a time of the rows, earliest first, ties by id. The index of that time finds the first rows in a
 * list of any size. `timeOf` a cursor is undefined if the list has no such row.
 */
export function readPageByTime<Row extends { id: string }>(
	query: PageQuery,
	columns: { readonly time: SQLiteColumn; readonly id: SQLiteColumn },
	timeOf: (cursor: string) => number | null | undefined,
	read: (beyondCursor: SQL | undefined, order: SQL[], rowsMax: number) => Row[],
): Page<Row> {
	const { time, id } = columns;
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	const from = cursor === undefined ? undefined : timeOf(cursor);
	if (cursor !== undefined && (from === undefined || from === null)) throw unknownCursor(cursor);
	const beyond = sql`(${time}, ${id}) ${sql.raw(isBackward ? "<" : ">")} (${from}, ${cursor})`;
	const order = [time, id].map(isBackward ? desc : asc);
	return cutPage(query, read(cursor === undefined ? undefined : beyond, order, rowsMax));
}

/** The longest time ahead of a list of coming rows, three years. */
const withinDaysMax = 1100;

/** Returns the range from now for a number of days, on the environment's clock. */
export const WithinDays = queryInteger(1, withinDaysMax);

export interface PageRequest {
	readonly cursor: string | undefined;
	/** Whether to read the list backward, from the cursor to the beginning. */
	readonly isBackward: boolean;
	/** One row more than requested: it shows whether the list continues. */
	readonly rowsMax: number;
}

const limitOf = ({ limit }: PageQuery): number => (limit === undefined ? pageSizeDefault : Number(limit));

export function pageRequestOf(query: PageQuery): PageRequest {
	const { after, before } = query;
	if (after && before) throw fail("BadUserInput", "Give either 'after' or 'before', not both.");
	return { cursor: before ?? after, isBackward: before !== undefined, rowsMax: limitOf(query) + 1 };
}

export const unknownCursor = (cursor: string) =>
	fail(
		"BadUserInput",
		`The cursor '${cursor}' is unknown; use 'pagination.next' or 'pagination.prev' of an earlier page.`,
	);

/** Returns the page of the rows found, in the order in which they were read: as many as requested, and as fit. */
export function cutPage<Row extends { id: string }>(query: PageQuery, found: readonly Row[]): Page<Row> {
	const { after, before } = query;
	const limit = limitOf(query);
	const rows = firstWithin(found.slice(0, limit), pageBytesMax);
	const goesOn = found.length > rows.length;
	if (before) rows.reverse();
	return {
		rows,
		cursors: rows.map(({ id }) => id),
		isBackward: before !== undefined,
		next: before || goesOn ? (rows.at(-1)?.id ?? null) : null,
		prev: after || (before && goesOn) ? (rows.at(0)?.id ?? null) : null,
	};
}

/** Returns `{ data, pagination }`, both always present. Ends the page before rows that exceed the size limit in the response. */
export function viewPage<Row, View>(page: Page<Row>, view: (row: Row) => View) {
	const { rows, next, prev, cursors = [], isBackward = false } = page;
	// The rows farthest from the cursor are omitted.
	const ordered = isBackward ? rows.toReversed() : rows;
	const data: View[] = [];
	let bytes = 0;
	for (const row of ordered) {
		const shown = view(row);
		bytes += jsonBytes(shown);
		if (data.length > 0 && bytes > pageBytesMax && cursors.length === rows.length) break;
		data.push(shown);
	}
	if (isBackward) data.reverse();
	if (data.length === rows.length) return { data, pagination: { next, prev } };
	const last = isBackward ? cursors.at(-data.length) : cursors[data.length - 1];
	return { data, pagination: isBackward ? { next, prev: last ?? null } : { next: last ?? null, prev } };
}

/** Parameters such as `createdAt[gt]=…`. Bracketed keys arrive flat, so they are keys of the schema. */
export const createdAtQuery = {
	"createdAt[gt]": Type.Optional(Timestamp),
	"createdAt[gte]": Type.Optional(Timestamp),
	"createdAt[lt]": Type.Optional(Timestamp),
	"createdAt[lte]": Type.Optional(Timestamp),
};

export type CreatedAtQuery = { readonly [Key in keyof typeof createdAtQuery]?: string };

export function createdWithin(query: CreatedAtQuery, column: SQLiteColumn): SQL[] {
	const operators = { gt, gte, lt, lte } as const;
	const bounds: SQL[] = [];
	for (const name of ["gt", "gte", "lt", "lte"] as const) {
		const text = query[`createdAt[${name}]`];
		if (text === undefined) continue;
		bounds.push(operators[name](column, instantOf(text)));
	}
	return bounds;
}

/** The largest number of rows to find by creation time. For more rows, the list is read until the page is full. */
const fewCreatedMax = 1_000;

/**
 * Returns the ids of the rows within bounds on their creation, if they are few, by the table's index on environment, creation and
 * id. Returns undefined without bounds, or for too many rows. Lists are in the order of ids, which is nearly that of creation: many
 * rows are found soon, but few rows may be at the far end.
 */
export function fewCreated(
	{ tx, actor }: Work,
	table: SQLiteTable & Readonly<Record<"id" | "environmentId" | "createdAt", SQLiteColumn>>,
	bounds: readonly SQL[],
): string[] | undefined {
	if (bounds.length === 0) return undefined;
	const ids = tx.values<[string]>(
		sql`select ${table.id} from ${table} where ${and(eq(table.environmentId, actor.environmentId), ...bounds)}
			order by ${table.createdAt} limit ${fewCreatedMax + 1}`,
	);
	return ids.length > fewCreatedMax ? undefined : ids.map(([id]) => id);
}
