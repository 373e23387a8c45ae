import { and, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { assert, fail } from "../kernel/errors";
import type { Work } from "../kernel/work";
import type { Asking } from "./asking";
import { conditionOf, expressionOf, type Lists } from "./filter";
import type { List } from "./list";

/** As REST: 20 when nothing is asked for, 1 to 100 (choices.md, page cursors; Limits section). */
export const pageSizeDefault = 20;
const pageSizeMax = 100;

/** Our choice: a tie is broken by at most so many fields. */
const sortingMax = 5;

interface Edge {
	readonly cursor: string;
	readonly node: object;
}

/** What is not asked for costs nothing: the functions run when the operation selects the field. */
export interface Connection {
	readonly edges: readonly Edge[];
	readonly pageInfo: {
		readonly startCursor: string | null;
		readonly endCursor: string | null;
		readonly hasPreviousPage: () => boolean;
		readonly hasNextPage: () => boolean;
	};
	readonly totalCount: () => number;
}

interface OrderKey {
	readonly value: SQLWrapper;
	readonly descending: boolean;
}

/** Where a page begins: beyond a row in the list's order, or against it. */
interface Place {
	readonly limit: number;
	readonly cursor: string | undefined;
	readonly backward: boolean;
}

/** One page of a list. Arguments come as the schema has coerced them. */
export function connect(asking: Asking, lists: Lists, list: List, args: Readonly<Record<string, unknown>>): Connection {
	const { work } = asking;
	const condition = and(list.within(work), list.shown?.(work), conditionOf(asking, lists, list, args.filter));
	const order = orderOf(work, list, args.sorting);
	const place = placeOf(args.paging);
	const { cursor, backward, limit } = place;
	const idsBeyond = (from: string | undefined, against: boolean, rowsMax: number): string[] =>
		selectIds(work, list, and(condition, from === undefined ? undefined : beyond(work, list, order, from, against)), {
			order: against ? order.map(reversed) : order,
			rowsMax,
		});
	const ids = idsBeyond(cursor, backward, limit);
	if (backward) ids.reverse();
	const edges = edgesOf(asking, list, ids);
	const [first, last] = [ids.at(0), ids.at(-1)];
	// An empty page lies at one end: what there is, is on the cursor's side.
	const goesOn = (from: string | undefined, against: boolean): boolean =>
		from === undefined
			? cursor !== undefined && backward !== against && idsBeyond(undefined, false, 1).length > 0
			: idsBeyond(from, against, 1).length > 0;
	return {
		edges,
		pageInfo: {
			startCursor: first ?? null,
			endCursor: last ?? null,
			hasPreviousPage: () => goesOn(first, true),
			hasNextPage: () => goesOn(last, false),
		},
		totalCount: () => countRows(work, list, condition),
	};
}

function edgesOf(asking: Asking, list: List, ids: readonly string[]): Edge[] {
	const rows = ids.length === 0 ? new Map<string, object>() : list.rows(asking.work, ids);
	const edges = ids.map((id) => {
		const node = rows.get(id);
		assert(node, `${list.type} ${id} was found in this transaction`);
		return { cursor: id, node };
	});
	asking.together(edges.map(({ node }) => node));
	return edges;
}

/** `first` with `after`, or `last` with `before`; either cursor alone takes the default size. */
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

/** Newest first, as REST; ties of a sorting too, so that the order is total. */
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
	const key: OrderKey = { value, descending };
	if (!field.nullable) return [key];
	// Null counts as the largest value unless the caller says where it goes (our choice; SQLite alone has it smallest).
	const nullsFirst = item.nulls ? item.nulls === "NULLS_FIRST" : descending;
	return [{ value: sql`(${value} is null)`, descending: nullsFirst }, key];
}

const reversed = ({ value, descending }: OrderKey): OrderKey => ({ value, descending: !descending });

/** Rows that come after the cursor's row in this order (before it, when `against`): compared key by key. */
function beyond(work: Work, list: List, order: readonly OrderKey[], cursor: string, against: boolean): SQL {
	const columns = sql.join(
		order.map(({ value }) => sql`${value}`),
		sql`, `,
	);
	const [at] = work.tx.values<unknown[]>(
		sql`select ${columns} from ${list.source} where ${and(list.within(work), sql`${list.id} = ${cursor}`)} limit 1`,
	);
	if (!at)
		throw fail(
			"BadUserInput",
			`The cursor '${cursor.slice(0, 64)}' is unknown; use one that an earlier page has given.`,
		);
	const steps = order.map(({ value, descending }, depth) => {
		// `is` compares nulls too; a null is beyond nothing, and nothing beyond it: the key before has told them apart.
		const equalSoFar = order.slice(0, depth).map((key, at_) => sql`${key.value} is ${at[at_]}`);
		const step = descending === against ? sql`${value} > ${at[depth]}` : sql`${value} < ${at[depth]}`;
		return and(...equalSoFar, step);
	});
	return or(...steps) ?? sql`false`;
}

interface Slice {
	readonly order: readonly OrderKey[];
	readonly rowsMax: number;
}

function selectIds(work: Work, list: List, condition: SQL | undefined, { order, rowsMax }: Slice): string[] {
	const by = sql.join(
		order.map(({ value, descending }) => sql`${value} ${sql.raw(descending ? "desc" : "asc")}`),
		sql`, `,
	);
	return work.tx
		.values<[string]>(sql`select ${list.id} from ${list.source} where ${condition} order by ${by} limit ${rowsMax}`)
		.map(([id]) => id);
}

const countRows = (work: Work, list: List, condition: SQL | undefined): number =>
	work.tx.values<[number]>(sql`select count(*) from ${list.source} where ${condition}`)[0]?.[0] ?? 0;
