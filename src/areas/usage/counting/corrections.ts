import type { Database as SqliteFile } from "bun:sqlite";
import { wordsOf } from "../log/event-block";
import type { Cancellation, LogReader } from "../log/log-reader";
import type { Counters } from "./counters";
import type { Cuts } from "./cuts";
import { hourOf } from "./hours";
import { countSlice } from "./slice-count";
import type { Subjects } from "./subjects";
import { type Counter, hourKey, Tally } from "./tally";
import type { Totals } from "./totals";

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
	readonly customerId: string;
	/** The last of its cancellations. */
	cancellation: number;
}

export interface CorrectionsOptions {
	readonly usage: SqliteFile;
	readonly log: LogReader;
	readonly subjects: Subjects;
	readonly cuts: Cuts;
	readonly totals: Totals;
	readonly counters: Counters;
	/** Whether an event of a customer (`event_customers.id`) waits for that to exist. */
	readonly isPending: (customer: number, event: number) => boolean;
}

/**
 * Follows the cancellations of events. What was taken back cannot be subtracted from a least value or a set: so the hours
 * that it touches are counted again from the raw events, for every function alike, and the days and the whole are put
 * together from them. The position among the cancellations commits with the totals that follow it. What is counted later
 * passes over what is canceled up to that position.
 */
export class Corrections {
	readonly #options: CorrectionsOptions;
	readonly #select;
	readonly #save;
	readonly #saveSubject;
	readonly #selectEvents;
	readonly #selectSize;
	#correctedTo: number;

	constructor(options: CorrectionsOptions) {
		const { usage } = options;
		this.#options = options;
		this.#select = usage.prepare<{ corrected_to: number }, []>("SELECT corrected_to FROM usage_cursor WHERE id = 1");
		this.#save = usage.prepare<unknown, [number]>("UPDATE usage_cursor SET corrected_to = ? WHERE id = 1");
		this.#saveSubject = usage.prepare<unknown, [number, number]>(
			"UPDATE usage_subjects SET corrected_to = ? WHERE id = ?",
		);
		this.#selectEvents = usage.prepare<EventsOfHour, [number, number]>(
			"SELECT first_event, offsets FROM usage_events_by_hour WHERE subject_id = ? AND hour = ? ORDER BY first_event",
		);
		this.#selectSize = usage.prepare<{ events: number | null }, [number, number]>(
			"SELECT sum(length(offsets)) / 4 AS events FROM usage_events_by_hour WHERE subject_id = ? AND hour = ?",
		);
		this.#correctedTo = this.#read();
	}

	/** Id of the last cancellation that the totals follow. */
	readonly correctedTo = (): number => this.#correctedTo;

	/** Whether there is something to follow. */
	get isDue(): boolean {
		return this.#options.log.cancellationsAfter(this.#correctedTo, 1).length > 0;
	}

	/**
	 * Follows the next cancellations, inside the caller's transaction, in which all that was counted up to `end` has been
	 * written: hours of about so many events, or one. Answers whose totals have changed.
	 */
	step(end: number, eventsMax: number): ReadonlySet<string> {
		const hours = new Map<number, TouchedHour>();
		let events = 0;
		for (const cancellation of this.#options.log.cancellationsAfter(this.#correctedTo, cancellationsMax)) {
			const touched = this.#touchedBy(cancellation, end);
			const key = touched && hourKey(touched.subjectId, touched.hour);
			const known = key === undefined ? undefined : hours.get(key);
			if (known) known.cancellation = cancellation.id;
			else if (touched && key !== undefined) {
				events += this.#selectSize.get(touched.subjectId, touched.hour)?.events ?? 0;
				if (hours.size > 0 && events > eventsMax) break;
				hours.set(key, touched);
			}
			this.#correctedTo = cancellation.id;
		}
		this.#options.totals.forget();
		for (const hour of hours.values()) this.#countAgain(hour);
		this.#save.run(this.#correctedTo);
		return new Set([...hours.values()].map(({ customerId }) => customerId));
	}

	/** After a rollback. */
	forget(): void {
		this.#correctedTo = this.#read();
	}

	/** Undefined where the event is in no total: it was not counted yet, or waits for its customer. */
	#touchedBy({ id, event }: Cancellation, end: number): TouchedHour | undefined {
		const { log, subjects, isPending } = this.#options;
		if (event > end) return undefined;
		const block = log.blockOf(event);
		const index = event - block.firstEvent;
		const customer = block.customer(index);
		const owner = subjects.owner(customer);
		const { environmentId, customerId } = owner;
		if (customerId === undefined || (owner.cameEarly && isPending(customer, event))) return undefined;
		const subjectId = subjects.subjectOf(customerId, owner, block.resource(index));
		return { subjectId, hour: hourOf(block.at(index)), environmentId, customerId, cancellation: id };
	}

	#countAgain({ subjectId, hour, environmentId, cancellation }: TouchedHour): void {
		const { counters } = this.#options;
		const events = this.#selectEvents
			.all(subjectId, hour)
			.flatMap(({ first_event, offsets }) => Array.from(wordsOf(offsets), (offset) => first_event + offset));
		events.sort((one, other) => one - other);
		this.#countBy(counters.live(environmentId), events);
		// Those that count the past have come as far as they have, and will pass over the rest when they come to it.
		for (const { counter, countedTo } of counters.filling())
			if (counter.environmentId === environmentId)
				this.#countBy(
					[counter],
					events.filter((event) => event <= countedTo),
				);
		this.#saveSubject.run(cancellation, subjectId);
	}

	/** Events of one hour of one subject. */
	#countBy(counters: readonly Counter[], events: readonly number[]): void {
		const { log, subjects, cuts, totals } = this.#options;
		const tally = new Tally(cuts.standing);
		for (const slice of log.at(events))
			countSlice(slice, tally, subjects, () => counters, log.canceledOf(slice.block, this.#correctedTo));
		const [counted] = tally.sorted();
		if (counted) totals.replaceHour(counted);
	}

	#read(): number {
		return this.#select.get()?.corrected_to ?? 0;
	}
}
