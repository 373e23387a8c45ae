import { constants, Database as SqliteFile } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { folderMode } from "./disk";
import { type Migration, migrateFile } from "./migrate";
import type { Database } from "./work";

/**
 * The files of a data folder. Each has exactly one thread that writes what grows fast (the ingester, the aggregator,
 * the renderer); the main file takes short transactions from several. See ARCHITECTURE.md, "Threads and files".
 */
export type FileName = "main" | "events" | "usage" | "renders";

export const filePath = (folder: string, file: FileName): string => join(folder, `${file}.db`);

/** How long a writer waits for the lock of another thread before it fails. Our choice: far above any transaction of ours. */
const busyTimeoutMs = 10_000;

/** The WAL is folded back after this many pages (4 KiB each): 16 MiB. */
const walPagesMax = 4096;

function open(path: string): SqliteFile {
	const sqlite = new SqliteFile(
		path,
		constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_URI,
	);
	// The timeout comes first: switching the journal mode already needs a lock.
	sqlite.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
	sqlite.run("PRAGMA journal_mode = WAL");
	sqlite.run("PRAGMA synchronous = FULL");
	sqlite.run("PRAGMA foreign_keys = ON");
	sqlite.run(`PRAGMA wal_autocheckpoint = ${walPagesMax}`);
	sqlite.run(`PRAGMA journal_size_limit = ${walPagesMax * 4096}`);
	return sqlite;
}

/** Creates the folder, readable by its owner only, and brings the given files up to the newest migration. */
export function prepareFiles(
	folder: string,
	migrations: Readonly<Partial<Record<FileName, readonly Migration[]>>>,
): void {
	mkdirSync(folder, { recursive: true, mode: folderMode });
	for (const [file, steps] of Object.entries(migrations)) {
		const sqlite = open(filePath(folder, file as FileName));
		try {
			migrateFile(sqlite, steps);
		} finally {
			sqlite.close();
		}
	}
}

/**
 * A connection to one file for writing, with others attached for reading only: their tables answer under their own
 * names in the same transaction, so that a decision reads the catalogue and the totals by one `work.tx`.
 */
export function openFile(
	folder: string,
	file: FileName,
	readAlso: ReadonlyArray<Exclude<FileName, "main">> = [],
): Database {
	const sqlite = open(filePath(folder, file));
	for (const other of readAlso) sqlite.run(`ATTACH 'file:${filePath(folder, other)}?mode=ro' AS ${other}`);
	return drizzle(sqlite);
}
