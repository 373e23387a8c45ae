import type { Database as SqliteFile } from "bun:sqlite";
import { noMembers } from "../aggregation/no-members";
import { dayOfHour, hoursPerDay } from "../hours";
import { type Span, spans } from "../table.usage";
import type { CountedEvents, Counter } from "./tally";

interface Stored {
	readonly events: number;
	readonly state: string;
}

/** The buckets [from, to) of a shorter span, which make up one bucket of a longer span. */
interface Parts {
	readonly span: Span;
	readonly from: number;
	readonly to: number;
}

/** By how many events of each value a bucket has grown (above 0) or shrunk. */
type Changes = ReadonlyMap<string, number>;

/**
 * Replaces totals of one subject, inside the caller's transaction. Few values change, and a set may grow for years:
 * only values that are gone from one part are looked up in the other parts.
 */
export class HourReplacement {
	readonly #usage: SqliteFile;
	readonly #subjectId: number;

	constructor(usage: SqliteFile, subjectId: number) {
		this.#usage = usage;
		this.#subjectId = subjectId;
	}

	replaceHour(hour: number, amount: CountedEvents): void {
		const { counter } = amount;
		const day = dayOfHour(hour);
		const ofHour = this.replace(spans.hour, hour, amount);
		const hours = { span: spans.hour, from: day * hoursPerDay, to: (day + 1) * hoursPerDay };
		const ofDay = this.#putTogether(counter, spans.day, day, hours, ofHour);
		this.#putTogether(counter, spans.ever, 0, { span: spans.day, from: -bucketsMax, to: bucketsMax }, ofDay);
	}

	/** Returns the changes of values. */
	replace(span: Span, bucket: number, { counter, events, aggregate }: CountedEvents): Changes {
		this.#setTotal(counter, span, bucket, { events, state: aggregate.state });
		if (counter.membership === "none") return noMembers;
		const before = this.#members(counter, span, bucket);
		const changes = new Map<string, number>();
		for (const value of new Set([...before.keys(), ...aggregate.members.keys()])) {
			const change = (aggregate.members.get(value) ?? 0) - (before.get(value) ?? 0);
			if (change !== 0) changes.set(value, change);
		}
		this.#changeMembers(counter, span, bucket, changes);
		return changes;
	}

	/**
	 * Combines a bucket from its parts. `changes` are the changes of values in one part; returns the changes in the
	 * bucket.
	 */
	#putTogether(counter: Counter, span: Span, bucket: number, parts: Parts, changes: Changes): Changes {
		const rows = this.#usage
			.query<Stored, [number, number, number, number, number]>(
				`SELECT events, state FROM usage_totals
				WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket >= ? AND bucket < ?`,
			)
			.all(counter.id, this.#subjectId, parts.span, parts.from, parts.to);
		const events = rows.reduce((sum, row) => sum + row.events, 0);
		if (counter.membership === "none") {
			const aggregate = counter.start();
			for (const { state } of rows) aggregate.merge({ state, members: noMembers });
			this.#setTotal(counter, span, bucket, { events, state: aggregate.state });
			return noMembers;
		}
		if (counter.membership === "counted") {
			const size = rows.reduce((sum, row) => sum + Number(row.state), 0);
			this.#setTotal(counter, span, bucket, { events, state: String(size) });
			// No values of all time are stored: each new event would read all of them again.
			if (span !== spans.ever) this.#changeMembers(counter, span, bucket, changes);
			return changes;
		}
		const gone = new Map([...changes].filter(([value, change]) => change < 0 && !this.#hasIn(counter, parts, value)));
		this.#changeMembers(counter, span, bucket, gone);
		const before = Number(this.#total(counter, span, bucket)?.state ?? 0);
		this.#setTotal(counter, span, bucket, { events, state: String(before - gone.size) });
		return gone;
	}

	#hasIn(counter: Counter, { span, from, to }: Parts, value: string): boolean {
		const found = this.#usage
			.query<unknown, [number, number, number, number, number, string]>(
				`SELECT 1 FROM usage_totals t JOIN usage_values v ON v.counter_id = t.counter_id AND v.subject_id = t.subject_id
				AND v.span = t.span AND v.bucket = t.bucket
				WHERE t.counter_id = ? AND t.subject_id = ? AND t.span = ? AND t.bucket >= ? AND t.bucket < ? AND v.value = ? LIMIT 1`,
			)
			.get(counter.id, this.#subjectId, span, from, to, value);
		return found !== null;
	}

	#total(counter: Counter, span: Span, bucket: number): Stored | null {
		return this.#usage
			.query<Stored, [number, number, number, number]>(
				"SELECT events, state FROM usage_totals WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
			)
			.get(counter.id, this.#subjectId, span, bucket);
	}

	#setTotal(counter: Counter, span: Span, bucket: number, { events, state }: Stored): void {
		this.#usage
			.query<unknown, [number, number, number, number, number, string]>(
				`INSERT INTO usage_totals (counter_id, subject_id, span, bucket, events, state) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT DO UPDATE SET events = excluded.events, state = excluded.state`,
			)
			.run(counter.id, this.#subjectId, span, bucket, events, state);
	}

	#members(counter: Counter, span: Span, bucket: number): ReadonlyMap<string, number> {
		const rows = this.#usage
			.query<{ value: string; events: number }, [number, number, number, number]>(
				"SELECT value, events FROM usage_values WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
			)
			.all(counter.id, this.#subjectId, span, bucket);
		return new Map(rows.map(({ value, events }) => [value, events]));
	}

	#changeMembers(counter: Counter, span: Span, bucket: number, changes: Changes): void {
		const add = this.#usage.query<unknown, [number, number, number, number, string, number]>(
			`INSERT INTO usage_values (counter_id, subject_id, span, bucket, value, events) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET events = events + excluded.events`,
		);
		const remove = this.#usage.query<unknown, [number, number, number, number, string]>(
			`DELETE FROM usage_values
			WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ? AND value = ? AND events <= 0`,
		);
		for (const [value, change] of changes) {
			add.run(counter.id, this.#subjectId, span, bucket, value, change);
			if (change < 0) remove.run(counter.id, this.#subjectId, span, bucket, value);
		}
	}
}

/** More than the days from the first instant to the last. */
const bucketsMax = 2 ** 31;
