import { oneMonth, oneWeek, oneYear, periodContaining } from "../../../kernel/period";
import { hourMs, hourOf } from "../hours";
import type { Cancellation } from "../log/canceled-events";
import type { Counting } from "./counting";
import { HourRecount, type StaleHour } from "./hour-recount";
import type { LogEnd } from "./log-end";
import { type Sale, Sales } from "./sales";
import { hourKey } from "./tally";

/**
 * Cancellations that one recount follows, and hours that wait to be cut. An hour without its cut costs time at reads,
 * and nothing else.
 */
const cancellationsMax = 1000;
const cutsMax = 10_000;

/** Hours that one step cuts without a recount. */
const endCutsMax = 1000;

/** The names by which `retries` knows a recount. */
const afterCancellations = "the cancellations";
const cutOf = (subjectId: number, hour: number): string => `the cut of ${subjectId} in ${hour}`;

interface Recount {
	readonly name: string;
	readonly hours: readonly StaleHour[];
	readonly canceledTo: number;
	readonly counting: HourRecount;
	readonly countersVersion: number;
}

/**
 * Marks hours of subjects as stale, and counts them again from the log. An hour is stale
 *
 * - after the cancellation of one of its events: a least value or a set of values cannot be subtracted from;
 * - when a usage period begins in it that was not known at its first event: each side of that instant has totals of its own.
 *
 * No mark is stored. The totals commit with the position of the last cancellation that they follow, so a crash loses no
 * cancellation; a cut that is lost costs time at reads only. Late events mark nothing: totals grow in any order.
 */
export class StaleHours {
	readonly #counting: Counting;
	readonly #end: LogEnd;
	readonly #sales: Sales;
	readonly #saveSubject;
	readonly #selectSize;
	readonly #hasAtOrAfter;
	/** Hours that wait for their cut, by name. */
	readonly #uncut = new Map<string, StaleHour>();
	#recount: Recount | undefined;

	constructor(counting: Counting, end: LogEnd) {
		const { usage, main, clock } = counting;
		this.#counting = counting;
		this.#end = end;
		this.#sales = new Sales(main, clock);
		this.#saveSubject = usage.prepare<unknown, [number, number]>(
			"UPDATE usage_subjects SET corrected_to = ? WHERE id = ?",
		);
		this.#selectSize = usage.prepare<{ events: number | null }, [number, number]>(
			"SELECT sum(length(offsets)) / 4 AS events FROM usage_events_by_hour WHERE subject_id = ? AND hour = ?",
		);
		this.#hasAtOrAfter = usage.prepare<unknown, [number, number, number]>(
			`SELECT 1 FROM usage_events_by_hour WHERE subject_id = ? AND hour = ? AND (last_at IS NULL OR last_at >= ?) LIMIT 1`,
		);
	}

	/** Whether a step is due. */
	get isDue(): boolean {
		return this.isRecounting || this.#next() !== undefined;
	}

	/** Whether a recount has begun and needs further steps: until then no counter of the past may advance. */
	get isRecounting(): boolean {
		return this.#recount !== undefined;
	}

	/**
	 * Returns whether new sales cut hours. Their cuts go before the events that came after the sale: as long as no event
	 * behind the cut is counted, it needs no recount.
	 */
	hasNewCuts(): boolean {
		if (this.#nextCut() !== undefined) return false;
		this.followSales();
		return this.#nextCut() !== undefined;
	}

	/** Marks the hours that new sales cut. */
	followSales(): void {
		const { subjects, epochOf } = this.#counting;
		for (const sale of this.#sales.next(epochOf()))
			for (const subjectId of subjects.of(sale.customer_id)) this.#markCuts(sale, subjectId);
	}

	/** Recounts stale hours, inside the caller's transaction, in which all that was counted has been written. */
	step(): void {
		const { counters, retries, chunkEvents } = this.#counting;
		if (this.#recount?.countersVersion !== counters.version) this.#recount = undefined;
		if (!this.isRecounting) this.#cutEnds();
		const name = this.#recount?.name ?? this.#next();
		if (name === undefined) return;
		const isCounted = retries.attempt(name, () => {
			this.#recount ??= this.#begin(name);
			return this.#recount.counting.step(chunkEvents);
		});
		if (isCounted && this.#recount) this.#replace(this.#recount);
		if (isCounted !== false) this.#recount = undefined;
	}

	/** Starts the recount again: values of events were erased. */
	restart(): void {
		this.#recount = undefined;
	}

	/** Discards all marks after a rollback. */
	discard(): void {
		this.#recount = undefined;
		this.#uncut.clear();
		this.#sales.discard();
	}

	#next(): string | undefined {
		const { cancellations, retries } = this.#counting;
		const isDue = !retries.isResting(afterCancellations) && cancellations.next(1).length > 0;
		return isDue ? afterCancellations : this.#nextCut();
	}

	#nextCut(): string | undefined {
		const { retries } = this.#counting;
		return this.#uncut.keys().find((name) => !retries.isResting(name));
	}

	#begin(name: string): Recount {
		const { counters, cancellations } = this.#counting;
		const uncut = this.#uncut.get(name);
		const { hours, canceledTo } = uncut ? { hours: [uncut], canceledTo: cancellations.to } : this.#canceledHours();
		const counting = new HourRecount(this.#counting, hours, canceledTo);
		return { name, hours, canceledTo, counting, countersVersion: counters.version };
	}

	/** Replaces the totals of the hours, with the days and the whole that they belong to. */
	#replace({ name, hours, canceledTo, counting }: Recount): void {
		const { totals, cuts, cancellations } = this.#counting;
		totals.discard();
		for (const tally of counting.tallies) totals.replaceHour(tally);
		for (const { subjectId, hour, cuts: instants, cancellation } of hours) {
			for (const at of instants) cuts.add(subjectId, hour, at);
			if (cancellation > 0) this.#saveSubject.run(cancellation, subjectId);
		}
		if (canceledTo > cancellations.to) cancellations.follow(canceledTo);
		this.#uncut.delete(name);
	}

	/** Returns the hours of the next cancellations, with about as many events as a step counts, or one hour. */
	#canceledHours(): { readonly hours: readonly StaleHour[]; readonly canceledTo: number } {
		const { cancellations, chunkEvents } = this.#counting;
		const hours = new Map<number, StaleHour>();
		let events = 0;
		let canceledTo = cancellations.to;
		let isFirstCounted: boolean | undefined;
		for (const cancellation of cancellations.next(cancellationsMax)) {
			// An event that is not counted yet needs no recount, if it is canceled by then: now, without further steps.
			const isCounted = cancellation.event <= this.#end.postedTo;
			isFirstCounted ??= isCounted;
			if (isCounted !== isFirstCounted) break;
			if (isCounted) {
				const stale = this.#hourOf(cancellation);
				const key = hourKey(stale.subjectId, stale.hour);
				const known = hours.get(key);
				if (!known) events += this.#selectSize.get(stale.subjectId, stale.hour)?.events ?? 0;
				if (!known && hours.size > 0 && events > chunkEvents) break;
				if (known) known.cancellation = cancellation.id;
				else hours.set(key, stale);
			}
			canceledTo = cancellation.id;
		}
		return { hours: [...hours.values()], canceledTo };
	}

	#hourOf({ id, event }: Cancellation): StaleHour {
		const { log, subjects } = this.#counting;
		const block = log.blockOf(event);
		const index = event - block.firstEvent;
		const owner = subjects.owner(block.customer(index));
		const subjectId = subjects.subjectOf(owner, block.resource(index));
		const { environmentId } = owner;
		return { environmentId, subjectId, hour: hourOf(block.at(index)), cuts: new Set(), cancellation: id };
	}

	/** Marks the hours with events in which usage periods of a sale begin: its first period, and the current ones. */
	#markCuts({ environment_id: environmentId, at: anchor }: Sale, subjectId: number): void {
		const { cuts, clock } = this.#counting;
		const now = clock.now();
		const starts = [oneWeek, oneMonth, oneYear].map(
			(interval) => periodContaining({ anchorAt: anchor, interval }, now).start,
		);
		for (const at of new Set([anchor, ...starts])) {
			const hour = hourOf(at);
			if (at === hour * hourMs || this.#uncut.size >= cutsMax) continue;
			if (cuts.standing(subjectId, hour).includes(at)) continue;
			if (!this.#end.tally.has(subjectId, hour) && !cuts.hasEvents(subjectId, hour)) continue;
			const name = cutOf(subjectId, hour);
			const stale = this.#uncut.get(name) ?? { environmentId, subjectId, hour, cuts: new Set(), cancellation: 0 };
			this.#uncut.set(name, stale);
			stale.cuts.add(at);
		}
	}

	/** Cuts hours behind their last event, without a recount: the hour so far is the part before the cut. Most sales are new. */
	#cutEnds(): void {
		const { counters, cuts, totals } = this.#counting;
		for (const [name, { environmentId, subjectId, hour, cuts: instants }] of this.#uncut.entries().take(endCutsMax)) {
			for (const at of instants) {
				if (this.#hasAtOrAfter.get(subjectId, hour, at) !== null) continue;
				totals.cutAtEnd(counters.all(environmentId), subjectId, hour, at);
				cuts.add(subjectId, hour, at);
				instants.delete(at);
			}
			if (instants.size === 0) this.#uncut.delete(name);
		}
	}
}
