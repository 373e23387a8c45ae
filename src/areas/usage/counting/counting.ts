import type { Database as SqliteFile } from "bun:sqlite";
import type { Clock } from "../../../kernel/clock";
import { newUuidV7 } from "../../../kernel/ids";
import { openFile } from "../../../kernel/storage/db";
import { openTransactions } from "../../../kernel/storage/transactions";
import { testClocksIn } from "../../access/environments/operations.clocks";
import { Retries, type RetryOptions } from "../archive/retries";
import { LogReader } from "../log/log-reader";
import { Cancellations } from "./cancellations";
import { Counters } from "./counters";
import { Cuts } from "./cuts";
import { Subjects } from "./subjects";
import { Totals } from "./totals";

/** The page cache for usage.db. It fits the pages that a hundred thousand customers change together. */
const pagesKiBMax = 32 * 1024;

/** The state that all parts of counting share, on the one connection that writes usage.db. */
export interface Counting {
	readonly usage: SqliteFile;
	/** Read only. */
	readonly main: SqliteFile;
	readonly log: LogReader;
	readonly counters: Counters;
	readonly subjects: Subjects;
	readonly cuts: Cuts;
	readonly totals: Totals;
	readonly cancellations: Cancellations;
	readonly retries: Retries;
	readonly clock: Clock;
	/** The most events that one step counts. */
	readonly chunkEvents: number;
	/**
	 * Returns the state of the main file. It reads the file each time: a step must see the latest commit, and the epoch
	 * of `Transactions` changes only when the thread pauses.
	 */
	readonly epochOf: () => number;
}

export interface CountingOptions extends RetryOptions {
	/** The data folder. */
	readonly folder: string;
	readonly clock: Clock;
	readonly chunkEvents: number;
}

export function openCounting({ folder, clock, chunkEvents, ...retry }: CountingOptions): Counting {
	const usageFile = openFile(folder, "usage", ["events"]);
	const usage = usageFile.$client;
	// After a power cut, the log restores the lost commits of this file: its own commits are on disk before they can be
	// read, and the cursor is lost together with the totals. So commits need no flush.
	usage.run("PRAGMA main.synchronous = NORMAL");
	usage.run(`PRAGMA main.cache_size = -${pagesKiBMax}`);
	usage.run("INSERT OR IGNORE INTO usage_cursor (id, counted_to, revision) VALUES (1, 0, 0)");
	const mainFile = openFile(folder, "main");
	const main = mainFile.$client;
	main.run("PRAGMA query_only = ON");
	const transactions = openTransactions({
		db: mainFile,
		clock,
		testClocks: testClocksIn,
		newId: newUuidV7,
		wake: () => {},
	});
	const version = main.prepare<{ data_version: number }, []>("PRAGMA data_version");
	const epochOf = () => version.get()?.data_version ?? 0;
	const log = new LogReader(usageFile);
	return {
		...{ usage, main, log, clock, chunkEvents, epochOf },
		counters: new Counters(usage, transactions, epochOf),
		subjects: new Subjects(usage, main),
		cuts: new Cuts(usage, main),
		totals: new Totals(usage),
		cancellations: new Cancellations(usage, log.canceled),
		retries: new Retries(retry),
	};
}
