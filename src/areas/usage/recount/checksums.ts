import type { Database as SqliteFile } from "bun:sqlite";
import { filePath } from "../../../kernel/storage/db";
import type { Awaiting } from "../../../kernel/storage/failures";
import type { LeftOut } from "../archive/left-out";
import type { CountedEvents, Counter, HourTally } from "../counting/tally";
import { type Span, spans } from "../table.usage";
import { HourListsSum, sumOfHourLists } from "./event-list-checksum";
import { countAgain, countedTo, openRecount } from "./log-count";
import { type ComparedTotals, TotalsSum } from "./totals-checksum";

/** The totals that the checksums do not prove to equal the log. */
export interface Unproven {
	/** Ids of counters. */
	readonly counters: ReadonlySet<number>;
	readonly areListsSame: boolean;
}

/** The cache of pages, in KiB. Each page of the totals is read once. */
const cacheKib = 4_096;

/** Most states are whole numbers that a double holds; reading them as numbers saves texts. */
const numberOrText = `CASE WHEN length(state) <= 15 AND CAST(CAST(state AS INTEGER) AS TEXT) = state
	THEN CAST(state AS INTEGER) ELSE state END`;

type Sums = ReadonlyMap<number, TotalsSum>;

/**
 * Compares checksums of the totals with checksums of the log, without a row for each total. Only additive counters have
 * a checksum. A server that counts meanwhile can leave equal totals unproven, but cannot prove different ones.
 */
export function* compareChecksums(folder: string, leftOut: LeftOut, compared: ComparedTotals): Awaiting<Unproven> {
	const db = openRecount(folder, "", filePath(folder, "usage"));
	try {
		for (const file of ["counted", "events", "main_file"]) db.run(`PRAGMA ${file}.cache_size = -${cacheKib}`);
		// One transaction, so that all totals are of one time.
		db.run("BEGIN");
		const counted = countedTo(db);
		const { counters } = counted;
		const additive = counters.filter(({ isAdditive }) => isAdditive);
		const stored = storedSums(db, additive, compared);
		const storedLists = sumOfHourLists(db, "counted", compared.firstHour);
		db.run("COMMIT");
		const sums: Sums = sumsFor(additive, compared);
		const lists = new HourListsSum();
		yield* countAgain(db, leftOut, { ...counted, counters: additive }, (tally) => {
			const hours = tally.hours();
			for (const hour of hours) addHour(sums, hour);
			lists.addTallies(hours, compared.firstHour);
		});
		const isProven = ({ id }: Counter) => sums.get(id)?.equals(stored.get(id) ?? new TotalsSum(compared)) === true;
		return {
			counters: new Set(counters.filter((counter) => !isProven(counter)).map(({ id }) => id)),
			areListsSame: lists.equals(storedLists),
		};
	} finally {
		db.close();
	}
}

const sumsFor = (counters: readonly Counter[], compared: ComparedTotals): Map<number, TotalsSum> =>
	new Map(counters.map(({ id }) => [id, new TotalsSum(compared)]));

function storedSums(db: SqliteFile, counters: readonly Counter[], compared: ComparedTotals): Sums {
	const sums = sumsFor(counters, compared);
	for (const [id, sum] of sums) {
		const rows = db
			.prepare<{ subject: number; span: Span; bucket: number; events: number; state: string | number }, [number]>(
				`SELECT subject_id AS subject, span, bucket, events, ${numberOrText} AS state
				FROM counted.usage_totals WHERE counter_id = ?`,
			)
			.iterate(id);
		for (const { subject, span, bucket, events, state } of rows) sum.add(subject, span, bucket, events, state);
	}
	return sums;
}

function addHour(sums: Sums, { subjectId, hour, amounts, cuts }: HourTally): void {
	for (const amount of amounts) sums.get(amount.counter.id)?.addHour(subjectId, hour, amount);
	for (const { at, head, tail } of cuts) {
		addPart(sums, subjectId, spans.head, at, head);
		addPart(sums, subjectId, spans.tail, at, tail);
	}
}

function addPart(sums: Sums, subject: number, span: Span, at: number, amounts: readonly CountedEvents[]): void {
	for (const { counter, events, aggregate } of amounts)
		sums.get(counter.id)?.add(subject, span, at, events, aggregate.state);
}
