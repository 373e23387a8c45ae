import { asc, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import { wordsOf } from "../blocks/event-block";
import type { Range, Times } from "../hours";
import { type RecentHour, usageCursor, usageRecent } from "../table.usage";

/** The amounts of a subject in an hour. */
export interface CountedHour {
	readonly hour: number;
	readonly amounts: RecentHour[0];
	readonly cuts: RecentHour[1];
	/** The times of its events, if they are known. */
	readonly times: Times | undefined;
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
	/** The rows after an event. */
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

/** One published row. Its lines are parsed on demand: most subjects are never read. */
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

	/** Yields the positions of a subject's hours. */
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

/** Subjects whose hours stay in memory; beyond this, all are evicted. About 20 MB. */
const rememberedMax = 50_000;

/** Measured: searching this many subjects costs as much as adding one to the index. */
const searchedPerIndexed = 64;

/** Subjects that are indexed at once, in about a millisecond. */
const indexedAtOnce = 5000;

interface Known {
	readonly hours: Map<number, CountedHour>;
	/** The number of rows that it was read from. */
	rows: number;
	/** The number of its places in the index. */
	places: number;
}

/** A line of a published row. */
interface Place {
	readonly row: number;
	readonly at: number;
}

const nothing: ReadonlyMap<number, CountedHour> = new Map();
const nowhere: readonly Place[] = [];

/** The amounts that are published next to the totals at one position, as far as they have been read. */
class Published {
	readonly #shown: Shown[] = [];
	readonly #known = new Map<number, Known>();
	/**
	 * The places of subjects in the first rows. It grows when so many subjects are read that indexing costs less than
	 * searching.
	 */
	readonly #index = new Map<number, Place[]>();
	/** The number of rows in the index. */
	#indexed = 0;
	/** The number of subjects in the other rows. */
	#rest = 0;
	#searched = 0;

	/** `after` is the position of the totals. */
	constructor(readonly after: number) {}

	/** The last event in the rows. */
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

	/** Later rows replace earlier ones. */
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
			this.#searched += shown.subjects.length;
		}
		known.rows = this.#shown.length;
		if (this.#searched > this.#rest * searchedPerIndexed) this.#putRestIntoIndex();
	}

	#readInto(hours: Map<number, CountedHour>, row: number, at: number): void {
		const shown = this.#shown[row];
		if (!shown) return;
		const hour = shown.hourAt(at);
		const [amounts, cuts, times] = shown.cameAt(at);
		hours.set(hour, { hour, amounts, cuts, times: times && { firstAt: times[0], lastAt: times[1] } });
	}

	/** Indexes a part of the rows at a time, because a caller waits. */
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
		if (this.#rest === 0) this.#searched = 0;
	}
}

/**
 * Reads the amounts that were counted after the totals, for readers to add. One for each connection. `look` reads new
 * rows; call it before any other read. A subject's amounts are parsed on demand.
 */
export class RecentCounts {
	readonly #statements;
	#published = new Published(0);
	/** The amounts next to the former totals, which the last write added. Undefined if they are unknown. */
	#before: Published | undefined;
	#correctedTo = 0;
	#revision = 0;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** Returns the last event in the totals and the rows next to them. */
	look(): number {
		const { countedTo = 0, shownTo = 0, revision = 0, correctedTo = 0 } = this.#statements.cursor.get() ?? {};
		this.#correctedTo = correctedTo;
		this.#revision = revision;
		const upTo = Math.max(countedTo, shownTo);
		if (countedTo !== this.#published.after) this.#follow(countedTo);
		if (upTo > this.#published.upTo) this.#read(upTo);
		return upTo;
	}

	/** The revision of the totals at the last look. */
	get revision(): number {
		return this.#revision;
	}

	/** The last event in the totals. */
	get after(): number {
		return this.#published.after;
	}

	/** The last event in the former totals, if the amounts added to them are known (`hoursBefore`). */
	get afterBefore(): number | undefined {
		return this.#before?.after;
	}

	/** The last cancellation that the totals follow, at the last look. */
	get correctedTo(): number {
		return this.#correctedTo;
	}

	/** Returns the hours of a subject, each once. */
	hours(subjectId: number): Iterable<CountedHour> {
		return this.#published.hoursOf(subjectId).values();
	}

	/** Returns the hours [from, to) of a subject, each once. It looks at no other hours if there are more of them. */
	hoursIn(subjectId: number, { from, to }: Range): Iterable<CountedHour> {
		const hours = this.#published.hoursOf(subjectId);
		if (hours.size <= to - from) return hours.values();
		return Array.from({ length: Math.max(0, to - from) }, (_, at) => hours.get(from + at)).filter(
			(hour) => hour !== undefined,
		);
	}

	/** Returns the hours of a subject that the last write added to the former totals, each once. */
	hoursBefore(subjectId: number): Iterable<CountedHour> {
		return this.#before?.hoursOf(subjectId).values() ?? [];
	}

	/** Returns a subject's events in an hour, in the order of the log. */
	eventIds(subjectId: number, hour: number): readonly number[] {
		return this.#eventsOf(subjectId).get(hour) ?? [];
	}

	/** Yields a subject's events in the hours [from, to), the newest hour first, and within it the last event first. */
	*newestFirst(subjectId: number, { from, to }: Range): Generator<number> {
		const hours = [...this.#eventsOf(subjectId)]
			.filter(([hour]) => hour >= from && hour < to)
			.sort(([one], [other]) => other - one);
		for (const [, ids] of hours) yield* ids.toReversed();
	}

	/** Returns the next hour, from `from` on, with an event of a subject. */
	nextHour(subjectId: number, from: number): number | undefined {
		const hours = [...this.#published.hoursOf(subjectId).keys()].filter((hour) => hour >= from);
		return hours.length === 0 ? undefined : Math.min(...hours);
	}

	/** Notices a write of the totals: it added the former rows, if all of them can be read. */
	#follow(countedTo: number): void {
		const former = this.#published;
		if (former.upTo < countedTo) this.#read(countedTo);
		this.#before = former.upTo === countedTo ? former : undefined;
		this.#published = new Published(countedTo);
	}

	/** Reads the rows up to an event. Several writes of the totals may have divided them. */
	#read(upTo: number): void {
		const published = this.#published;
		for (const row of this.#statements.shown.all({ after: published.upTo }))
			if (row.after === published.after && row.upTo <= upTo) published.add(new Shown(row));
	}

	#eventsOf(subjectId: number): Map<number, number[]> {
		const events = new Map<number, number[]>();
		for (const shown of this.#published.shown) {
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
