import { Type } from "@sinclair/typebox";
import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { instantOf } from "./clock";
import { fail } from "./errors";
import { firstWithin, jsonBytes } from "./json-size";
import { queryInteger } from "./query";
import { Timestamp } from "./schema";
import type { Work } from "./work";

/** Rows of a page, by REST and by GraphQL, when nothing is asked for. Source: docs/interface/http.md. */
export const pageSizeDefault = 20;

/** Source: Limits section, 1 to 100. */
export const pageSizeMax = 100;

/** Our choice: a page ends here too, however few its rows are. The next page goes on with the row that did not fit. */
export const pageBytesMax = 4 * 1024 * 1024;

/** Our choice: rows that are read before their size is known. A page of the default size is read at once. */
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
	/** The rows' cursors, by which `viewPage` ends a page whose rows are shown in more bytes than a page may take. */
	readonly cursors?: readonly string[];
	readonly isBackward?: boolean;
}

/**
 * Reads one page, newest first. The cursor is the row's UUIDv7, exclusive; ids sort by time, so paging stays
 * stable while rows are added. `exists` tells whether a cursor names a row of this list's kind and environment.
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

/** Reads rows until there are enough, or one more than a page has bytes for. `read` goes on after the row of an id. */
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
 * A page of a table's rows. `list` says which rows the list has, among which a cursor must be; `filters` leave some of them out.
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
	// Drizzle knows no column of a table that is generic.
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
 * As `readPage`, but by when something of a row comes, the first first, ties by id: what comes soon is found along the index of
 * that time, however much there is. `timeOf` a cursor is undefined where no such row is in this list.
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

/** Our choice: three years ahead is a plan, no more something to be looked at soon. */
const withinDaysMax = 1100;

/** So many days from now on, by the environment's clock. */
export const WithinDays = queryInteger(1, withinDaysMax);

export interface PageRequest {
	readonly cursor: string | undefined;
	/** From the cursor back to the beginning: the list is read the other way round. */
	readonly isBackward: boolean;
	/** One row more than asked, which tells whether the list goes on. */
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

/** The page of what was found, in the order in which it was read: as many rows as were asked for, and as fit. */
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

/** `{ data, pagination }`, both keys always present. Ends the page before the rows that do not fit as they are shown. */
export function viewPage<Row, View>(page: Page<Row>, view: (row: Row) => View) {
	const { rows, next, prev, cursors = [], isBackward = false } = page;
	// From the cursor on: the rows that are left out are those farthest from it.
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

/** `createdAt[gt]=…`: bracketed keys arrive flat, so they are schema keys as they stand. */
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

/** Our choice: so many rows are found by when they were created; of more, the list is walked until the page is full. */
const fewCreatedMax = 1_000;

/**
 * The ids of the rows that bounds on their creation leave, where they are few, by the table's index on environment, creation
 * and id; undefined where there are no bounds, or too many rows. A list is in the order of ids, which nearly is that of their
 * creation: of many rows the first ones come soon, but few may lie at its far end.
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
