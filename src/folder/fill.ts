import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { keptAnchorName } from "../areas/audit/operations.kept-anchor";
import { pendingErasuresName } from "../areas/privacy/rules.erasure-list";
import { FolderError } from "../kernel/errors";
import { filePath } from "../kernel/storage/db";
import { makePrivate, syncToDisk, writeWhole } from "../kernel/storage/disk";

/** The operation that fills an empty folder. */
type Filling = "first start" | "restore";

/** A file in a folder that is being filled; it names the operation. While it exists, the other files do not count. */
const markOf = (folder: string): string => join(folder, "unfinished.txt");

const databases = ["main", "events", "usage", "renders", "deliveries"] as const;

/** The files that filling makes. The secret is not among them: it is complete or missing, and the owner may have put it there. */
const made = [
	...databases.map((file) => filePath("", file)).flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
	"fingerprints",
	"archive",
	"fetched",
	"initial-keys.txt",
	keptAnchorName,
	pendingErasuresName,
];

/**
 * Fills an empty folder with all of its files or none: the next filling deletes what a killed or failed one left. (The files are made in
 * place: the folder may be the root of a disk, which cannot be renamed.) The caller holds the folder's lock. `fill` flushes its files.
 */
export async function fillFolder<T>(folder: string, filling: Filling, fill: () => Promise<T>): Promise<T> {
	writeWhole(markOf(folder), filling);
	clear(folder);
	let filled: T;
	try {
		filled = await fill();
		// `fill` has flushed the files; this flushes their names.
		syncToDisk(folder);
	} catch (error) {
		clear(folder);
		rmSync(markOf(folder));
		throw error;
	}
	rmSync(markOf(folder));
	syncToDisk(folder);
	return filled;
}

function clear(folder: string): void {
	for (const name of made) rmSync(join(folder, name), { recursive: true, force: true });
	syncToDisk(folder);
}

/**
 * Makes the files readable by their owner only: an earlier version, or a copy, may have left them open. Returns the names of files that
 * this user may not change.
 */
export function makeFilesPrivate(folder: string): string[] {
	const within = ["fingerprints", "archive", "fetched"].flatMap((name) =>
		existsSync(join(folder, name)) ? readdirSync(join(folder, name)).map((file) => join(name, file)) : [],
	);
	return [...made, ...within, "secret", "lock.db", "lock.db-journal"].filter(
		(name) => !makePrivate(join(folder, name)),
	);
}

/** Returns the operation that is filling the folder, or was when it was killed. */
export const unfinishedIn = (folder: string): string | undefined =>
	existsSync(markOf(folder)) ? readFileSync(markOf(folder), "utf8") : undefined;

/** Refuses a folder that is being filled, or whose filling was killed. Throws FolderError. */
export function assertFilled(folder: string): void {
	const filling = unfinishedIn(folder);
	if (filling === undefined) return;
	const remedy = filling === "restore" ? "restore the backup again" : "start the server, which begins it again";
	throw new FolderError(`The ${filling} of the data folder '${folder}' has not finished: ${remedy}.`);
}

/** Refuses a folder with data, except the rest of a killed filling. Throws FolderError. */
export function assertEmpty(folder: string): void {
	if (unfinishedIn(folder) === undefined && hasMainFile(folder))
		throw new FolderError(`The data folder '${folder}' is not empty; set TOLLGATE_DATA_DIR to a new one.`);
}

/**
 * Whether the folder has data. Refuses a folder that has lost its main file: without it, Tollgate would take the folder for an empty one.
 */
export function hasMainFile(folder: string): boolean {
	const there = databases.map((file) => filePath("", file)).filter((name) => existsSync(join(folder, name)));
	const main = filePath("", "main");
	if (there.length === 0 || there.includes(main)) return there.length > 0;
	throw new FolderError(
		`The data folder '${folder}' has lost ${main}, while it still has ${there.join(", ")}: bring ${main} back, or restore a backup into a new folder.`,
	);
}
