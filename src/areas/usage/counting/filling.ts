import type { Entry } from "./counters";
import type { Counting } from "./counting";
import type { Rebuild } from "./rebuild";
import { countSlice } from "./slice-count";
import { type Counter, Tally } from "./tally";

/** Amounts in memory before a write, which takes about 50 ms. The end of the log waits for it. */
const tallyHoursMax = 10_000;
const tallyEventsMax = 400_000;

/** About 10 ms, which delay the end of the log. */
const chunkEventsMax = 5_000;

/** The name by which `retries` knows this work. */
const past = "the past of the log";

/**
 * Counters, and the index if it is rebuilt, at one position of the log. They advance together, so each event is read
 * once for all of them.
 */
interface Group {
	readonly entries: readonly Entry[];
	readonly hasIndex: boolean;
	readonly countedTo: number;
	/** The next position at which another group stands, which then joins. */
	readonly othersAt: number;
	/** Identifies the group. */
	readonly name: string;
}

interface Batch extends Group {
	readonly byEnvironment: ReadonlyMap<string, readonly Counter[]>;
	readonly tally: Tally;
	/** The last event in the tally. */
	to: number;
}

const none: readonly Counter[] = [];

/**
 * Counts the past of the log for new meters and for rebuilds (rebuild.ts). As at the end of the log, amounts stay in
 * memory and are written with their position now and then.
 */
export class Filling {
	readonly #counting: Counting;
	readonly #rebuild: Rebuild;
	#batch: Batch | undefined;
	#end = 0;

	constructor(counting: Counting, rebuild: Rebuild) {
		this.#counting = counting;
		this.#rebuild = rebuild;
	}

	/** The position of the group that is furthest behind; undefined if all have caught up. */
	get countedTo(): number | undefined {
		return this.#group()?.countedTo;
	}

	/** Whether the amounts must be written before counting continues. */
	get isWriteDue(): boolean {
		const batch = this.#batch;
		if (!batch) return false;
		const isLarge = batch.tally.size >= tallyHoursMax || batch.to - batch.countedTo >= tallyEventsMax;
		return isLarge || batch.to >= Math.min(batch.othersAt, this.#end);
	}

	/** Whether counting pauses because a file of the log cannot be read. */
	get isResting(): boolean {
		return this.#counting.retries.isResting(past);
	}

	/**
	 * Counts one chunk in memory, up to `end`, the position of the live counters; returns whether there is work left.
	 */
	count(end: number): boolean {
		this.#end = end;
		const { retries } = this.#counting;
		const batch = this.#begun();
		if (!batch) {
			retries.discard(past);
			return false;
		}
		return this.isWriteDue || retries.attempt(past, () => this.#read(batch, Math.min(batch.othersAt, end))) === true;
	}

	#read(batch: Batch, upTo: number): true {
		const { log, subjects, cancellations, chunkEvents } = this.#counting;
		const { byEnvironment, hasIndex, tally } = batch;
		const before = batch.to;
		const countersOf = (environmentId: string) => byEnvironment.get(environmentId) ?? (hasIndex ? none : undefined);
		for (const slice of log.after(before, upTo, Math.min(chunkEvents, chunkEventsMax))) {
			countSlice(slice, tally, subjects, countersOf, cancellations.in(slice.block));
			batch.to = slice.block.firstEvent + slice.to - 1;
		}
		// Without events to read, the group has arrived.
		if (batch.to === before) batch.to = upTo;
		return true;
	}

	/**
	 * Writes counted amounts, inside the caller's transaction. A group that has reached `end`, the position of the live
	 * counters, takes over. Returns whether it did.
	 */
	write(end: number): boolean {
		this.count(end);
		const batch = this.#batch;
		if (!batch) return false;
		const { counters, totals } = this.#counting;
		const { entries, hasIndex, tally, to } = batch;
		this.#batch = undefined;
		const hours = tally.sorted();
		totals.add(hours);
		counters.advanceFilling(entries, to);
		if (hasIndex) this.#rebuild.addToIndex(hours, to);
		if (to < end) return false;
		counters.takeOver(entries);
		if (hasIndex) this.#rebuild.takeOverIndex();
		return true;
	}

	/** Discards memory after a rollback: the log is counted again from the stored positions. */
	discard(): void {
		this.#batch = undefined;
	}

	/** Returns the batch of the present group; discards the batch of another group. */
	#begun(): Batch | undefined {
		const group = this.#group();
		if (this.#batch && this.#batch.name === group?.name) return this.#batch;
		this.#batch = group && {
			...group,
			byEnvironment: Map.groupBy(
				group.entries.map(({ counter }) => counter),
				({ environmentId }) => environmentId,
			),
			tally: new Tally(this.#counting.cuts.standing),
			to: group.countedTo,
		};
		return this.#batch;
	}

	#group(): Group | undefined {
		const filling = this.#counting.counters.filling();
		const { indexedTo } = this.#rebuild;
		const positions = filling.map(({ countedTo }) => countedTo);
		if (indexedTo !== undefined) positions.push(indexedTo);
		if (positions.length === 0) return undefined;
		const countedTo = Math.min(...positions);
		const entries = filling.filter((entry) => entry.countedTo === countedTo);
		const hasIndex = indexedTo === countedTo;
		return {
			entries,
			hasIndex,
			countedTo,
			othersAt: Math.min(...positions.filter((position) => position > countedTo)),
			name: `${countedTo} ${hasIndex} ${entries.map(({ counter }) => counter.id).join()}`,
		};
	}
}
