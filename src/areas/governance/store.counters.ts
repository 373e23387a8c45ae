import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import { type BudgetCounterRow, budgetCounters } from "./table";

const { placeholder } = sql;

/** A budget, by its row id and the cadence that its windows have now. */
interface Counting {
	readonly id: string;
	readonly cadence: string;
}

// Each use with budgets runs these at each level, so each connection prepares them once.
const reads = (tx: Transaction) => {
	const counterWhere = (condition: SQL | undefined) => tx.select().from(budgetCounters).where(condition).prepare();
	return {
		ofWindow: counterWhere(
			and(
				eq(budgetCounters.assignmentId, placeholder("assignmentId")),
				eq(budgetCounters.windowStart, placeholder("windowStart")),
				eq(budgetCounters.cadence, placeholder("cadence")),
			),
		),
		byId: counterWhere(eq(budgetCounters.id, placeholder("id"))),
	};
};

const writes = (tx: Transaction) => {
	const saving = (column: "used" | "reserved" | "raised" | "exceededAt") =>
		tx
			.update(budgetCounters)
			.set({ [column]: sql`${placeholder("value")}` })
			.where(eq(budgetCounters.id, placeholder("id")))
			.prepare();
	return {
		insert: tx
			.insert(budgetCounters)
			.values({
				customerId: placeholder("customerId"),
				assignmentId: placeholder("assignmentId"),
				cadence: placeholder("cadence"),
				windowStart: placeholder("windowStart"),
				windowEnd: placeholder("windowEnd"),
				used: zero,
				reserved: zero,
			})
			.returning()
			.prepare(),
		used: saving("used"),
		reserved: saving("reserved"),
		raised: saving("raised"),
		exceededAt: saving("exceededAt"),
	};
};

/** About 10 MB. When the cache is full, it is cleared. */
const cachedMax = 20_000;

/**
 * The counters that one connection has read. A consumption reads each level of its chain, and on the thread that writes them it finds them
 * here. Every write of a counter goes through this file, so the cache changes cost, never meaning.
 */
class CounterCache {
	readonly #byId = new Map<number, BudgetCounterRow>();
	/** The id of the counter of each budget that was used last. */
	readonly #last = new Map<string, number>();
	#generation: number | undefined;

	/** Call it before each access of a work. */
	at(work: Work): this {
		const generation = work.generation();
		if (generation !== this.#generation) this.#clear();
		this.#generation = generation;
		return this;
	}

	find({ id, cadence }: Counting, windowStart: Instant): BudgetCounterRow | undefined {
		const last = this.#last.get(id);
		const row = last === undefined ? undefined : this.#byId.get(last);
		return row?.windowStart === windowStart && row.cadence === cadence ? row : undefined;
	}

	get(id: number): BudgetCounterRow | undefined {
		return this.#byId.get(id);
	}

	/** Changes the cached row itself: a copy for each level of each use takes longer than its statement. */
	set<Column extends keyof BudgetCounterRow>(id: number, column: Column, value: BudgetCounterRow[Column]): void {
		const row = this.#byId.get(id);
		if (row) row[column] = value;
	}

	put(row: BudgetCounterRow): BudgetCounterRow {
		if (this.#byId.size >= cachedMax) this.#clear();
		this.#byId.set(row.id, row);
		this.#last.set(row.assignmentId, row.id);
		return row;
	}

	#clear(): void {
		this.#byId.clear();
		this.#last.clear();
	}
}

const buildCache = (): CounterCache => new CounterCache();

const cacheOf = (work: Work): CounterCache => work.prepared(buildCache).at(work);

/** Returns the counter of a window; undefined before its first usage. Callers must not change it, and later writes of this connection do. */
export function findCounter(
	work: Work,
	budget: Counting,
	{ start: windowStart }: Period,
): BudgetCounterRow | undefined {
	const cache = cacheOf(work);
	const cached = cache.find(budget, windowStart);
	if (cached) return cached;
	const { id: assignmentId, cadence } = budget;
	const found = work.prepared(reads).ofWindow.get({ assignmentId, cadence, windowStart });
	return found && cache.put(found);
}

/** Returns the counter of a window of a customer (row id), and creates it at its first usage. */
export const openCounter = (work: Work, customerId: string, budget: Counting, window: Period): BudgetCounterRow =>
	findCounter(work, budget, window) ??
	cacheOf(work).put(
		work.prepared(writes).insert.get({
			...{ customerId, assignmentId: budget.id, cadence: budget.cadence },
			...{ windowStart: window.start, windowEnd: window.end },
		}),
	);

export const selectCounter = (work: Work, id: number): BudgetCounterRow | undefined =>
	cacheOf(work).get(id) ?? rereadCounter(work, id);

/** Reads a counter from the file. A repair corrects the stored amounts. */
export function rereadCounter(work: Work, id: number): BudgetCounterRow | undefined {
	const found = work.prepared(reads).byId.get({ id });
	return found && cacheOf(work).put(found);
}

export const saveUsed = (work: Work, id: number, used: Decimal): void => save(work, id, "used", used);

export const saveReserved = (work: Work, id: number, reserved: Decimal): void => save(work, id, "reserved", reserved);

export const saveRaised = (work: Work, id: number, raised: Decimal): void => save(work, id, "raised", raised);

export const saveExceeded = (work: Work, id: number, exceededAt: Instant): void =>
	save(work, id, "exceededAt", exceededAt);

function save<Column extends "used" | "reserved" | "raised" | "exceededAt">(
	work: Work,
	id: number,
	column: Column,
	value: BudgetCounterRow[Column],
): void {
	work.prepared(writes)[column].run({ id, value });
	cacheOf(work).set(id, column, value);
}

/** Saves the usage of the counters of one use. Each consumption with budgets writes all levels of its chain. */
export function saveUsedOfAll(work: Work, counters: readonly BudgetCounterRow[], after: (used: Decimal) => Decimal) {
	const { used: statement } = work.prepared(writes);
	const cache = cacheOf(work);
	for (const { id, used } of counters) {
		const value = after(used);
		statement.run({ id, value });
		cache.set(id, "used", value);
	}
}
