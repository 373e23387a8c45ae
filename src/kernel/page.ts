import { Type } from "@sinclair/typebox";
import { asc, desc, gt, gte, lt, lte, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { parseInstant } from "./clock";
import { assert, fail } from "./errors";
import { queryInteger } from "./query";
import { Timestamp } from "./schema";

/** Source: choices.md, page cursors. */
const limitDefault = 20;

/** Source: Limits section, 1 to 100. */
export const pageQuery = {
	after: Type.Optional(Type.String({ format: "uuid" })),
	before: Type.Optional(Type.String({ format: "uuid" })),
	limit: Type.Optional(queryInteger(1, 100)),
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
	const { after, before } = query;
	const limit = query.limit === undefined ? limitDefault : Number(query.limit);
	if (after && before) throw fail("BadUserInput", "Give either 'after' or 'before', not both.");
	const given = before ?? after;
	if (given !== undefined && !exists(given))
		throw fail(
			"BadUserInput",
			`The cursor '${given}' is unknown; use 'pagination.next' or 'pagination.prev' of an earlier page.`,
		);
	const cursor = before ? gt(id, before) : after ? lt(id, after) : undefined;
	// One row more than asked tells whether the list goes on.
	const found = read(cursor, before ? asc(id) : desc(id), limit + 1);
	const goesOn = found.length > limit;
	const rows = found.slice(0, limit);
	if (before) rows.reverse();
	return {
		rows,
		next: before || goesOn ? (rows.at(-1)?.id ?? null) : null,
		prev: after || (before && goesOn) ? (rows.at(0)?.id ?? null) : null,
	};
}

/** `{ data, pagination }`, both keys always present. */
export const viewPage = <Row, View>({ rows, next, prev }: Page<Row>, view: (row: Row) => View) => ({
	data: rows.map(view),
	pagination: { next, prev },
});

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
		const at = parseInstant(text);
		assert(at !== undefined, "the schema has checked the instant");
		bounds.push(operators[name](column, at));
	}
	return bounds;
}
