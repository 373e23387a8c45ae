import { migrations as deliveries } from "../drizzle/deliveries";
import { migrations as events } from "../drizzle/events";
import { migrations as main } from "../drizzle/main";
import { migrations as renders } from "../drizzle/renders";
import { migrations as usage } from "../drizzle/usage";
import { testClocksIn } from "./areas/access/environments/operations.clocks";
import { recordChanges } from "./areas/audit/operations.recording";
import { assertFilled } from "./folder/fill";
import { type Clock, wallClock } from "./kernel/clock";
import { newUuidV7 } from "./kernel/ids";
import { openFile, prepareFiles } from "./kernel/storage/db";
import { openTransactions } from "./kernel/storage/transactions";
import type { Cause, Database, Transactions, WorkerName } from "./kernel/work";

/** The schema of every file of a data folder, embedded in the executable. */
export const schemas = { main, events, usage, renders, deliveries } as const;

/** The command that this process runs. */
let command: Cause | undefined;

/** By what comes about what is written on this thread: a process of the command line runs one command. */
export const runAs = (cause: Cause): void => {
	command = cause;
};

export interface OpenFiles {
	readonly db: Database;
	readonly transactions: Transactions;
}

export interface OpenOptions {
	/** The machine's. */
	readonly clock?: Clock;
	readonly newId?: () => string;
	readonly wake?: (worker: WorkerName) => void;
	readonly onUnconfirmed?: (cause: unknown) => void;
	/** Runs once an entry of the audit log is committed. */
	readonly onRecorded?: () => void;
}

/** A data folder at the newest schema, with the main file open and the others attached for reading. */
export function openFolder(folder: string, options: OpenOptions = {}): OpenFiles {
	assertFilled(folder);
	prepareFiles(folder, schemas);
	return openPrepared(folder, options);
}

/** As `openFolder`, of files that are at the newest schema. */
export function openPrepared(folder: string, options: OpenOptions = {}): OpenFiles {
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	const { clock = wallClock, newId = newUuidV7, wake = () => {}, onUnconfirmed, onRecorded } = options;
	return {
		db,
		transactions: openTransactions({
			...{ db, clock, newId, wake, onUnconfirmed, cause: command },
			...{ testClocks: testClocksIn, recorder: (main) => recordChanges(main, onRecorded) },
		}),
	};
}
