import type { Database as SqliteFile } from "bun:sqlite";
import { noMembers } from "../aggregation/functions";
import { dayOfHour, hoursPerDay } from "../hours";
import { type Span, spans } from "../table.usage";
import type { CountedEvents, Counter } from "./tally";

interface Stored {
	readonly events: number;
	readonly state: string;
}

/** Where the totals of a span are put together from: the buckets [from, to) of a shorter one. */
interface Parts {
	readonly span: Span;
	readonly from: number;
	readonly to: number;
}

/** How many events of each value came to a bucket (above 0) or went from it. */
type Changes = ReadonlyMap<string, number>;

/**
 * Puts totals of one subject in the place of others that stand there, inside the caller's transaction. Values are few that
 * change: of a set that grows for years, only those that have gone from a part are looked for in the others.
 */
export class Replacing {
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

	/** Answers how the values have changed. */
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

	/** Answers how the values have changed. `changes` are those of one of the parts. */
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
			// Of all time no values are kept: they would be read again as a whole with each new event.
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
			.query<unknown, [number, string, number, number, number, number]>(
				"UPDATE usage_totals SET events = ?, state = ? WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
			)
			.run(events, state, counter.id, this.#subjectId, span, bucket);
	}

	#members(counter: Counter, span: Span, bucket: number): ReadonlyMap<string, number> {
		const rows = this.#usage
			.query<{ value: string; events: number }, [number, number, number, number]>(
				"SELECT value, events FROM usage_values WHERE counter_id = ? AND subject_id = ? AND span = ? AND bucket = ?",
			)
			.all(counter.id, this.#subjectId, span, bucket);
		return new Map(rows.map(({ value, events }) => [value, events]));
	}

	/** Events are only ever taken back here: there is a row for each value that changes. */
	#changeMembers(counter: Counter, span: Span, bucket: number, changes: Changes): void {
		const key = "counter_id = ? AND subject_id = ? AND span = ? AND bucket = ? AND value = ?";
		const change = this.#usage.query<unknown, [number, number, number, number, number, string]>(
			`UPDATE usage_values SET events = events + ? WHERE ${key}`,
		);
		const forget = this.#usage.query<unknown, [number, number, number, number, string]>(
			`DELETE FROM usage_values WHERE ${key} AND events <= 0`,
		);
		for (const [value, events] of changes) {
			change.run(events, counter.id, this.#subjectId, span, bucket, value);
			forget.run(counter.id, this.#subjectId, span, bucket, value);
		}
	}
}

/** More days than there are from the first instant to the last. */
const bucketsMax = 2 ** 31;
