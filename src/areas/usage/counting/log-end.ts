import type { LogSlice } from "../log/log-reader";
import type { Counting } from "./counting";
import type { EarlyEvents } from "./early-events";
import type { EventNames } from "./event-names";
import { type CountersOf, countSlice } from "./slice-count";
import { Tally } from "./tally";

/** Our choices: what is counted in memory until it is written, some 60 MB. */
const tallyHoursMax = 100_000;
const tallyEventsMax = 2_000_000;

/**
 * Counts the log from where the totals end, for all meters that have caught up with it: in memory, until it is written. The
 * position in the log commits with the totals up to it: after a crash it goes on where they stand.
 */
export class LogEnd {
	readonly #counting: Counting;
	readonly #early: EarlyEvents;
	readonly #names: EventNames;
	readonly #tally: Tally;
	readonly #selectPosition;
	readonly #setPosition;
	#postedTo: number;
	#countedTo: number;

	constructor(counting: Counting, early: EarlyEvents, names: EventNames) {
		const { usage, cuts } = counting;
		this.#counting = counting;
		this.#early = early;
		this.#names = names;
		this.#tally = new Tally(cuts.opening);
		this.#selectPosition = usage.prepare<{ counted_to: number }, []>(
			"SELECT counted_to FROM usage_cursor WHERE id = 1",
		);
		this.#setPosition = usage.prepare<unknown, [number]>("UPDATE usage_cursor SET counted_to = ? WHERE id = 1");
		this.#postedTo = this.#position();
		this.#countedTo = this.#postedTo;
	}

	/** Up to which event the totals in the file count. */
	get postedTo(): number {
		return this.#postedTo;
	}

	/** Up to which event it was counted. */
	get countedTo(): number {
		return this.#countedTo;
	}

	/** Whether all that was counted is in the totals. */
	get isPosted(): boolean {
		return this.#countedTo === this.#postedTo;
	}

	/** Whether memory has to be made free. */
	get isLarge(): boolean {
		const events = this.#countedTo - this.#postedTo + this.#early.size;
		return this.#names.isFull || this.#tally.size >= tallyHoursMax || events >= tallyEventsMax;
	}

	/** What was counted since the totals: of which subjects and hours. */
	get tally(): Tally {
		return this.#tally;
	}

	/**
	 * Counts on; answers whether there may be more, also where meters have to be looked at first (`counters.follow`). Only of
	 * totals that are counted anew is the end in the archive.
	 */
	count(): boolean {
		return this.#counting.retries.attempt("the end of the log", () => this.#read()) ?? false;
	}

	#read(): boolean {
		const { log, subjects, counters, canceled, chunkEvents } = this.#counting;
		const before = this.#countedTo;
		const countersOf: CountersOf = (owner, customer, event) => {
			if (owner.customerId !== undefined) return counters.live(owner.environmentId);
			this.#early.add(customer, event);
			return undefined;
		};
		for (const slice of log.after(before, Number.MAX_SAFE_INTEGER, chunkEvents)) {
			if (!this.#hasMet(slice)) return true;
			countSlice(slice, this.#tally, subjects, countersOf, canceled.in(slice.block));
			this.#names.add(slice);
			this.#countedTo = slice.block.firstEvent + slice.to - 1;
		}
		return this.#countedTo > before;
	}

	/** Writes what was counted to the totals, inside the caller's transaction. */
	write(): void {
		if (this.isPosted) return;
		const { subjects, cuts, totals, counters } = this.#counting;
		const hours = this.#tally.sorted();
		subjects.save();
		cuts.save();
		totals.post(hours);
		totals.add(hours);
		this.#early.save();
		counters.advanceLive(this.#countedTo);
		this.#setPosition.run(this.#countedTo);
		this.#postedTo = this.#countedTo;
		this.#tally.clear();
	}

	/** After a rollback: what was not written is counted again from the log. */
	forget(): void {
		this.#postedTo = this.#position();
		this.#countedTo = this.#postedTo;
		this.#tally.clear();
	}

	/**
	 * Whether all meters that may count these events are known. An environment that nobody has looked at is looked at by the
	 * next write, which empties the tally: a meter begins between two writes, never within.
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
