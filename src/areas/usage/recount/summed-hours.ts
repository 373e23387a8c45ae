import type { Database as SqliteFile } from "bun:sqlite";
import { noMembers } from "../aggregation/no-members";
import type { Counter } from "../counting/tally";
import { dayOfHour } from "../hours";
import { type Span, spans } from "../table.usage";

/** A total as its table holds it. */
interface TotalRow {
	readonly counter: number;
	readonly subject: number;
	readonly span: Span;
	readonly bucket: number;
	readonly events: number;
	readonly state: string;
}

/**
 * Yields the days and the wholes of `counted` that are not the sums of the recounted hours, in the order of the table,
 * for counters without members.
 */
export function* differingSums(db: SqliteFile, counters: ReadonlyMap<number, Counter>): Generator<TotalRow> {
	const ids = [...counters.keys()].join();
	const stored = rowsOf(
		db,
		`counted.usage_totals WHERE span IN (${spans.ever}, ${spans.day}) AND counter_id IN (${ids})`,
	);
	const sums = summedUp(
		rowsOf(db, `main.usage_totals WHERE span = ${spans.hour} AND counter_id IN (${ids})`),
		counters,
	);
	let [one, other] = [stored.next().value, sums.next().value];
	while (one || other) {
		const order = !one ? 1 : !other ? -1 : compared(one, other);
		const isSame = order === 0 && one?.events === other?.events && one?.state === other?.state;
		if (!isSame) yield (order <= 0 ? one : other) as TotalRow;
		if (order <= 0) one = stored.next().value;
		if (order >= 0) other = sums.next().value;
	}
}

const compared = (one: TotalRow, other: TotalRow): number =>
	one.counter - other.counter || one.subject - other.subject || one.span - other.span || one.bucket - other.bucket;

function* rowsOf(db: SqliteFile, from: string): Generator<TotalRow, undefined> {
	yield* db
		.prepare<TotalRow, []>(
			`SELECT counter_id AS counter, subject_id AS subject, span, bucket, events, state FROM ${from}
			ORDER BY counter_id, subject_id, span, bucket`,
		)
		.iterate();
	return undefined;
}

/** Yields the whole of each counter and subject, then its days, as sums of its hours. */
function* summedUp(hours: Iterable<TotalRow>, counters: ReadonlyMap<number, Counter>): Generator<TotalRow, undefined> {
	let ofSubject: TotalRow[] = [];
	for (const row of hours) {
		const first = ofSubject[0];
		if (first && (first.counter !== row.counter || first.subject !== row.subject)) {
			yield* sumsOf(ofSubject, counters);
			ofSubject = [];
		}
		ofSubject.push(row);
	}
	yield* sumsOf(ofSubject, counters);
	return undefined;
}

function* sumsOf(hours: readonly TotalRow[], counters: ReadonlyMap<number, Counter>): Generator<TotalRow> {
	const counter = counters.get(hours[0]?.counter ?? 0);
	if (!counter) return;
	yield sumOf(counter, hours, spans.ever, 0);
	for (const [day, ofDay] of Map.groupBy(hours, ({ bucket }) => dayOfHour(bucket)))
		yield sumOf(counter, ofDay, spans.day, day);
}

function sumOf(counter: Counter, hours: readonly TotalRow[], span: Span, bucket: number): TotalRow {
	const aggregate = counter.start();
	let events = 0;
	for (const hour of hours) {
		aggregate.merge({ state: hour.state, members: noMembers });
		events += hour.events;
	}
	const { subject = 0 } = hours[0] ?? {};
	return { counter: counter.id, subject, span, bucket, events, state: aggregate.state };
}
