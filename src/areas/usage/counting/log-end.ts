import type { EventNames } from "../events/name-counts";
import type { LogSlice } from "../log/log-reader";
import type { Counting } from "./counting";
import { countSlice } from "./slice-count";
import { Tally } from "./tally";

/** Amounts in memory before a write, about 60 MB. */
const tallyHoursMax = 100_000;
const tallyEventsMax = 2_000_000;

/**
 * Counts the log from the end of the totals, for all live counters. Amounts stay in memory until they are written, with
 * the position in the log. After a crash, counting resumes from there.
 */
export class LogEnd {
	readonly #counting: Counting;
	readonly #names: EventNames;
	readonly #tally: Tally;
	readonly #selectPosition;
	readonly #setPosition;
	#postedTo: number;
	#countedTo: number;

	constructor(counting: Counting, names: EventNames) {
		const { usage, cuts } = counting;
		this.#counting = counting;
		this.#names = names;
		this.#tally = new Tally(cuts.opening);
		this.#selectPosition = usage.prepare<{ counted_to: number }, []>(
			"SELECT counted_to FROM usage_cursor WHERE id = 1",
		);
		this.#setPosition = usage.prepare<unknown, [number]>("UPDATE usage_cursor SET counted_to = ? WHERE id = 1");
		this.#postedTo = this.#position();
		this.#countedTo = this.#postedTo;
	}

	/** The last event in the totals. */
	get postedTo(): number {
		return this.#postedTo;
	}

	/** The last counted event. */
	get countedTo(): number {
		return this.#countedTo;
	}

	/** Whether the totals hold all counted events. */
	get isPosted(): boolean {
		return this.#countedTo === this.#postedTo;
	}

	/** Whether memory must be freed by a write. */
	get isLarge(): boolean {
		const events = this.#countedTo - this.#postedTo;
		return this.#names.isFull || this.#tally.size >= tallyHoursMax || events >= tallyEventsMax;
	}

	/** The amounts since the last write, by subject and hour. */
	get tally(): Tally {
		return this.#tally;
	}

	/**
	 * Counts one chunk; returns whether there may be more, or whether meters must be read first (`counters.follow`). It
	 * needs the archive only while lost totals are counted again.
	 */
	count(): boolean {
		return this.#counting.retries.attempt("the end of the log", () => this.#read()) ?? false;
	}

	#read(): boolean {
		const { log, subjects, counters, cancellations, chunkEvents } = this.#counting;
		const before = this.#countedTo;
		const countersOf = (environmentId: string) => counters.live(environmentId);
		for (const slice of log.after(before, Number.MAX_SAFE_INTEGER, chunkEvents)) {
			if (!this.#hasMet(slice)) return true;
			countSlice(slice, this.#tally, subjects, countersOf, cancellations.in(slice.block));
			this.#names.add(slice);
			this.#countedTo = slice.block.firstEvent + slice.to - 1;
		}
		return this.#countedTo > before;
	}

	/**
	 * Writes the amounts to the totals, inside the caller's transaction; returns the customers that took early events
	 * over.
	 */
	write(): ReadonlySet<string> {
		const { subjects, cuts, totals, counters } = this.#counting;
		const hours = this.#tally.sorted();
		const tookOver = subjects.save();
		cuts.save();
		totals.post(hours);
		totals.add(hours);
		counters.advanceLive(this.#countedTo);
		this.#setPosition.run(this.#countedTo);
		this.#postedTo = this.#countedTo;
		this.#tally.clear();
		return tookOver;
	}

	/** Discards memory after a rollback: unwritten amounts are counted again from the log. */
	discard(): void {
		this.#postedTo = this.#position();
		this.#countedTo = this.#postedTo;
		this.#tally.clear();
	}

	/**
	 * Whether the meters of all environments of these events are known. The next write reads the meters of an unknown
	 * environment and empties the tally: a counter begins between two writes.
	 */
	#hasMet({ block, from, to }: LogSlice): boolean {
		const { subjects, counters } = this.#counting;
		let hasMet = true;
		let last: string | undefined;
		for (let index = from; index < to; index += 1) {
			const { environmentId } = subjects.owner(block.customer(index));
			if (environmentId === last) continue;
			last = environmentId;
			hasMet = counters.meet(environmentId) && hasMet;
		}
		return hasMet;
	}

	#position(): number {
		return this.#selectPosition.get()?.counted_to ?? 0;
	}
}
