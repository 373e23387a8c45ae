import { constants, Database as SqliteFile } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf, FolderError } from "../errors";
import { folderMode } from "./disk";

/** The folder belongs to another process, which is told to the person who started this one. */
export class FolderInUse extends FolderError {}

/**
 * Holds the data folder for this process: an exclusive transaction on a file of its own, so that the operating system
 * gives it back whatever way the process ends. Short-lived commands (keys, users) do not need it: they write through
 * SQLite's own locks.
 */
export function lockFolder(
	folder: string,
	refusal = `The data folder '${folder}' is in use by another Tollgate; stop that one, or set TOLLGATE_DATA_DIR to another folder.`,
): () => void {
	mkdirSync(folder, { recursive: true, mode: folderMode });
	const sqlite = new SqliteFile(
		join(folder, "lock.db"),
		constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE,
	);
	try {
		sqlite.run("PRAGMA busy_timeout = 0");
		sqlite.run("BEGIN EXCLUSIVE");
	} catch (error) {
		sqlite.close();
		if (codeOf(error) === "SQLITE_BUSY") throw new FolderInUse(refusal);
		throw error;
	}
	return () => sqlite.close();
}
