import { and, isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type OrderKey, orderBy, type Wanted } from "../order";
import { costs } from "../request/budget";
import type { OperationContext } from "../request/context";
import { isSortedByIndex, type List } from "./list";
import { remedyOf } from "./row-limits";

/** An order of an index: by one column, then by the row id. */
export interface IndexedOrder {
	readonly column: SQLiteColumn;
	readonly descending: boolean;
	/** Undefined for a column that is never null. */
	readonly nulls: "first" | "last" | undefined;
	readonly id: OrderKey;
}

/** The order, if an index of the list has it. */
export function indexedOrder(list: List, order: readonly OrderKey[]): IndexedOrder | undefined {
	const id = order.at(-1);
	const key = order.at(-2);
	if (!id || !key?.column || !isSortedByIndex(key.column, list.id)) return undefined;
	const isNullKey = order.length === 3 ? order[0] : undefined;
	if (order.length > 2 && isNullKey?.isNullOf !== key.column) return undefined;
	const nulls = isNullKey && (isNullKey.descending ? "first" : "last");
	return { column: key.column, descending: key.descending, nulls, id };
}

/**
 * The ids of rows in the order of an indexed column. Rows of one value are ordered by their ids, perhaps in the other
 * direction. So the index is read in parts, each in its own order and no longer than the page.
 */
export function alongIndex(context: OperationContext, list: List, indexed: IndexedOrder, wanted: Wanted): string[] {
	return new Walk(context, list, indexed, wanted.rowsMax).from(wanted.from);
}

class Walk {
	readonly #found: string[] = [];

	constructor(
		readonly context: OperationContext,
		readonly list: List,
		readonly indexed: IndexedOrder,
		readonly rowsMax: number,
	) {}

	from(id: string | undefined): string[] {
		const { column, nulls } = this.indexed;
		if (id === undefined) {
			if (nulls === "first") this.#take(isNull(column));
			this.#values();
			if (nulls === "last") this.#take(isNull(column));
			return this.#found;
		}
		const [at] = this.#read(
			sql`select ${column} from ${this.list.source} where ${this.#rows(sql`${this.list.id} = ${id}`)}`,
		);
		const beyondId = this.#beyond(this.list.id, id, this.indexed.id.descending);
		const value = at ?? null;
		this.#take(and(value === null ? isNull(column) : sql`${column} = ${value}`, beyondId));
		if (value !== null || nulls === "first") this.#values(value);
		if (value !== null && nulls === "last") this.#take(isNull(column));
		return this.#found;
	}

	get #left(): number {
		return this.rowsMax - this.#found.length;
	}

	/** Rows of one value, or of null. */
	#take(condition: SQL | undefined): void {
		if (this.#left === 0) return;
		this.#found.push(...this.#ids(condition, [this.indexed.id]));
	}

	/** Rows of the values after `after`: those before the last value of the page, then the first rows of that value. */
	#values(after?: unknown): void {
		if (this.#left === 0) return;
		const { column, descending, id } = this.indexed;
		const key = { value: column, descending };
		const rest = after === undefined || after === null ? this.#isSet() : this.#beyond(column, after, descending);
		const [last] = this.#read(
			sql`select ${column} from ${this.list.source} where ${this.#rows(rest)}
				order by ${orderBy([key])} limit 1 offset ${this.#left - 1}`,
		);
		if (last === undefined) {
			this.#found.push(...this.#ids(rest, [key, id]));
			return;
		}
		this.#found.push(...this.#ids(and(rest, this.#beyond(column, last, !descending)), [key, id]));
		this.#take(sql`${column} = ${last}`);
	}

	#isSet = (): SQL | undefined => (this.indexed.nulls === undefined ? undefined : isNotNull(this.indexed.column));

	#beyond = (value: SQLWrapper, edge: unknown, descending: boolean): SQL =>
		descending ? sql`${value} < ${edge}` : sql`${value} > ${edge}`;

	#rows = (condition: SQL | undefined): SQL | undefined =>
		and(this.list.within(this.context.work), this.list.shown?.(this.context.work), condition);

	#ids(condition: SQL | undefined, order: readonly OrderKey[]): string[] {
		const { id, source } = this.list;
		return this.#read<string>(
			sql`select ${id} from ${source} where ${this.#rows(condition)} order by ${orderBy(order)} limit ${this.#left}`,
		);
	}

	#read<Value = unknown>(statement: SQL): Value[] {
		this.context.spend(costs.statement + this.#left * costs.row, remedyOf(this.list));
		return this.context.work.tx.values<[Value]>(statement).map(([value]) => value);
	}
}
