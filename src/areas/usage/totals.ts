import type { Database as SqliteFile } from "bun:sqlite";
import { noMembers } from "./aggregate";
import { dayOfHour } from "./hours";
import type { Summary } from "./summary";
import { type Span, spans } from "./table.usage";
import { Amount, type Counter, type CutTally, type HourTally } from "./tally";

interface Stored {
	readonly events: number;
	readonly state: string;
}

type TotalsKey = [counterId: number, subjectId: number, span: Span, bucket: number];

/** What a counter took of a subject in an hour. */
interface HourAmount {
	readonly subjectId: number;
	readonly hour: number;
	readonly amount: Amount;
}

/** The writing side of totals and postings. Works inside the transaction that its caller holds. */
export class Totals {
	readonly #find;
	readonly #save;
	readonly #saveOnce;
	readonly #saveCounted;
	readonly #post;

	constructor(usage: SqliteFile) {
		this.#find = usage.prepare<Stored, TotalsKey>(
			"SELECT events, state FROM usage_totals WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
		);
		this.#save = usage.prepare<unknown, [...TotalsKey, events: number, state: string]>(
			"INSERT OR REPLACE INTO usage_totals (counter_id, subject_id, span, bucket, events, state) VALUES (?, ?, ?, ?, ?, ?)",
		);
		const saveMember =
			"INSERT INTO usage_members (counter_id, subject_id, span, bucket, value, events) VALUES (?, ?, ?, ?, ?, ?)";
		this.#saveOnce = usage.prepare<unknown, [...TotalsKey, value: string, events: number]>(
			`${saveMember} ON CONFLICT DO NOTHING`,
		);
		this.#saveCounted = usage.prepare<unknown, [...TotalsKey, value: string, events: number]>(
			`${saveMember} ON CONFLICT DO UPDATE SET events = events + excluded.events`,
		);
		this.#post = usage.prepare<unknown, [number, number, number, Uint8Array]>(
			"INSERT INTO usage_postings (subject_id, hour, first_event, offsets) VALUES (?, ?, ?, ?)",
		);
	}

	/** Adds amounts to the hours, the days and the whole, in the order of the table: neighbours share its pages. */
	add(hours: readonly HourTally[]): void {
		const byCounter = new Map<Counter, HourAmount[]>();
		for (const { subjectId, hour, amounts } of hours) {
			for (const amount of amounts) {
				const ofCounter = byCounter.get(amount.counter) ?? [];
				byCounter.set(amount.counter, ofCounter);
				ofCounter.push({ subjectId, hour, amount });
			}
		}
		for (const [counter, ofCounter] of byCounter)
			for (const ofSubject of runsBy(ofCounter, ({ subjectId }) => subjectId)) this.#addSubject(counter, ofSubject);
		this.#addCuts(hours);
	}

	#addCuts(hours: readonly HourTally[]): void {
		for (const { subjectId, cuts } of hours) for (const cut of cuts) this.addCut(subjectId, cut);
	}

	addCut(subjectId: number, { at, head, tail }: CutTally): void {
		for (const amount of head) this.#addTo(amount.counter, subjectId, spans.head, at, amount);
		for (const amount of tail) this.#addTo(amount.counter, subjectId, spans.tail, at, amount);
	}

	/** Writes down which events a subject has in each hour. Event ids are ascending. */
	post(hours: readonly HourTally[]): void {
		for (const { subjectId, hour, eventIds } of hours) {
			const first = eventIds[0] ?? 0;
			const offsets = Uint32Array.from(eventIds, (id) => id - first);
			this.#post.run(subjectId, hour, first, new Uint8Array(offsets.buffer));
		}
	}

	#addSubject(counter: Counter, hours: readonly HourAmount[]): void {
		const subjectId = hours[0]?.subjectId ?? 0;
		this.#addTo(counter, subjectId, spans.ever, 0, sumOf(counter, hours));
		for (const ofDay of runsBy(hours, ({ hour }) => dayOfHour(hour)))
			this.#addTo(counter, subjectId, spans.day, dayOfHour(ofDay[0]?.hour ?? 0), sumOf(counter, ofDay));
		for (const { hour, amount } of hours) this.#addTo(counter, subjectId, spans.hour, hour, amount);
	}

	#addTo(counter: Counter, subjectId: number, span: Span, bucket: number, { events, aggregate }: Amount): void {
		const key: TotalsKey = [counter.id, subjectId, span, bucket];
		const stored = this.#find.get(...key);
		const state =
			counter.membership === "none"
				? merged(counter, aggregate, stored)
				: String(Number(stored?.state ?? 0) + this.#addMembers(counter, key, aggregate));
		this.#save.run(...key, (stored?.events ?? 0) + events, state);
	}

	/** Answers how many came to the bucket: values of a set, events that hold a value otherwise. */
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

/** Cuts a sorted list where its key changes. */
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

/** Of one hour it is the hour's own: it is only read. */
function sumOf(counter: Counter, hours: readonly HourAmount[]): Amount {
	const [first, ...rest] = hours;
	if (first && rest.length === 0) return first.amount;
	const sum = new Amount(counter);
	for (const { amount } of hours) sum.add(amount);
	return sum;
}

function merged(counter: Counter, added: Summary, stored: Stored | null): string {
	if (stored === null) return added.state;
	const total = counter.start();
	total.merge({ state: stored.state, members: noMembers });
	total.merge(added);
	return total.state;
}
