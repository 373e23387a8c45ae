import { wordsOf } from "../blocks/event-block";
import { hourOf } from "../hours";
import type { Cancellation } from "../log/canceled-events";
import type { Counting } from "./counting";
import type { EarlyEvents } from "./early-events";
import type { LogEnd } from "./log-end";
import { countSlice } from "./slice-count";
import { type Counter, type HourTally, hourKey, Tally } from "./tally";

/** Our choice: cancellations that are looked at in one step. */
const cancellationsMax = 1000;

interface EventsOfHour {
	readonly first_event: number;
	readonly offsets: Uint8Array;
}

/** An hour of which an event was taken back. */
interface TouchedHour {
	readonly subjectId: number;
	readonly hour: number;
	readonly environmentId: string;
	/** The last of its cancellations. */
	cancellation: number;
}

/** What it comes to without them. */
interface CorrectedHour extends TouchedHour {
	readonly counted: readonly HourTally[];
}

/** As it is tried again (retries.ts). */
const retried = "the cancellations";

/**
 * Follows the cancellations of events. What was taken back cannot be subtracted from a least value or a set: so the hours
 * that it touches are counted again from the raw events, for every function alike, and the days and the whole are put
 * together from them. The position among the cancellations commits with the totals that follow it. What is counted later
 * passes over what is canceled up to that position.
 */
export class Corrections {
	readonly #counting: Counting;
	readonly #end: LogEnd;
	readonly #early: EarlyEvents;
	readonly #saveSubject;
	readonly #selectEvents;
	readonly #selectSize;

	constructor(counting: Counting, end: LogEnd, early: EarlyEvents) {
		const { usage } = counting;
		this.#counting = counting;
		this.#end = end;
		this.#early = early;
		this.#saveSubject = usage.prepare<unknown, [number, number]>(
			"UPDATE usage_subjects SET corrected_to = ? WHERE id = ?",
		);
		this.#selectEvents = usage.prepare<EventsOfHour, [number, number]>(
			"SELECT first_event, offsets FROM usage_events_by_hour WHERE subject_id = ? AND hour = ? ORDER BY first_event",
		);
		this.#selectSize = usage.prepare<{ events: number | null }, [number, number]>(
			"SELECT sum(length(offsets)) / 4 AS events FROM usage_events_by_hour WHERE subject_id = ? AND hour = ?",
		);
	}

	/** Whether there is something to follow. */
	get isDue(): boolean {
		const { canceled, retries } = this.#counting;
		return canceled.next(1).length > 0 && !retries.isResting(retried);
	}

	/**
	 * Follows the next cancellations, inside the caller's transaction, in which all that was counted has been written: hours of
	 * about so many events as a step counts, or one.
	 */
	step(): void {
		const { canceled, totals, retries } = this.#counting;
		const hours = retries.attempt(retried, () => this.#countAgain());
		if (!hours) {
			canceled.forget();
			return;
		}
		totals.forget();
		for (const { subjectId, cancellation, counted } of hours) {
			for (const tally of counted) totals.replaceHour(tally);
			this.#saveSubject.run(cancellation, subjectId);
		}
		canceled.save();
	}

	/** Nothing is written before all of it was read. */
	#countAgain(): CorrectedHour[] {
		const { canceled, chunkEvents } = this.#counting;
		const hours = new Map<number, TouchedHour>();
		let events = 0;
		let followedTo = 0;
		for (const cancellation of canceled.next(cancellationsMax)) {
			const touched = this.#touchedBy(cancellation);
			const key = touched && hourKey(touched.subjectId, touched.hour);
			const known = key === undefined ? undefined : hours.get(key);
			if (known) known.cancellation = cancellation.id;
			else if (touched && key !== undefined) {
				events += this.#selectSize.get(touched.subjectId, touched.hour)?.events ?? 0;
				if (hours.size > 0 && events > chunkEvents) break;
				hours.set(key, touched);
			}
			followedTo = cancellation.id;
		}
		if (followedTo > 0) canceled.advance(followedTo);
		return [...hours.values()].map((hour) => ({ ...hour, counted: this.#countHour(hour) }));
	}

	/** Undefined where the event is in no total: it was not counted yet, or waits for its customer. */
	#touchedBy({ id, event }: Cancellation): TouchedHour | undefined {
		const { log, subjects } = this.#counting;
		if (event > this.#end.postedTo) return undefined;
		const block = log.blockOf(event);
		const index = event - block.firstEvent;
		const customer = block.customer(index);
		const owner = subjects.owner(customer);
		const { environmentId, customerId } = owner;
		if (customerId === undefined || (owner.cameEarly && this.#early.isWaiting(customer, event))) return undefined;
		const subjectId = subjects.subjectOf(customerId, owner, block.resource(index));
		return { subjectId, hour: hourOf(block.at(index)), environmentId, cancellation: id };
	}

	/** By each list of counters. */
	#countHour({ subjectId, hour, environmentId }: TouchedHour): HourTally[] {
		const { counters } = this.#counting;
		const events = this.#selectEvents
			.all(subjectId, hour)
			.flatMap(({ first_event, offsets }) => Array.from(wordsOf(offsets), (offset) => first_event + offset));
		events.sort((one, other) => one - other);
		// Those that count the past have come as far as they have, and will pass over the rest when they come to it.
		const filling = counters.filling().filter(({ counter }) => counter.environmentId === environmentId);
		return [
			...this.#countBy(counters.live(environmentId), events),
			...filling.flatMap(({ counter, countedTo }) =>
				this.#countBy(
					[counter],
					events.filter((event) => event <= countedTo),
				),
			),
		];
	}

	/** Events of one hour of one subject. */
	#countBy(counters: readonly Counter[], events: readonly number[]): HourTally[] {
		const { log, subjects, cuts, canceled } = this.#counting;
		const tally = new Tally(cuts.standing);
		for (const slice of log.at(events)) countSlice(slice, tally, subjects, () => counters, canceled.in(slice.block));
		return tally.sorted();
	}
}
