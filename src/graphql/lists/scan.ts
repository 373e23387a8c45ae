import { and, type SQL, sql } from "drizzle-orm";
import { type OrderKey, orderBy, type Wanted } from "../order";
import { costs } from "../request/budget";
import type { OperationContext } from "../request/context";
import type { Filter, Purpose } from "./filter";
import type { List } from "./list";
import { apart, countFew, countUpTo, foundRowsMax, remedyOf } from "./row-limits";
import { alongIndex, indexedOrder } from "./sorted";

/** The size of the first window for each requested row, and the growth of the next windows. */
const windowRowsPerRow = 5;
const windowGrowth = 5;

/**
 * Finds or counts rows of a list. No statement reads more rows than the budget allows. Rows that an index finds are read at
 * once. Otherwise the list is scanned in its own order, window by window, until there are enough rows. A count or another
 * order needs all rows; it is refused in advance when there are too many.
 */
export class Scan {
	readonly #filters = new Map<Purpose, Filter>();
	#foundRows: { readonly few: number | undefined } | undefined;
	#size: number | undefined;

	constructor(
		readonly context: OperationContext,
		readonly list: List,
		/** The coerced filter. */
		readonly filter: Readonly<Record<string, unknown>>,
		readonly compile: (purpose: Purpose) => Filter,
	) {
		// Reports errors of the filter before anything is read.
		this.#filterFor("keys");
	}

	#filterFor(purpose: Purpose): Filter {
		const filter = this.#filters.get(purpose) ?? this.compile(purpose);
		this.#filters.set(purpose, filter);
		return filter;
	}

	/** The ids of the selected rows. */
	ids(wanted: Wanted): string[] {
		const { order, rowsMax } = wanted;
		const found = this.#rowsOfKeys();
		if (found !== undefined) return this.#select({ ...wanted, order: order.map(sortedApart) }, found, "keys");
		const indexed = this.#isUnfiltered() ? indexedOrder(this.list, order) : undefined;
		if (indexed) return alongIndex(this.context, this.list, indexed, wanted);
		if (order.length > 1) return this.#select(wanted, this.#rows(), "all");
		if (this.#isAll()) return this.#select(wanted, rowsMax, "all");
		return this.#inWindows(wanted);
	}

	count(): number {
		const stored = this.#storedCount();
		if (stored !== undefined) return stored;
		const found = this.#rowsOfKeys();
		const rows = found ?? this.#rows();
		if (this.#isAll()) return rows;
		const purpose = found === undefined ? "all" : "keys";
		const { condition, rowCost, statementCost } = this.#filterFor(purpose);
		const within = this.#within(purpose);
		this.#spend(rows * (costs.row + rowCost) + statementCost);
		const { shown, source } = this.list;
		const { work } = this.context;
		const met = and(within, shown?.(work), condition);
		return work.tx.values<[number]>(sql`select count(*) from ${source} where ${met}`)[0]?.[0] ?? 0;
	}

	/** A stored count needs no rows. */
	#storedCount(): number | undefined {
		const stored = this.list.storedCount?.(this.context.work, this.filter);
		if (stored !== undefined) this.#spend(3 * costs.statement);
		return stored;
	}

	#isUnfiltered = (): boolean => this.#filterFor("keys").condition === undefined;

	/** Whether all rows of the list match. */
	#isAll = (): boolean => this.list.shown === undefined && this.#isUnfiltered();

	/** The number of rows that match the filter's keys. Undefined without keys, or for too many rows. */
	#rowsOfKeys(): number | undefined {
		const { list, context } = this;
		const { keys, hasOwnIndex, statementCost } = this.#filterFor("keys");
		if (keys.length === 0) return undefined;
		if (this.#foundRows === undefined) {
			this.#spend(statementCost);
			// A key with its own index leaves few rows of other environments, so these rows are not read.
			const condition = and(hasOwnIndex ? undefined : list.within(this.context.work), ...keys);
			this.#foundRows = { few: countFew(context, { source: list.source, condition, list }, foundRowsMax) };
		}
		return this.#foundRows.few;
	}

	/** The condition for the environment. It is written so that SQLite uses no index for it when the index of a key is better. */
	#within(purpose: Purpose): SQL {
		const within = this.list.within(this.context.work);
		return purpose === "keys" && this.#filterFor(purpose).hasOwnIndex ? apart(within) : within;
	}

	/** The number of all rows, within the budget. */
	#rows(): number {
		const { list, context } = this;
		const condition = list.within(context.work);
		this.#size ??= countUpTo(context, {
			source: list.source,
			condition,
			list,
			rowCost: costs.row + this.#filterFor("all").rowCost,
		});
		return this.#size;
	}

	/** One statement over at most `rows` rows. */
	#select({ order, beyond, rowsMax }: Wanted, rows: number, purpose: Purpose): string[] {
		const { condition, rowCost, statementCost } = this.#filterFor(purpose);
		const sorting = order.length > 1 ? costs.sort + costs.sortKey * order.length : 0;
		this.#spend(rows * (costs.row + rowCost + sorting) + statementCost);
		const met = and(this.#within(purpose), this.list.shown?.(this.context.work), condition, beyond);
		return this.#selectIds(met, order, rowsMax);
	}

	/** Scans the list in its own order, by id: a few rows first, then more until there are enough matches. */
	#inWindows({ order, from, rowsMax }: Wanted): string[] {
		const { context, list } = this;
		const { condition, rowCost, statementCost } = this.#filterFor("some");
		const descending = order[0]?.descending ?? true;
		const costOfRow = costs.row + rowCost + costs.step;
		const found: string[] = [];
		let edge = from;
		for (let size = rowsMax * windowRowsPerRow; ; size *= windowGrowth) {
			const affordable = Math.floor((context.budget.left - 2 * costs.statement - statementCost) / costOfRow);
			const rows = Math.max(1, Math.min(size, affordable));
			this.#spend(costs.statement + statementCost + rows * costOfRow);
			const rest = and(list.within(context.work), edge === undefined ? undefined : beyondId(list, edge, descending));
			const last = this.#endOfWindow(rest, descending, rows);
			const inside = last === undefined ? undefined : upToId(list, last, descending);
			const met = and(rest, inside, list.shown?.(context.work), condition);
			found.push(...this.#selectIds(met, order, rowsMax - found.length));
			if (found.length >= rowsMax || last === undefined) return found;
			edge = last;
		}
	}

	/** The last of the next `rows` rows of the list. Undefined when there are fewer. */
	#endOfWindow(rest: SQL | undefined, descending: boolean, rows: number): string | undefined {
		const { id, source } = this.list;
		return this.context.work.tx.values<[string]>(
			sql`select ${id} from ${source} where ${rest} order by ${orderBy([{ value: id, descending }])} limit 1 offset ${rows - 1}`,
		)[0]?.[0];
	}

	#selectIds(condition: SQL | undefined, order: readonly OrderKey[], rowsMax: number): string[] {
		const { id, source } = this.list;
		return this.context.work.tx
			.values<[string]>(sql`select ${id} from ${source} where ${condition} order by ${orderBy(order)} limit ${rowsMax}`)
			.map(([found]) => found);
	}

	#spend(cost: number): void {
		this.context.spend(costs.statement + cost, remedyOf(this.list));
	}
}

const beyondId = ({ id }: List, edge: string, descending: boolean): SQL =>
	descending ? sql`${id} < ${edge}` : sql`${id} > ${edge}`;

const upToId = ({ id }: List, last: string, descending: boolean): SQL =>
	descending ? sql`${id} >= ${last}` : sql`${id} <= ${last}`;

/** Sorting a few rows is faster than reading the whole list along a sorted index. */
const sortedApart = ({ value, descending }: OrderKey): OrderKey => ({ value: sql`+${value}`, descending });
