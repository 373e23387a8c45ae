import type { Instant } from "../../../kernel/clock";
import { wordsOf } from "../blocks/event-block";
import type { Counting } from "./counting";
import { countSlice } from "./slice-count";
import { type Counter, type HourTally, Tally } from "./tally";

/** An hour of a subject that is to be counted again from the log. */
export interface StaleHour {
	readonly environmentId: string;
	readonly subjectId: number;
	readonly hour: number;
	/** Instants at which the hour is cut, in addition to its present cuts. */
	readonly cuts: Set<Instant>;
	/** The last cancellation of one of its events; 0 if it has none. */
	cancellation: number;
}

/** A stale hour, and the events that are read and not counted yet. */
interface OpenHour extends StaleHour {
	/** The first event of the piece of the index that was read last. */
	readTo: number;
	offsets: Uint32Array;
	nextOffset: number;
	readonly live: readonly Counter[];
	/** Counters of the past, each up to the event that it has counted. */
	readonly past: ReadonlyArray<{ readonly counters: readonly Counter[]; readonly countedTo: number }>;
}

interface Piece {
	readonly first_event: number;
	readonly offsets: Uint8Array;
}

/**
 * Counts hours again from the raw events, for all counters, a limited number of events in each step. Events that are counted
 * between two steps are new pieces of the index, which the next step reads. Meanwhile no counter of the past may advance.
 */
export class HourRecount {
	readonly #counting: Counting;
	readonly #canceledTo: number;
	readonly #hours: readonly OpenHour[];
	readonly #tally: Tally;
	readonly #select;

	/** Leaves out events that are canceled up to the cancellation `canceledTo`. */
	constructor(counting: Counting, hours: readonly StaleHour[], canceledTo: number) {
		const { usage, counters, cuts } = counting;
		this.#counting = counting;
		this.#canceledTo = canceledTo;
		this.#hours = hours.map((hour) => ({
			...hour,
			...{ readTo: 0, offsets: new Uint32Array(), nextOffset: 0, live: counters.live(hour.environmentId) },
			past: counters
				.filling()
				.filter(({ counter }) => counter.environmentId === hour.environmentId)
				.map(({ counter, countedTo }) => ({ counters: [counter], countedTo })),
		}));
		const cutsOf = new Map(hours.map(({ subjectId, hour, cuts }) => [`${subjectId} ${hour}`, cuts]));
		this.#tally = new Tally((subjectId, hour) => [
			...new Set([...cuts.standing(subjectId, hour), ...(cutsOf.get(`${subjectId} ${hour}`) ?? [])]),
		]);
		this.#select = usage.query<Piece, [number, number, number]>(
			`SELECT first_event, offsets FROM usage_events_by_hour WHERE subject_id = ? AND hour = ? AND first_event > ?
			ORDER BY first_event LIMIT 1`,
		);
	}

	/** Counts at most `eventsMax` events; returns whether all events of the hours are counted. */
	step(eventsMax: number): boolean {
		let left = eventsMax;
		for (const hour of this.#hours)
			while (hour.nextOffset < hour.offsets.length || this.#readPiece(hour)) {
				if (left <= 0) return false;
				left -= this.#count(hour, left);
			}
		return true;
	}

	/** The recounted hours. */
	get tallies(): readonly HourTally[] {
		return this.#tally.hours();
	}

	#readPiece(hour: OpenHour): boolean {
		const piece = this.#select.get(hour.subjectId, hour.hour, hour.readTo);
		if (!piece) return false;
		hour.readTo = piece.first_event;
		hour.offsets = wordsOf(piece.offsets);
		hour.nextOffset = 0;
		return true;
	}

	/** Returns the number of events. */
	#count(hour: OpenHour, eventsMax: number): number {
		const { readTo, offsets, nextOffset, live, past } = hour;
		const events = Array.from(offsets.subarray(nextOffset, nextOffset + eventsMax), (offset) => readTo + offset);
		hour.nextOffset += events.length;
		this.#countBy(live, events);
		for (const { counters, countedTo } of past)
			this.#countBy(
				counters,
				events.filter((event) => event <= countedTo),
			);
		return events.length;
	}

	#countBy(counters: readonly Counter[], events: readonly number[]): void {
		const { log, subjects, cancellations } = this.#counting;
		for (const slice of log.at(events))
			countSlice(slice, this.#tally, subjects, () => counters, cancellations.in(slice.block, this.#canceledTo));
		// The index lists them already.
		for (const { eventIds } of this.#tally.fresh) eventIds.length = 0;
		this.#tally.havePublished();
	}
}
