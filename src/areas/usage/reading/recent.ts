import { asc, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import { wordsOf } from "../blocks/event-block";
import type { Range } from "../hours";
import { type RecentHour, usageCursor, usageRecent } from "../table.usage";

/** What came to a subject in an hour. */
export interface CountedHour {
	readonly hour: number;
	readonly amounts: RecentHour[0];
	readonly cuts: RecentHour[1];
}

const { placeholder } = sql;

const buildStatements = (tx: Transaction) => ({
	cursor: tx
		.select({
			countedTo: usageCursor.countedTo,
			shownTo: usageCursor.shownTo,
			revision: usageCursor.revision,
			correctedTo: usageCursor.correctedTo,
		})
		.from(usageCursor)
		.where(eq(usageCursor.id, 1))
		.prepare(),
	/** What was shown after an event. */
	shown: tx
		.select({
			upTo: usageRecent.upTo,
			after: usageRecent.after,
			subjects: sql<Uint8Array>`${usageRecent.subjects}`,
			hours: sql<Uint8Array>`${usageRecent.hours}`,
			came: usageRecent.came,
		})
		.from(usageRecent)
		.where(gt(usageRecent.upTo, placeholder("after")))
		.orderBy(asc(usageRecent.upTo))
		.prepare(),
	events: tx
		.select({
			events: sql<Uint8Array>`${usageRecent.events}`,
			ends: sql<Uint8Array>`${usageRecent.eventEnds}`,
		})
		.from(usageRecent)
		.where(eq(usageRecent.upTo, placeholder("upTo")))
		.prepare(),
});

type Statements = ReturnType<typeof buildStatements>;
type Row = ReturnType<Statements["shown"]["all"]>[number];

/** What was shown at once. A line is read when it is asked for: of most subjects nobody asks. */
class Shown {
	readonly upTo: number;
	readonly subjects: Uint32Array;
	readonly #hours: Int32Array;
	#came: string | readonly string[];

	constructor({ upTo, subjects, hours, came }: Row) {
		this.upTo = upTo;
		this.subjects = wordsOf(subjects);
		this.#hours = new Int32Array(wordsOf(hours).buffer);
		this.#came = came;
	}

	/** Where the hours of a subject stand. */
	*placesOf(subjectId: number): Generator<number> {
		for (let at = this.subjects.indexOf(subjectId); at >= 0; at = this.subjects.indexOf(subjectId, at + 1)) yield at;
	}

	hourAt(place: number): number {
		return this.#hours[place] ?? 0;
	}

	cameAt(place: number): RecentHour {
		if (typeof this.#came === "string") this.#came = this.#came.split("\n");
		return JSON.parse(this.#came[place] ?? "[[],[]]");
	}
}

/** Our choice: subjects whose hours are remembered; beyond it all are forgotten. About 20 MB. */
const rememberedMax = 50_000;

/** To look through so many subjects costs as much as to put one into the index, as measured. */
const lookedThroughForOne = 64;

/** Our choice: so many subjects take about a millisecond. */
const indexedAtOnce = 5000;

interface Known {
	readonly hours: Map<number, CountedHour>;
	/** How many of what was shown it was read from. */
	rows: number;
	/** And how many of its places in the index. */
	places: number;
}

/** A line of what was shown. */
interface Place {
	readonly row: number;
	readonly at: number;
}

const nothing: ReadonlyMap<number, CountedHour> = new Map();
const nowhere: readonly Place[] = [];

/** What was shown beside the totals as they stand at one position, as far as it has been read. */
class Beside {
	readonly #shown: Shown[] = [];
	readonly #known = new Map<number, Known>();
	/** By subject, where what was shown first tells of it: as far as so many have asked that this costs less than to look it through. */
	readonly #index = new Map<number, Place[]>();
	/** So many of the first that were shown are in it. */
	#indexed = 0;
	/** How many subjects the others have. */
	#rest = 0;
	#lookedThrough = 0;

	/** `after` is the position of the totals. */
	constructor(readonly after: number) {}

	/** Up to which event it is known. */
	get upTo(): number {
		return this.#shown.at(-1)?.upTo ?? this.after;
	}

	get shown(): readonly Shown[] {
		return this.#shown;
	}

	add(shown: Shown): void {
		this.#shown.push(shown);
		this.#rest += shown.subjects.length;
	}

	hoursOf(subjectId: number): ReadonlyMap<number, CountedHour> {
		if (this.#shown.length === 0) return nothing;
		let known = this.#known.get(subjectId);
		if (!known) {
			known = { hours: new Map(), rows: 0, places: 0 };
			if (this.#known.size >= rememberedMax) this.#known.clear();
			this.#known.set(subjectId, known);
		}
		if (known.rows < this.#shown.length) this.#read(subjectId, known);
		return known.hours;
	}

	/** What was shown later stands for what was shown before. */
	#read(subjectId: number, known: Known): void {
		const places = this.#index.get(subjectId) ?? nowhere;
		for (; known.places < places.length; known.places += 1) {
			const place = places[known.places];
			if (place && place.row >= known.rows) this.#readInto(known.hours, place.row, place.at);
		}
		for (let row = Math.max(known.rows, this.#indexed); row < this.#shown.length; row += 1) {
			const shown = this.#shown[row];
			if (!shown) continue;
			for (const at of shown.placesOf(subjectId)) this.#readInto(known.hours, row, at);
			this.#lookedThrough += shown.subjects.length;
		}
		known.rows = this.#shown.length;
		if (this.#lookedThrough > this.#rest * lookedThroughForOne) this.#putRestIntoIndex();
	}

	#readInto(hours: Map<number, CountedHour>, row: number, at: number): void {
		const shown = this.#shown[row];
		if (!shown) return;
		const hour = shown.hourAt(at);
		const [amounts, cuts] = shown.cameAt(at);
		hours.set(hour, { hour, amounts, cuts });
	}

	/** A part of it at a time: whoever asks waits for it. */
	#putRestIntoIndex(): void {
		const end = this.#rest - indexedAtOnce;
		for (const { subjects } of this.#shown.slice(this.#indexed)) {
			for (let at = 0; at < subjects.length; at += 1) {
				const subjectId = subjects[at] ?? 0;
				const place = { row: this.#indexed, at };
				const places = this.#index.get(subjectId);
				if (places) places.push(place);
				else this.#index.set(subjectId, [place]);
			}
			this.#indexed += 1;
			this.#rest -= subjects.length;
			if (this.#rest <= end) break;
		}
		if (this.#rest === 0) this.#lookedThrough = 0;
	}
}

/**
 * What was counted after the totals: whoever reads totals adds it. One for each connection. Looked at before anything else is
 * read, which reads what was shown since; of a subject it is taken apart when it is asked for.
 */
export class RecentCounts {
	readonly #statements;
	#beside = new Beside(0);
	/** What stood beside the totals before these: all that they count more. Undefined where that is not known. */
	#before: Beside | undefined;
	#correctedTo = 0;
	#revision = 0;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** Answers up to which event the totals and what stands beside them count. */
	look(): number {
		const { countedTo = 0, shownTo = 0, revision = 0, correctedTo = 0 } = this.#statements.cursor.get() ?? {};
		this.#correctedTo = correctedTo;
		this.#revision = revision;
		const upTo = Math.max(countedTo, shownTo);
		if (countedTo !== this.#beside.after) this.#follow(countedTo);
		if (upTo > this.#beside.upTo) this.#read(upTo);
		return upTo;
	}

	/** Of the totals, when they were looked at last. */
	get revision(): number {
		return this.#revision;
	}

	/** Up to which event the totals count. */
	get after(): number {
		return this.#beside.after;
	}

	/** The same of the totals before them, where it is known what was added to those (`hoursBefore`). */
	get afterBefore(): number | undefined {
		return this.#before?.after;
	}

	/** Id of the last cancellation that the totals followed when they were looked at last. */
	get correctedTo(): number {
		return this.#correctedTo;
	}

	/** Of a subject, each once. */
	hours(subjectId: number): Iterable<CountedHour> {
		return this.#beside.hoursOf(subjectId).values();
	}

	/** What came to a subject from the totals before to these, each hour once. */
	hoursBefore(subjectId: number): Iterable<CountedHour> {
		return this.#before?.hoursOf(subjectId).values() ?? [];
	}

	/** A subject's events in an hour, in the order they came. */
	eventIds(subjectId: number, hour: number): readonly number[] {
		return this.#eventsOf(subjectId).get(hour) ?? [];
	}

	/** A subject's events in the hours [from, to), the newest hour first, and of each the last that came. */
	*newestFirst(subjectId: number, { from, to }: Range): Generator<number> {
		const hours = [...this.#eventsOf(subjectId)]
			.filter(([hour]) => hour >= from && hour < to)
			.sort(([one], [other]) => other - one);
		for (const [, ids] of hours) yield* ids.toReversed();
	}

	/** The next hour, from `from` on, in which a subject has any event. */
	nextHour(subjectId: number, from: number): number | undefined {
		const hours = [...this.#beside.hoursOf(subjectId).keys()].filter((hour) => hour >= from);
		return hours.length === 0 ? undefined : Math.min(...hours);
	}

	/** The totals were written: what stood beside the former is in these, if all of it is there to be read. */
	#follow(countedTo: number): void {
		const former = this.#beside;
		if (former.upTo < countedTo) this.#read(countedTo);
		this.#before = former.upTo === countedTo ? former : undefined;
		this.#beside = new Beside(countedTo);
	}

	/** Reads what was shown beside the totals up to an event, which more than one writing of them may have cut. */
	#read(upTo: number): void {
		const beside = this.#beside;
		for (const row of this.#statements.shown.all({ after: beside.upTo }))
			if (row.after === beside.after && row.upTo <= upTo) beside.add(new Shown(row));
	}

	#eventsOf(subjectId: number): Map<number, number[]> {
		const events = new Map<number, number[]>();
		for (const shown of this.#beside.shown) {
			const places = [...shown.placesOf(subjectId)];
			const row = places.length === 0 ? undefined : this.#statements.events.get({ upTo: shown.upTo });
			if (!row) continue;
			const [offsets, ends] = [wordsOf(row.events), wordsOf(row.ends)];
			for (const at of places) {
				const hour = shown.hourAt(at);
				const ids = events.get(hour) ?? [];
				events.set(hour, ids);
				for (const offset of offsets.subarray(ends[at - 1] ?? 0, ends[at])) ids.push(this.after + offset);
			}
		}
		return events;
	}
}
