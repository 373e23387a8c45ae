import type { Entry } from "./counters";
import type { Counting } from "./counting";
import type { EarlyEvents } from "./early-events";
import type { Rebuild } from "./rebuild";
import { type CountersOf, countSlice } from "./slice-count";
import { type Counter, Tally } from "./tally";

/** Our choices: what is counted in memory until it is written, which takes some 50 ms; the end of the log waits so long. */
const tallyHoursMax = 10_000;
const tallyEventsMax = 400_000;

/** Our choice: some 10 ms, by which the end of the log is counted later. */
const chunkEventsMax = 5_000;

/** As it is tried again (retries.ts). */
const past = "the past of the log";

/** What stands at the same position of the log, and goes on together: so each event is read once for all of them. */
interface Group {
	readonly entries: readonly Entry[];
	readonly hasIndex: boolean;
	readonly countedTo: number;
	/** Where others stand, who join then. */
	readonly othersAt: number;
	/** Tells whether it is still the same one. */
	readonly name: string;
}

interface Batch extends Group {
	readonly byEnvironment: ReadonlyMap<string, readonly Counter[]>;
	readonly tally: Tally;
	/** Up to which event the tally holds the log. */
	to: number;
}

const none: readonly Counter[] = [];

/**
 * Counts the past of the log for those that have not caught up with it: new meters, and what is counted anew (rebuild.ts).
 * As the end of the log, it is counted in memory and written now and then, with the position that it has come to.
 */
export class Filling {
	readonly #counting: Counting;
	readonly #rebuild: Rebuild;
	readonly #early: EarlyEvents;
	#batch: Batch | undefined;
	#end = 0;

	constructor(counting: Counting, rebuild: Rebuild, early: EarlyEvents) {
		this.#counting = counting;
		this.#rebuild = rebuild;
		this.#early = early;
	}

	/** Where who is furthest behind stands; undefined when all have caught up. */
	get countedTo(): number | undefined {
		return this.#group()?.countedTo;
	}

	/** Whether what was counted is to be written before more is. */
	get isWriteDue(): boolean {
		const batch = this.#batch;
		if (!batch) return false;
		const isLarge = batch.tally.size >= tallyHoursMax || batch.to - batch.countedTo >= tallyEventsMax;
		return isLarge || batch.to >= Math.min(batch.othersAt, this.#end);
	}

	/** Whether it rests, since the past could not be read. */
	get isResting(): boolean {
		return this.#counting.retries.isResting(past);
	}

	/** Counts on in memory, by a chunk, up to `end`, which the others have come to; answers whether there is anything to do. */
	count(end: number): boolean {
		this.#end = end;
		const { retries } = this.#counting;
		const batch = this.#begun();
		if (!batch) {
			retries.forget(past);
			return false;
		}
		return this.isWriteDue || retries.attempt(past, () => this.#read(batch, Math.min(batch.othersAt, end))) === true;
	}

	#read(batch: Batch, upTo: number): true {
		const { log, subjects, canceled, chunkEvents } = this.#counting;
		const { byEnvironment, hasIndex, tally } = batch;
		const before = batch.to;
		for (const slice of log.after(before, upTo, Math.min(chunkEvents, chunkEventsMax))) {
			const countersOf: CountersOf = ({ environmentId, cameEarly }, customer, event) => {
				const counters = byEnvironment.get(environmentId) ?? (hasIndex ? none : undefined);
				// An event that is still waiting for its customer is counted when that comes.
				return counters && cameEarly && this.#early.isWaiting(customer, event) ? undefined : counters;
			};
			countSlice(slice, tally, subjects, countersOf, canceled.in(slice.block));
			batch.to = slice.block.firstEvent + slice.to - 1;
		}
		// Where nothing was left to read, they have arrived.
		if (batch.to === before) batch.to = upTo;
		return true;
	}

	/**
	 * Writes what was counted, inside the caller's transaction, and lets those that have come to `end`, which the others have,
	 * take the places of who answered for them until now; answers whether any did.
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

	/** After a rollback: what was not written is counted again from the log. */
	forget(): void {
		this.#batch = undefined;
	}

	/** What is being counted; what was counted for others than are to be counted now is thrown away. */
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
