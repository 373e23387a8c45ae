import { existsSync } from "node:fs";
import { migrations as deliveries } from "../drizzle/deliveries";
import { migrations as events } from "../drizzle/events";
import { migrations as main } from "../drizzle/main";
import { migrations as renders } from "../drizzle/renders";
import { migrations as usage } from "../drizzle/usage";
import { testClocksIn } from "./areas/access/environments/operations.clocks";
import { recordChanges } from "./areas/audit/operations.recording";
import { currentCommand } from "./command";
import { assertFilled, hasMainFile } from "./folder/fill";
import { type Clock, wallClock } from "./kernel/clock";
import { FolderError } from "./kernel/errors";
import { newUuidV7 } from "./kernel/ids";
import { type FileName, filePath, openFile } from "./kernel/storage/db";
import { newerSchema, schemaVersionOf } from "./kernel/storage/migrate";
import { openTransactions } from "./kernel/storage/transactions";
import type { Database, Transactions, WorkerName } from "./kernel/work";

/** The schema of every file of a data folder, embedded in the executable. */
export const schemas = { main, events, usage, renders, deliveries } as const;

const fileNames = Object.keys(schemas) as FileName[];

export interface OpenFiles {
	readonly db: Database;
	readonly transactions: Transactions;
}

export interface OpenOptions {
	/** The machine's clock. */
	readonly clock?: Clock;
	readonly newId?: () => string;
	readonly wake?: (worker: WorkerName) => void;
	readonly onUnconfirmed?: (cause: unknown) => void;
	/** Runs once an entry of the audit log is committed. */
	readonly onRecorded?: () => void;
}

/** Opens a data folder, with the main file open and the others attached for reading. Refuses what `assertCurrent` refuses. */
export function openFolder(folder: string, options: OpenOptions = {}): OpenFiles {
	assertCurrent(folder);
	return openPrepared(folder, options);
}

/**
 * Refuses a folder that is incomplete or not at this version's schema, and changes nothing in it. Only the server and a restore upgrade a
 * folder, while they hold its lock: another server of an older version may be running on it. Throws FolderError.
 */
export function assertCurrent(folder: string): void {
	assertSchemas(folder);
	if (!hasMainFile(folder))
		throw new FolderError(
			`There is no Tollgate data in '${folder}': start the server, which creates it, or set TOLLGATE_DATA_DIR to another folder.`,
		);
	const missing = fileNames.filter((file) => !existsSync(filePath(folder, file))).map((file) => `${file}.db`);
	if (missing.length > 0)
		throw new FolderError(
			`The data folder '${folder}' has no ${missing.join(", ")}: start the server, which rebuilds what it can.`,
		);
}

/** Refuses a folder that is not at this version's schema. Skips a file that is missing or unreadable. Throws FolderError. */
export function assertSchemas(folder: string): void {
	assertFilled(folder);
	for (const file of fileNames) {
		const known = schemas[file].length;
		const version = schemaVersionOf(filePath(folder, file)) ?? known;
		if (version > known) throw newerSchema(version, known);
		if (version < known)
			throw new FolderError(
				`The data folder was written by an older Tollgate (schema ${version} of ${file}.db, this one needs ${known}): use the older version's command, or start this version's server, which upgrades the folder.`,
			);
	}
}

/** Opens files that are at this version's schema: the caller has made or upgraded them. */
export function openPrepared(folder: string, options: OpenOptions = {}): OpenFiles {
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	const { clock = wallClock, newId = newUuidV7, wake = () => {}, onUnconfirmed, onRecorded } = options;
	return {
		db,
		transactions: openTransactions({
			...{ db, clock, newId, wake, onUnconfirmed, cause: currentCommand() },
			...{ testClocks: testClocksIn, recorder: (main) => recordChanges(main, onRecorded) },
		}),
	};
}
