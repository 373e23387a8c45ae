import type { Database as SqliteFile } from "bun:sqlite";
import { noMembers } from "./aggregate";
import { dayOfHour } from "./hours";
import type { Summary } from "./summary";
import { type Span, spans } from "./table.usage";
import { Amount, type Counter, type Tally } from "./tally";

interface Stored {
	readonly events: number;
	readonly state: string;
}

type TotalsKey = [counterId: number, subjectId: number, span: Span, bucket: number];

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

	/** Adds a chunk's amounts to the hours, the days and the whole. */
	add(tally: Tally): void {
		for (const [subjectId, hours] of tally.subjects) {
			const days = new Map<Counter, Map<number, Amount>>();
			const whole = new Map<Counter, Amount>();
			for (const [hour, { amounts }] of hours) {
				for (const [counter, amount] of amounts) {
					this.#addTo(counter, subjectId, spans.hour, hour, amount);
					const ofCounter = days.get(counter) ?? new Map<number, Amount>();
					days.set(counter, ofCounter);
					const day = dayOfHour(hour);
					const inDay = ofCounter.get(day) ?? new Amount(counter.start());
					ofCounter.set(day, inDay);
					inDay.add(amount);
					const all = whole.get(counter) ?? new Amount(counter.start());
					whole.set(counter, all);
					all.add(amount);
				}
			}
			for (const [counter, ofCounter] of days)
				for (const [day, amount] of ofCounter) this.#addTo(counter, subjectId, spans.day, day, amount);
			for (const [counter, amount] of whole) this.#addTo(counter, subjectId, spans.ever, 0, amount);
		}
	}

	/** Writes down which events a subject has in each hour. Event ids are ascending. */
	post(tally: Tally): void {
		for (const [subjectId, hours] of tally.subjects) {
			for (const [hour, { eventIds }] of hours) {
				const first = eventIds[0] ?? 0;
				const offsets = new Uint32Array(eventIds.length);
				for (const [at, id] of eventIds.entries()) offsets[at] = id - first;
				this.#post.run(subjectId, hour, first, new Uint8Array(offsets.buffer));
			}
		}
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

function merged(counter: Counter, added: Summary, stored: Stored | null): string {
	if (stored === null) return added.state;
	const total = counter.start();
	total.merge({ state: stored.state, members: noMembers });
	total.merge(added);
	return total.state;
}
