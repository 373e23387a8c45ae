import type { Database as SqliteFile } from "bun:sqlite";
import type { Decimal } from "../../kernel/decimal";
import { dayOfHour } from "./hours";
import { spans } from "./table.usage";
import { Amount, type Counter, type Tally } from "./tally";

interface Stored {
	readonly events: number;
	readonly value: Decimal;
}

/** The writing side of totals and postings. Works inside the transaction that its caller holds. */
export class Totals {
	readonly #find;
	readonly #save;
	readonly #post;

	constructor(usage: SqliteFile) {
		this.#find = usage.prepare<Stored, [number, number, number, number]>(
			"SELECT events, value FROM usage_totals WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
		);
		this.#save = usage.prepare<unknown, [number, number, number, number, number, string]>(
			"INSERT OR REPLACE INTO usage_totals (counter_id, subject_id, span, bucket, events, value) VALUES (?, ?, ?, ?, ?, ?)",
		);
		this.#post = usage.prepare<unknown, [number, number, number, Uint8Array]>(
			"INSERT INTO usage_postings (subject_id, hour, first_event, offsets) VALUES (?, ?, ?, ?)",
		);
	}

	/** Adds a chunk's sums to the hours, the days and the whole. */
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
					const inDay = ofCounter.get(day) ?? new Amount();
					ofCounter.set(day, inDay);
					inDay.add(amount.events, amount.sum.value);
					const all = whole.get(counter) ?? new Amount();
					whole.set(counter, all);
					all.add(amount.events, amount.sum.value);
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

	#addTo({ id }: Counter, subjectId: number, span: number, bucket: number, amount: Amount): void {
		const stored = this.#find.get(id, subjectId, span, bucket);
		const total = new Amount();
		total.add(amount.events, amount.sum.value);
		if (stored) total.add(stored.events, stored.value);
		this.#save.run(id, subjectId, span, bucket, total.events, total.sum.value);
	}
}
