import type { Database as SqliteFile } from "bun:sqlite";
import { join } from "node:path";
import { openFile } from "../../../kernel/storage/db";
import type { Awaiting } from "../../../kernel/storage/failures";
import { type LeftOut, nothingLeftOut } from "../archive/left-out";
import type { Counter } from "../counting/tally";
import { Totals } from "../counting/totals";
import { hourMs, hourOf, hoursPerDay } from "../hours";
import { type Span, spans } from "../table.usage";
import { compareChecksums, type Unproven } from "./checksums";
import { countAgain, countedTo, openRecount } from "./log-count";
import { differingSums } from "./summed-hours";

/** The page cache of the recounted totals, in KiB. Neighbors in the log are far apart in the table. */
const cacheKib = 65_536;

/** Differences that the check names; further ones are only counted. */
const namedMax = 20;

const recounted = ["usage_totals", "usage_values", "usage_events_by_hour"] as const;

/** The columns of the totals that are compared. */
const compared = {
	usage_totals: ["counter_id", "subject_id", "span", "bucket", "events", "state"],
	usage_values: ["counter_id", "subject_id", "span", "bucket", "value", "events"],
} as const;

/**
 * Counts the log again and returns the differences of the totals, a line each; empty if there are none. Works alongside
 * a running server. `scratch` is an empty folder on a disk with space for two copies of usage.db: Tollgate compares
 * rows if checksums prove nothing. Totals of times with skipped events are not compared.
 */
export function* recounting(folder: string, scratch: string, leftOut: LeftOut = nothingLeftOut): Awaiting<string[]> {
	const compared = { isWhole: !Number.isFinite(leftOut.lastAt), firstHour: hourOf(leftOut.lastAt) + 1 };
	const unproven = yield* compareChecksums(folder, leftOut, compared);
	if (unproven.counters.size === 0 && unproven.areListsSame) return [];
	return yield* comparingRows(folder, scratch, leftOut, unproven);
}

/** Counts into a copy of the tables as they are now, and compares row by row. */
function* comparingRows(folder: string, scratch: string, leftOut: LeftOut, unproven: Unproven): Awaiting<string[]> {
	const copy = join(scratch, "counted.db");
	const usage = openFile(folder, "usage").$client;
	usage.run("VACUUM INTO ?", [copy]);
	usage.close();
	const db = openRecount(folder, join(scratch, "recount.db"), copy);
	try {
		// The file is temporary: it need not survive a crash.
		db.run("PRAGMA journal_mode = OFF");
		db.run("PRAGMA synchronous = OFF");
		db.run(`PRAGMA cache_size = -${cacheKib}`);
		for (const table of recounted) {
			const made = db
				.query<{ sql: string }, [string]>("SELECT sql FROM counted.sqlite_master WHERE name = ?")
				.get(table);
			if (made) db.run(made.sql);
		}
		const counted = countedTo(db);
		const counters = counted.counters.filter(({ id }) => unproven.counters.has(id));
		const totals = new Totals(db);
		yield* countAgain(db, leftOut, { ...counted, counters }, (tally) => {
			db.run("BEGIN");
			const hours = tally.sorted();
			totals.add(hours, true);
			// The lists are needed to name the hours.
			if (!unproven.areListsSame) totals.post(hours);
			db.run("COMMIT");
		});
		return differences(db, leftOut, counters, unproven.areListsSame);
	} finally {
		db.close();
	}
}

/** Selects the totals that hold events of these hours only. */
const after = (firstHour: number): string =>
	`CASE span WHEN ${spans.hour} THEN bucket >= ${firstHour}
		WHEN ${spans.day} THEN bucket * 24 >= ${firstHour}
		WHEN ${spans.ever} THEN 0 ELSE bucket >= ${firstHour * hourMs} END`;

interface Difference {
	readonly counter: number | null;
	readonly subject: number;
	readonly span: Span;
	readonly bucket: number;
}

function differences(
	db: SqliteFile,
	{ lastAt }: LeftOut,
	counters: readonly Counter[],
	areListsSame: boolean,
): string[] {
	const firstHour = hourOf(lastAt) + 1;
	const isWhole = !Number.isFinite(lastAt);
	const whole = isWhole ? "true" : after(firstHour);
	const summed = new Map(
		counters.filter(({ membership }) => membership === "none").map((counter) => [counter.id, counter]),
	);
	const ids = counters.map(({ id }) => id).join();
	const isSummed = `counter_id IN (${[...summed.keys()].join()}) AND span IN (${spans.ever}, ${spans.day})`;
	const rows: Difference[] = Object.entries(compared).flatMap(([table, columns]) => {
		const [ours, log] = [
			`counted.${table} AS one WHERE counter_id IN (${ids}) AND ${whole} AND NOT (${isSummed})`,
			`main.${table} AS one WHERE ${whole}`,
		];
		const same = columns.map((column) => `other.${column} IS one.${column}`).join(" AND ");
		const lacking = (from: string, file: string) =>
			`SELECT counter_id, subject_id, span, bucket FROM ${from} AND NOT EXISTS (SELECT 1 FROM ${file}.${table} AS other WHERE ${same})`;
		return db
			.query<Difference, []>(
				`SELECT DISTINCT counter_id AS counter, subject_id AS subject, span, bucket FROM (
					${lacking(ours, "main")} UNION ALL ${lacking(log, "counted")}
				) ORDER BY counter, subject, span, bucket LIMIT ${namedMax + 1}`,
			)
			.all();
	});
	const sums = differingSums(db, summed)
		.filter(({ span, bucket }) => isWhole || (span === spans.day && bucket * hoursPerDay >= firstHour))
		.take(namedMax + 1)
		.map(({ counter, subject, span, bucket }): Difference => ({ counter, subject, span, bucket }));
	const found = [...rows, ...sums].sort(inOrder);
	const unlike = (areListsSame ? [] : differingHours(db, firstHour)).map(({ subject, hour }) => ({
		counter: null,
		subject,
		span: spans.hour,
		bucket: hour,
	}));
	const lines = [...new Set([...found, ...unlike].map((difference) => describe(db, difference)))];
	const named = lines.slice(0, namedMax);
	if (lines.length > namedMax) named.push("usage.db: there are more such differences");
	if (lines.length > 0)
		named.push(
			"usage.db: `tollgate usage rebuild` rebuilds the totals from the log; a running server keeps answering meanwhile",
		);
	return named;
}

const inOrder = (one: Difference, other: Difference): number =>
	(one.counter ?? 0) - (other.counter ?? 0) ||
	one.subject - other.subject ||
	one.span - other.span ||
	one.bucket - other.bucket;

interface Hour {
	readonly subject: number;
	readonly hour: number;
}

/** Returns the hours whose list of events differs from the log's, however the lists are divided into rows. */
function differingHours(db: SqliteFile, firstHour: number): Hour[] {
	const found: Hour[] = [];
	const ours = hourLists(db, "counted", firstHour);
	const log = hourLists(db, "main", firstHour);
	let [one, other] = [ours.next().value, log.next().value];
	while ((one || other) && found.length <= namedMax) {
		const order = !one ? 1 : !other ? -1 : one.subject - other.subject || one.hour - other.hour;
		if (order !== 0 || one?.events !== other?.events) found.push((order <= 0 ? one : other) as Hour);
		if (order <= 0) one = ours.next().value;
		if (order >= 0) other = log.next().value;
	}
	return found;
}

/** Yields the events of each subject and hour, in order, as a text to compare. */
function* hourLists(
	db: SqliteFile,
	file: "counted" | "main",
	firstHour: number,
): Generator<Hour & { readonly events: string }, undefined> {
	const rows = db
		.prepare<{ subject: number; hour: number; first: number; offsets: Uint8Array }, [number]>(
			`SELECT subject_id AS subject, hour, first_event AS first, offsets FROM ${file}.usage_events_by_hour
			WHERE hour >= ? ORDER BY subject_id, hour`,
		)
		.iterate(firstHour);
	let hour: Hour | undefined;
	let events: number[] = [];
	const list = (of: Hour) => ({ ...of, events: events.sort((one, other) => one - other).join() });
	for (const { subject, hour: at, first, offsets } of rows) {
		if (hour && (hour.subject !== subject || hour.hour !== at)) {
			yield list(hour);
			events = [];
		}
		hour = { subject, hour: at };
		for (const offset of new Uint32Array(offsets.slice().buffer)) events.push(first + offset);
	}
	if (hour) yield list(hour);
	return undefined;
}

/** Names the feature, the customer and the time as callers know them. */
function describe(db: SqliteFile, { counter, subject, span, bucket }: Difference): string {
	const feature = db
		.query<{ name: string }, [number | null]>(
			`SELECT f.ref_id AS name FROM counted.usage_counters c JOIN main_file.features f ON f.id = substr(c.feature_id, 1, 36) WHERE c.id = ?`,
		)
		.get(counter)?.name;
	const of = db
		.query<{ customer: string; resource: string }, [number]>(
			`SELECT c.ref_id AS customer, s.resource_ref AS resource FROM counted.usage_subjects s
			JOIN main_file.customers c ON c.id = s.customer_id
			WHERE s.id = coalesce((SELECT subject_id FROM counted.usage_segments WHERE id = ?1), ?1)`,
		)
		.get(subject);
	const whose = `customer '${of?.customer ?? "unknown"}'${of?.resource ? `, resource '${of.resource}'` : ""}`;
	const when = {
		[spans.ever]: "over all time",
		[spans.day]: `on ${new Date(bucket * 24 * hourMs).toISOString().slice(0, 10)}`,
		[spans.hour]: `in the hour of ${new Date(bucket * hourMs).toISOString().slice(0, 16)}Z`,
		[spans.head]: `in its hour before ${new Date(bucket).toISOString()}`,
		[spans.tail]: `in its hour from ${new Date(bucket).toISOString()} on`,
	}[span];
	const what = counter === null ? "the list of events" : `the total of feature '${feature ?? "unknown"}'`;
	return `usage.db: ${what} for ${whose} ${when} is not what the log says`;
}
