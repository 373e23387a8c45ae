import { constants, Database as SqliteFile } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Instant } from "../../../kernel/clock";
import { collectorAfter } from "../../../kernel/garbage";
import { filePath } from "../../../kernel/storage/db";
import { type Awaiting, step } from "../../../kernel/storage/failures";
import type { LeftOut } from "../archive/left-out";
import { type CounterRow, readCounter } from "../counting/counters";
import { Cuts } from "../counting/cuts";
import { type CountersOf, countSlice } from "../counting/slice-count";
import { Subjects } from "../counting/subjects";
import { type Counter, type CutsOf, hourKey, Tally } from "../counting/tally";
import { LogReader, type LogSlice } from "../log/log-reader";

/** Events that are counted at once; limits the memory. */
const chunkEvents = 10_000;

/** A garbage collection takes about 50 ms. */
const chunksPerCollection = 8;

/**
 * Opens a database of its own, `main`, with the totals to compare as `counted`, and with the log and main.db. `file` is empty
 * for a database in memory; `totals` is the path of a usage.db.
 */
export function openRecount(folder: string, file: string, totals: string): SqliteFile {
	const db = new SqliteFile(
		file === "" ? ":memory:" : file,
		constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_URI,
	);
	db.run("ATTACH ? AS counted", [`file:${totals}?mode=ro`]);
	db.run("ATTACH ? AS events", [`file:${filePath(folder, "events")}?mode=ro`]);
	db.run("ATTACH ? AS main_file", [`file:${filePath(folder, "main")}?mode=ro`]);
	return db;
}

/** The state of the totals to compare: the last event in them, their counters and their cuts. */
export interface Counted {
	readonly end: number;
	readonly correctedTo: number;
	readonly counters: readonly Counter[];
	readonly isCut: (subject: number, hour: number) => boolean;
}

export function countedTo(db: SqliteFile): Counted {
	const cursor = db
		.query<{ end: number; correctedTo: number }, []>(
			"SELECT counted_to AS end, corrected_to AS correctedTo FROM counted.usage_cursor",
		)
		.get();
	const { end = 0, correctedTo = 0 } = cursor ?? {};
	// Filling and retired counters answer no reader.
	const rows = db.query<CounterRow, []>("SELECT * FROM counted.usage_counters WHERE state = 'LIVE'").all();
	return { end, correctedTo, counters: rows.map(readCounter), isCut: cutHours(db) };
}

/** Hours whose cuts stay in memory. The log is in the order of time, so few hours come back later. */
const rememberedHoursMax = 10_000;

/** Some events of the log, and what counts them. */
interface LogPart {
	readonly slice: LogSlice;
	readonly subjects: Subjects;
	readonly countersOf: CountersOf;
	readonly cutsOf: CutsOf;
	/** The canceled events of the block. */
	readonly canceled: ReadonlySet<number>;
}

/** Counts the log again, and passes the amounts on chunk by chunk. An hour of a subject may be in several chunks. */
export function* countAgain(
	db: SqliteFile,
	leftOut: LeftOut,
	counted: Counted,
	take: (tally: Tally) => void,
): Awaiting<void> {
	let tally: Tally | undefined;
	yield* readAgain(
		db,
		leftOut,
		counted,
		({ slice, subjects, countersOf, cutsOf, canceled }) => {
			tally ??= new Tally(cutsOf);
			countSlice(slice, tally, subjects, countersOf, canceled);
		},
		() => {
			if (tally) take(tally);
			tally = undefined;
		},
	);
}

/** Reads the events in the totals from the log again, part by part. `afterChunk` runs after about `chunkEvents` events. */
export function* readAgain(
	db: SqliteFile,
	leftOut: LeftOut,
	{ end, correctedTo, counters, isCut }: Counted,
	take: (part: LogPart) => void,
	afterChunk: () => void = () => {},
): Awaiting<void> {
	const subjects = new Subjects(db, db);
	const log = new LogReader(drizzle(db));
	const cuts = new Cuts(db, db, rememberedHoursMax);
	const cutsOf: CutsOf = (subject, hour) => (isCut(subject, hour) ? cuts.standing(subject, hour) : notCut);
	const collect = collectorAfter(chunksPerCollection);
	const ofEnvironment = Map.groupBy(counters, ({ environmentId }) => environmentId);
	const countersOf: CountersOf = (environmentId) => ofEnvironment.get(environmentId) ?? noCounters;
	for (let counted = leftOut.skip(0); counted < end; counted = leftOut.skip(counted)) {
		const before = counted;
		const upTo = Math.min(end, leftOut.before(counted));
		yield* step(() => {
			for (const slice of log.after(counted, upTo, chunkEvents)) {
				take({ slice, subjects, countersOf, cutsOf, canceled: log.canceled.in(slice.block, correctedTo) });
				counted = slice.block.firstEvent + slice.to - 1;
			}
		});
		if (counted === before) return;
		afterChunk();
		collect();
	}
}

const noCounters: readonly Counter[] = [];
const notCut: readonly Instant[] = [];

/** Cut hours that stay in memory, about 40 MB; beyond this, each hour is looked up. */
const cutHoursMax = 1_000_000;

/** Returns whether an hour of a subject may be cut: few hours are. */
function cutHours(db: SqliteFile): (subject: number, hour: number) => boolean {
	const known = new Set<number>();
	const rows = db
		.prepare<{ subject: number; hour: number }, []>(
			`SELECT subject_id AS subject, hour FROM counted.usage_cuts LIMIT ${cutHoursMax + 1}`,
		)
		.iterate();
	let cuts = 0;
	for (const { subject, hour } of rows) {
		known.add(hourKey(subject, hour));
		cuts += 1;
	}
	return cuts > cutHoursMax ? () => true : (subject, hour) => known.has(hourKey(subject, hour));
}
