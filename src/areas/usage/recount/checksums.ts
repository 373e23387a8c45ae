import type { Database as SqliteFile } from "bun:sqlite";
import { filePath } from "../../../kernel/storage/db";
import type { Awaiting } from "../../../kernel/storage/failures";
import { changesOfCanceled } from "../aggregation/meter";
import type { LeftOut } from "../archive/left-out";
import { forEachCounted } from "../counting/slice-count";
import { type Counter, foundIn, type Take } from "../counting/tally";
import { hourOf } from "../hours";
import { decimalOf } from "../rules";
import { type Span, spans } from "../table.usage";
import { HourListsSum, sumOfHourLists } from "./event-list-checksum";
import { type Counted, countedTo, openRecount, readAgain } from "./log-count";
import { type ComparedTotals, TotalsSum, type Weight, weightOfHour } from "./totals-checksum";

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

/** The checksums of counters. */
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
		const additive = counters.filter(({ addend }) => addend !== undefined);
		const stored = storedSums(db, additive, compared);
		const storedLists = sumOfHourLists(db, "counted", compared.firstHour);
		db.run("COMMIT");
		const sums = sumsFor(additive, compared);
		const lists = new HourListsSum();
		yield* sumAgain(db, leftOut, { ...counted, counters: additive }, compared, sums, lists);
		const isProven = ({ id }: Counter) => sums.get(id)?.equals(stored.get(id) ?? new TotalsSum(compared)) === true;
		return {
			counters: new Set(counters.filter((counter) => !isProven(counter)).map(({ id }) => id)),
			areListsSame: lists.equals(storedLists),
		};
	} finally {
		db.close();
	}
}

const sumsFor = (counters: readonly Counter[], compared: ComparedTotals): Sums =>
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

/** Adds each event of the log to the checksums. Totals of additive counters are sums, so events need no totals first. */
function* sumAgain(
	db: SqliteFile,
	leftOut: LeftOut,
	counted: Counted,
	compared: ComparedTotals,
	sums: Sums,
	lists: HourListsSum,
): Awaiting<void> {
	yield* readAgain(db, leftOut, counted, ({ slice, subjects, countersOf, cutsOf, canceled }) => {
		const { block } = slice;
		forEachCounted(slice, subjects, countersOf, (count, index, subject, { customerId }) => {
			const event = block.firstEvent + index;
			const at = block.at(index);
			const hour = hourOf(at);
			if (hour >= compared.firstHour) lists.add(subject, hour, event);
			const isCanceled = canceled.has(event);
			const events = isCanceled ? changesOfCanceled : 1;
			const weight = weightOfHour(compared, subject, hour);
			const cuts = cutsOf(subject, hour, customerId);
			const rank = block.rank(index);
			const addTo = (take: Take, counted: number, weight: Weight): void => {
				const { id, addend } = take.counter;
				const sum = sums.get(id);
				const amount = isCanceled || !addend ? 0 : stateOf(addend(foundIn(take, rank)));
				sum?.addWeighted(weight, events, amount);
				for (const cut of cuts) sum?.add(counted, at < cut ? spans.head : spans.tail, cut, events, amount);
			};
			for (const take of count.takesOf(block, index)) addTo(take, subject, weight);
			if (count.hasSegments)
				count.forEachSegment(block, index, (take, name) => {
					const segment = subjects.segmentOf(subject, name);
					addTo(take, segment, weightOfHour(compared, segment, hour));
				});
		});
	});
}

/** Returns an amount as a state: a number if it is whole, otherwise its decimal. */
const stateOf = (amount: number | string): number | string =>
	typeof amount === "number" && Number.isSafeInteger(amount) ? amount : decimalOf(amount);
