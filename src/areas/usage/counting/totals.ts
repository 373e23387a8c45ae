import type { Database as SqliteFile, Statement } from "bun:sqlite";
import type { Instant } from "../../../kernel/clock";
import type { Summary } from "../aggregation/aggregate";
import { noMembers } from "../aggregation/no-members";
import { dayOfHour } from "../hours";
import { type Span, spans } from "../table.usage";
import { HourReplacement } from "./hour-replacement";
import { CountedEvents, type Counter, type HourTally } from "./tally";

interface Stored {
	readonly events: number;
	readonly state: string;
}

/** Totals that stay in memory, so that growing them needs no read; beyond this, all are evicted. About 40 MB. */
const openTotalsMax = 200_000;

/** The last bucket of a subject and span, as the file has it. */
interface OpenTotal {
	readonly bucket: number;
	readonly total: CountedEvents;
}

const spansCount = Object.keys(spans).length;

type TotalsKey = [counterId: number, subjectId: number, span: Span, bucket: number];

/** The amount of a counter and a subject in an hour. */
interface HourAmount {
	readonly subjectId: number;
	readonly hour: number;
	readonly amount: CountedEvents;
}

/** Selects the totals of a subject and of its segments. */
const inSubject = "subject_id IN (SELECT ?3 UNION ALL SELECT id FROM usage_segments WHERE subject_id = ?3)";

/** Writes totals and the index of events by hour, inside the caller's transaction. */
export class Totals {
	readonly #usage: SqliteFile;
	readonly #find;
	readonly #insert;
	readonly #insertFirst;
	readonly #update;
	readonly #saveOnce;
	readonly #saveCounted;
	readonly #post;
	readonly #hourToHead;
	readonly #valuesToHead;
	readonly #open = new Map<Counter, Map<number, OpenTotal>>();
	#openCount = 0;
	#isRemembering = true;
	/** Subjects with greater ids are new, as a rule without any total. A wrong guess costs time only. */
	#knownTo = 0;

	constructor(usage: SqliteFile) {
		this.#usage = usage;
		this.#find = usage.prepare<Stored, TotalsKey>(
			"SELECT events, state FROM usage_totals WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
		);
		this.#insert = usage.prepare<unknown, [...TotalsKey, events: number, state: string]>(
			"INSERT INTO usage_totals (counter_id, subject_id, span, bucket, events, state) VALUES (?, ?, ?, ?, ?, ?)",
		);
		this.#insertFirst = usage.prepare<unknown, [...TotalsKey, events: number, state: string]>(
			"INSERT INTO usage_totals (counter_id, subject_id, span, bucket, events, state) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		);
		this.#update = usage.prepare<unknown, [events: number, state: string, ...TotalsKey]>(
			"UPDATE usage_totals SET events = ?, state = ? WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
		);
		const saveMember =
			"INSERT INTO usage_values (counter_id, subject_id, span, bucket, value, events) VALUES (?, ?, ?, ?, ?, ?)";
		this.#saveOnce = usage.prepare<unknown, [...TotalsKey, value: string, events: number]>(
			`${saveMember} ON CONFLICT DO NOTHING`,
		);
		this.#saveCounted = usage.prepare<unknown, [...TotalsKey, value: string, events: number]>(
			`${saveMember} ON CONFLICT DO UPDATE SET events = events + excluded.events`,
		);
		this.#post = usage.prepare<unknown, [number, number, number, Uint8Array, number, number]>(
			"INSERT INTO usage_events_by_hour (subject_id, hour, first_event, offsets, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?)",
		);
		this.#hourToHead = usage.prepare<unknown, [at: number, counterId: number, subjectId: number, hour: number]>(
			`INSERT INTO usage_totals (counter_id, subject_id, span, bucket, events, state)
			SELECT counter_id, subject_id, ${spans.head}, ?1, events, state FROM usage_totals
			WHERE counter_id = ?2 AND ${inSubject} AND span = ${spans.hour} AND bucket = ?4`,
		);
		this.#valuesToHead = usage.prepare<unknown, [at: number, counterId: number, subjectId: number, hour: number]>(
			`INSERT INTO usage_values (counter_id, subject_id, span, bucket, value, events)
			SELECT counter_id, subject_id, ${spans.head}, ?1, value, events FROM usage_values
			WHERE counter_id = ?2 AND ${inSubject} AND span = ${spans.hour} AND bucket = ?4`,
		);
	}

	/**
	 * Adds amounts to the hours, days and wholes. It follows the order of the table, so neighbors share pages. With
	 * `hoursAlone`, counters without members get no days and no whole.
	 */
	add(hours: readonly HourTally[], hoursAlone = false): void {
		const byCounter = new Map<Counter, HourAmount[]>();
		for (const { subjectId, hour, amounts } of hours) {
			for (const amount of amounts) {
				const ofCounter = byCounter.get(amount.counter) ?? [];
				byCounter.set(amount.counter, ofCounter);
				ofCounter.push({ subjectId, hour, amount });
			}
		}
		// More totals than fit would evict each other before they are used again.
		const amounts = [...byCounter.values()].reduce((sum, { length }) => sum + length, 0);
		this.#isRemembering = amounts * spansCount <= openTotalsMax;
		if (!this.#isRemembering) this.discard();
		for (const [counter, ofCounter] of byCounter)
			if (hoursAlone && counter.membership === "none")
				for (const { subjectId, hour, amount } of ofCounter) this.#addHour(counter, subjectId, hour, amount);
			else
				for (const ofSubject of runsBy(ofCounter, ({ subjectId }) => subjectId)) this.#addSubject(counter, ofSubject);
		this.#addCuts(hours);
		for (const { subjectId } of hours) if (subjectId > this.#knownTo) this.#knownTo = subjectId;
	}

	/** Replaces the totals of a recounted hour, and combines its day and the whole from their parts again. */
	replaceHour({ subjectId, hour, amounts, cuts }: HourTally): void {
		const replacement = new HourReplacement(this.#usage, subjectId);
		for (const amount of amounts) replacement.replaceHour(hour, amount);
		for (const { at, head, tail } of cuts) {
			for (const amount of head) replacement.replace(spans.head, at, amount);
			for (const amount of tail) replacement.replace(spans.tail, at, amount);
		}
	}

	#addCuts(hours: readonly HourTally[]): void {
		for (const { subjectId, cuts } of hours)
			for (const { at, head, tail } of cuts) {
				for (const amount of head) this.#addTo(amount.counter, subjectId, spans.head, at, amount);
				for (const amount of tail) this.#addTo(amount.counter, subjectId, spans.tail, at, amount);
			}
	}

	/** Cuts an hour without events at the instant or after it: the part before the cut is the whole hour. */
	cutAtEnd(counters: readonly Counter[], subjectId: number, hour: number, at: Instant): void {
		for (const { id } of counters) {
			this.#hourToHead.run(at, id, subjectId, hour);
			this.#valuesToHead.run(at, id, subjectId, hour);
		}
	}

	/** Adds hours to the index of events by hour. */
	post(hours: readonly HourTally[]): void {
		writeHours(this.#post, hours);
	}

	/** Evicts all totals from memory after a rollback or a replacement. */
	discard(): void {
		this.#open.clear();
		this.#openCount = 0;
	}

	#addSubject(counter: Counter, hours: readonly HourAmount[]): void {
		const [only] = hours;
		const subjectId = only?.subjectId ?? 0;
		// Most subjects have one hour.
		if (only && hours.length === 1) {
			const { hour, amount } = only;
			this.#addTo(counter, subjectId, spans.ever, 0, amount);
			this.#addTo(counter, subjectId, spans.day, dayOfHour(hour), amount);
			this.#addTo(counter, subjectId, spans.hour, hour, amount);
			return;
		}
		this.#addTo(counter, subjectId, spans.ever, 0, sumOf(counter, hours));
		for (const ofDay of runsBy(hours, ({ hour }) => dayOfHour(hour)))
			this.#addTo(counter, subjectId, spans.day, dayOfHour(ofDay[0]?.hour ?? 0), sumOf(counter, ofDay));
		for (const { hour, amount } of hours) this.#addTo(counter, subjectId, spans.hour, hour, amount);
	}

	/** Most hours are complete before the next one begins, so a row seldom exists. */
	#addHour(counter: Counter, subjectId: number, hour: number, amount: CountedEvents): void {
		const isFirst = this.#insertsFirst(counter, subjectId, spans.hour, hour, amount);
		if (!isFirst) this.#addTo(counter, subjectId, spans.hour, hour, amount);
	}

	/** Writes a total if there is none, and returns whether it did. */
	#insertsFirst(counter: Counter, subjectId: number, span: Span, bucket: number, amount: CountedEvents): boolean {
		const { events, aggregate } = amount;
		return this.#insertFirst.run(counter.id, subjectId, span, bucket, events, aggregate.state).changes > 0;
	}

	#addTo(counter: Counter, subjectId: number, span: Span, bucket: number, amount: CountedEvents): void {
		if (counter.membership !== "none") {
			this.#addMembersTo(counter, [counter.id, subjectId, span, bucket], amount);
			return;
		}
		if (subjectId > this.#knownTo && this.#insertsFirst(counter, subjectId, span, bucket, amount)) return;
		const total = this.#openTotal(counter, subjectId, span, bucket);
		const isNew = total.events === 0;
		total.add(amount);
		const { events, aggregate } = total;
		if (isNew) this.#insert.run(counter.id, subjectId, span, bucket, events, aggregate.state);
		else this.#update.run(events, aggregate.state, counter.id, subjectId, span, bucket);
	}

	/** Returns a total as the file has it, for the caller to grow and write. */
	#openTotal(counter: Counter, subjectId: number, span: Span, bucket: number): CountedEvents {
		const ofCounter = this.#open.get(counter) ?? new Map<number, OpenTotal>();
		this.#open.set(counter, ofCounter);
		const place = subjectId * spansCount + span;
		const known = ofCounter.get(place);
		if (known?.bucket === bucket) return known.total;
		const total = new CountedEvents(counter);
		const stored = this.#find.get(counter.id, subjectId, span, bucket);
		if (stored) {
			total.events = stored.events;
			total.aggregate.merge({ state: stored.state, members: noMembers });
		}
		if (!this.#isRemembering) return total;
		if (this.#openCount >= openTotalsMax) this.discard();
		if (!known) this.#openCount += 1;
		ofCounter.set(place, { bucket, total });
		return total;
	}

	#addMembersTo(counter: Counter, key: TotalsKey, { events, aggregate }: CountedEvents): void {
		const stored = this.#find.get(...key);
		const state = String(Number(stored?.state ?? 0) + this.#addMembers(counter, key, aggregate));
		if (stored) this.#update.run(stored.events + events, state, ...key);
		else this.#insert.run(...key, events, state);
	}

	/** Returns by how much the state has grown: the new values of a set, or the events with a value. */
	#addMembers({ membership }: Counter, key: TotalsKey, { members, state }: Summary): number {
		if (membership === "counted") {
			const [, , span] = key;
			if (span !== spans.ever) for (const [value, events] of members) this.#saveCounted.run(...key, value, events);
			return Number(state);
		}
		let came = 0;
		for (const value of members.keys()) came += this.#saveOnce.run(...key, value, 1).changes;
		return came;
	}
}

/** Adds hours to an index of events by hour. Event ids are ascending. */
export function writeHours(
	insert: Statement<unknown, [number, number, number, Uint8Array, number, number]>,
	hours: readonly HourTally[],
): void {
	for (const { subjectId, hour, eventIds, firstAt, lastAt } of hours) {
		// The events of a segment are those of its subject.
		if (eventIds.length === 0) continue;
		const [first, offsets] = offsetsOf(eventIds);
		insert.run(subjectId, hour, first, offsets, firstAt, lastAt);
	}
}

/** Returns ascending ids in their stored form: the first id, and the distance of each id from it. */
function offsetsOf(ids: readonly number[]): [first: number, offsets: Uint8Array] {
	const first = ids[0] ?? 0;
	const offsets = new Uint32Array(ids.length);
	for (let at = 0; at < offsets.length; at += 1) offsets[at] = (ids[at] ?? first) - first;
	return [first, new Uint8Array(offsets.buffer)];
}

/** Splits a sorted list where its key changes. */
function runsBy<T>(sorted: readonly T[], keyOf: (one: T) => number): T[][] {
	const runs: T[][] = [];
	let lastKey: number | undefined;
	for (const one of sorted) {
		const key = keyOf(one);
		if (key === lastKey) runs.at(-1)?.push(one);
		else runs.push([one]);
		lastKey = key;
	}
	return runs;
}

/** Returns the sum of hours. For one hour it is the hour's own amount: do not change it. */
function sumOf(counter: Counter, hours: readonly HourAmount[]): CountedEvents {
	const [first, ...rest] = hours;
	if (first && rest.length === 0) return first.amount;
	const sum = new CountedEvents(counter);
	for (const { amount } of hours) sum.add(amount);
	return sum;
}
