import { and, is, or, type SQL, sql } from "drizzle-orm";
import { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { assert, fail } from "../../kernel/errors";
import { firstWithin, jsonBytes } from "../../kernel/json-size";
import { pageBytesMax, pageSizeDefault, pageSizeMax, readInPieces } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import type { OrderKey } from "../order";
import { costs, smallerPages } from "../request/budget";
import type { OperationContext } from "../request/context";
import { isValues } from "./compare";
import { compileFilter, expressionOf, type Lists } from "./filter";
import type { List } from "./list";
import { Scan } from "./scan";

/** The maximum number of sort fields. */
const sortingMax = 5;

interface Edge {
	readonly cursor: string;
	readonly node: object;
}

/** The functions run only when the operation selects their fields. */
export interface Connection {
	readonly edges: () => readonly Edge[];
	readonly pageInfo: () => {
		readonly startCursor: string | null;
		readonly endCursor: string | null;
		readonly hasPreviousPage: () => boolean;
		readonly hasNextPage: () => boolean;
	};
	readonly totalCount: () => number;
}

/** The start of a page: after a row in the list's order, or before it. */
interface Place {
	readonly limit: number;
	readonly cursor: string | undefined;
	readonly backward: boolean;
}

/** A source of pages: rows in one order or its reverse, from the beginning or after a row. */
export interface Paged {
	readonly type: string;
	/** Throws BadUserInput for an unknown row. */
	readonly assertCursor: (cursor: string) => void;
	readonly idsBeyond: IdsBeyond;
	readonly rows: (work: Work, ids: readonly string[]) => ReadonlyMap<string, object>;
	readonly count: () => number;
}

/** One page of a list. The schema has coerced the arguments. */
export function connect(
	context: OperationContext,
	lists: Lists,
	list: List,
	args: Readonly<Record<string, unknown>>,
): Connection {
	const order = orderOf(context.work, list, args.sorting);
	const filter = isValues(args.filter) ? args.filter : {};
	const scan = new Scan(context, list, filter, (purpose) => compileFilter({ context, lists, purpose }, list, filter));
	return page(context, args.paging, {
		type: list.type,
		assertCursor: (cursor) => void cursorRow(context, list, order, cursor),
		idsBeyond: (from, against, rowsMax) =>
			scan.ids({
				order: against ? order.map(reversed) : order,
				from,
				beyond: from === undefined ? undefined : beyond(context, list, order, from, against),
				rowsMax,
			}),
		rows: list.rows,
		count: () => scan.count(),
	});
}

/** One page of a source. */
export function page(context: OperationContext, paging: unknown, paged: Paged): Connection {
	const place = placeOf(paging);
	if (place.cursor !== undefined) paged.assertCursor(place.cursor);
	let known: PageOfRows | undefined;
	const read = (): PageOfRows => {
		known ??= pageOf(context, place, paged);
		return known;
	};
	return {
		edges: () => edgesOf(context, read().rows),
		pageInfo() {
			const { rows, goesOn } = read();
			return {
				startCursor: rows.at(0)?.cursor ?? null,
				endCursor: rows.at(-1)?.cursor ?? null,
				hasPreviousPage: () => goesOn(true),
				hasNextPage: () => goesOn(false),
			};
		},
		totalCount: () => paged.count(),
	};
}

interface PageOfRows {
	readonly rows: readonly Edge[];
	/** Whether there are rows after the page, or before it (`against`). */
	readonly goesOn: (against: boolean) => boolean;
}

type IdsBeyond = (from: string | undefined, against: boolean, rowsMax: number) => string[];

function pageOf(context: OperationContext, { cursor, backward, limit }: Place, paged: Paged): PageOfRows {
	const { idsBeyond } = paged;
	// One extra row shows whether the list continues.
	const found = idsBeyond(cursor, backward, limit + 1);
	const rows = firstWithin(readRows(context, paged, found.slice(0, limit)), pageBytesMax, ({ node }) =>
		jsonBytes(node),
	);
	const isCut = found.length > rows.length;
	if (backward) rows.reverse();
	const goesOn = (against: boolean): boolean => {
		if (against === backward) return isCut;
		if (cursor === undefined) return false;
		const from = (against ? rows.at(0) : rows.at(-1))?.cursor;
		// An empty page is at an end of the list. All rows are on the cursor's side.
		return (from === undefined ? idsBeyond(undefined, false, 1) : idsBeyond(from, against, 1)).length > 0;
	};
	return { rows, goesOn };
}

/** The rows of these ids, in pieces: as many as fit in the bytes of a page, and one more. */
function readRows(context: OperationContext, paged: Paged, ids: readonly string[]): Edge[] {
	return readInPieces(ids.length, (last, wanted) => {
		const from = last === undefined ? 0 : ids.indexOf(last) + 1;
		const piece = ids.slice(from, from + wanted);
		if (piece.length === 0) return [];
		context.spend(costs.statement + piece.length * costs.loadedRow, smallerPages);
		const rows = paged.rows(context.work, piece);
		return piece.map((id) => {
			const node = rows.get(id);
			assert(node, `${paged.type} ${id} was found in this transaction`);
			return { id, cursor: id, node };
		});
	});
}

function edgesOf(context: OperationContext, edges: readonly Edge[]): readonly Edge[] {
	context.together(edges.map(({ node }) => node));
	return edges;
}

/** `first` with `after`, or `last` with `before`. A cursor alone takes the default size. */
function placeOf(paging: unknown): Place {
	const { first, last, after, before } = (paging ?? {}) as Readonly<Record<string, unknown>>;
	const backward = isGiven(last) || isGiven(before);
	if (backward && (isGiven(first) || isGiven(after)))
		throw fail("BadUserInput", "Page with 'first' and 'after', or with 'last' and 'before', not with both.");
	const limit = (backward ? last : first) ?? pageSizeDefault;
	if (typeof limit !== "number" || limit < 1 || limit > pageSizeMax)
		throw fail("BadUserInput", `'${backward ? "last" : "first"}' must be a whole number from 1 to ${pageSizeMax}.`);
	const cursor = backward ? before : after;
	return { limit, cursor: typeof cursor === "string" ? cursor : undefined, backward };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Newest first, as in REST. Ties of a sorting are ordered the same way, so the order is total. */
function orderOf(work: Work, list: List, sorting: unknown): OrderKey[] {
	const newestFirst: OrderKey = { value: list.id, descending: true };
	if (!Array.isArray(sorting)) return [newestFirst];
	if (sorting.length > sortingMax) throw fail("BadUserInput", `Sort by at most ${sortingMax} fields.`);
	return [...sorting.flatMap((item) => keysOf(work, list, item)), newestFirst];
}

function keysOf(work: Work, list: List, item: Readonly<Record<string, unknown>>): OrderKey[] {
	const field = list.fields[`${item.field}`];
	assert(field && !("relation" in field), "the enum of sort fields names fields of the list");
	const descending = item.direction === "DESC";
	const value = expressionOf(work, field);
	const column = is(value, SQLiteColumn) ? value : undefined;
	const key: OrderKey = { value, descending, column };
	if (!field.nullable) return [key];
	// Our choice (docs/interface/graphql.md#lists): by default null is the largest value. In SQLite it is the smallest.
	const nullsFirst = item.nulls ? item.nulls === "NULLS_FIRST" : descending;
	return [{ value: sql`(${value} is null)`, descending: nullsFirst, isNullOf: column }, key];
}

const reversed = (key: OrderKey): OrderKey => ({ ...key, descending: !key.descending });

/** The sort values of the cursor's row. Throws BadUserInput for an unknown cursor. */
function cursorRow(
	context: OperationContext,
	list: List,
	order: readonly OrderKey[],
	cursor: string,
): readonly unknown[] {
	const columns = sql.join(
		order.map(({ value }) => sql`${value}`),
		sql`, `,
	);
	context.spend(costs.statement, smallerPages);
	const { work } = context;
	const [at] = work.tx.values<unknown[]>(
		sql`select ${columns} from ${list.source} where ${and(list.within(work), sql`${list.id} = ${cursor}`)} limit 1`,
	);
	if (!at) throw unknownCursor(cursor);
	return at;
}

export const unknownCursor = (cursor: string) =>
	fail("BadUserInput", `The cursor '${cursor.slice(0, 64)}' is unknown; use a cursor of an earlier page.`);

/** A condition for the rows after the cursor's row (before it, when `against`), key by key. */
function beyond(
	context: OperationContext,
	list: List,
	order: readonly OrderKey[],
	cursor: string,
	against: boolean,
): SQL {
	const at = cursorRow(context, list, order, cursor);
	const steps = order.map(({ value, descending }, depth) => {
		// `is` also compares nulls. A comparison with null is never true; the previous key separates the nulls.
		const equalSoFar = order.slice(0, depth).map((key, at_) => sql`${key.value} is ${at[at_]}`);
		const step = descending === against ? sql`${value} > ${at[depth]}` : sql`${value} < ${at[depth]}`;
		return and(...equalSoFar, step);
	});
	return or(...steps) ?? sql`false`;
}
