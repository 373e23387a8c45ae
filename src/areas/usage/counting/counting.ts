import type { Database as SqliteFile } from "bun:sqlite";
import type { Clock } from "../../../kernel/clock";
import { newUuidV7 } from "../../../kernel/ids";
import { openFile } from "../../../kernel/storage/db";
import { openTransactions } from "../../../kernel/storage/transactions";
import { testClocksIn } from "../../access/environments/operations.clocks";
import { Retries, type RetryOptions } from "../archive/retries";
import { LogReader } from "../log/log-reader";
import { Canceled } from "./canceled";
import { Counters } from "./counters";
import { Cuts } from "./cuts";
import { Subjects } from "./subjects";
import { Totals } from "./totals";

/** Our choice: pages of usage.db that are kept in memory; what a hundred thousand customers change together. */
const pagesKiBMax = 32 * 1024;

/** What all share who count, on the one connection that writes usage.db. */
export interface Counting {
	readonly usage: SqliteFile;
	/** Only read. */
	readonly main: SqliteFile;
	readonly log: LogReader;
	readonly counters: Counters;
	readonly subjects: Subjects;
	readonly cuts: Cuts;
	readonly totals: Totals;
	readonly canceled: Canceled;
	readonly retries: Retries;
	readonly clock: Clock;
	/** Events that one step counts at most. */
	readonly chunkEvents: number;
	/**
	 * Changes whenever the main file has changed. Asked anew each time: the transactions' own epoch stands still until the thread
	 * has paused, and a step must see what was committed just before it.
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
	// What a power cut takes from this file is counted again from the log, whose commits are on disk before they can be
	// read: the cursor and the totals go back together. So the flush at each commit is spared.
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
		canceled: new Canceled(usage, log.canceled),
		retries: new Retries(retry),
	};
}
