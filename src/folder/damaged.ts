import { SQLiteError } from "bun:sqlite";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Log } from "../http/log";
import { toIso, wallClock } from "../kernel/clock";
import { type ReplaceableFile, replaceable, replaceableFiles } from "../kernel/storage/damage";
import { filePath, openFile } from "../kernel/storage/db";
import { syncToDisk, writeWhole } from "../kernel/storage/disk";
import { isDamage } from "../kernel/storage/failures";
import { unfinishedIn } from "./fill";

/** The note next to a damaged file, which contains the finding. */
const noteOf = (folder: string, file: ReplaceableFile): string => `${filePath(folder, file)}.damaged`;

/** Lets the next start move the file aside. */
export const noteDamaged = (folder: string, file: ReplaceableFile, finding: string): void =>
	writeWhole(noteOf(folder, file), finding);

/**
 * Renames damaged files that Tollgate can rebuild, under a name with the time. No process has them open: the caller holds the folder's
 * lock. An interrupted move continues at the next start, because the note is removed last.
 */
export function moveDamagedAside(folder: string, log: Log): void {
	if (unfinishedIn(folder) !== undefined) return;
	for (const file of replaceableFiles) {
		const noted = existsSync(noteOf(folder, file));
		const finding = noted ? readFileSync(noteOf(folder, file), "utf8") : findingOf(folder, file);
		if (finding === undefined) continue;
		if (!noted) noteDamaged(folder, file, finding);
		const path = filePath(folder, file);
		const aside = `${path}.damaged-${toIso(wallClock.now()).replaceAll(/[-:]|\.\d+/g, "")}`;
		for (const suffix of ["", "-wal", "-shm"]) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
		syncToDisk(folder);
		rmSync(noteOf(folder, file));
		log.warn(
			{ file: basename(path), movedTo: join(folder, basename(aside)), finding },
			`a damaged file was moved aside: ${replaceable[file]}`,
		);
	}
}

/** Reads the header, the list of tables and the number of pages, as every connection does. Returns undefined for a sound or missing file. */
function findingOf(folder: string, file: ReplaceableFile): string | undefined {
	if (!existsSync(filePath(folder, file))) return undefined;
	try {
		const { $client } = openFile(folder, file);
		try {
			$client.query("SELECT count(*) FROM sqlite_schema").get();
			return undefined;
		} finally {
			$client.close();
		}
	} catch (error) {
		if (error instanceof SQLiteError && isDamage(error)) return error.message;
		throw error;
	}
}
