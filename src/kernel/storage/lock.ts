import { constants, Database as SqliteFile } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf, FolderError } from "../errors";
import { folderMode } from "./disk";

/** Another process has the folder. The command line prints the message. */
export class FolderInUse extends FolderError {}

/**
 * Locks the data folder for this process, by an exclusive transaction on a separate file. The operating system releases it however
 * the process ends. Short commands (keys, users) do not need it, because SQLite's locks protect their writes. Throws FolderInUse if
 * another process has the lock.
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
