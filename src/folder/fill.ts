import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { keptAnchorName } from "../areas/audit/operations.kept-anchor";
import { pendingErasuresName } from "../areas/privacy/rules.erasure-list";
import { FolderError } from "../kernel/errors";
import { filePath } from "../kernel/storage/db";
import { makePrivate, syncToDisk, writeWhole } from "../kernel/storage/disk";

/** What fills an empty folder. */
type Filling = "first start" | "restore";

/** Stands in a folder that is being filled, and says by what. Until it is gone, nothing else in the folder counts. */
const markOf = (folder: string): string => join(folder, "unfinished.txt");

const databases = ["main", "events", "usage", "renders", "deliveries"] as const;

/** What a filling makes. The secret is not here: it is whole or not there, and may have been laid there by the owner. */
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
 * Fills an empty folder with all of its files or with none: a filling that was killed, or failed, is thrown away when the
 * next one begins. (The files are made where they stay: the folder may be the root of a disk, which cannot be renamed.)
 * The caller holds the folder's lock. `fill` writes to disk what it makes.
 */
export async function fillFolder<T>(folder: string, filling: Filling, fill: () => Promise<T>): Promise<T> {
	writeWhole(markOf(folder), filling);
	clear(folder);
	let filled: T;
	try {
		filled = await fill();
		// What is in the files is on disk by `fill`; their names are by this.
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
 * Takes what others may do with our files from them: an earlier version, or a copy, may have left them open. Answers the
 * names of those that this user may not change.
 */
export function makeFilesPrivate(folder: string): string[] {
	const within = ["fingerprints", "archive", "fetched"].flatMap((name) =>
		existsSync(join(folder, name)) ? readdirSync(join(folder, name)).map((file) => join(name, file)) : [],
	);
	return [...made, ...within, "secret", "lock.db", "lock.db-journal"].filter(
		(name) => !makePrivate(join(folder, name)),
	);
}

/** By what the folder is being filled, or was when that was killed. */
export const unfinishedIn = (folder: string): string | undefined =>
	existsSync(markOf(folder)) ? readFileSync(markOf(folder), "utf8") : undefined;

/** Refuses a folder that is being filled, or whose filling was killed. */
export function assertFilled(folder: string): void {
	const filling = unfinishedIn(folder);
	if (filling === undefined) return;
	const remedy = filling === "restore" ? "restore the backup again" : "start the server, which begins it again";
	throw new FolderError(`The ${filling} of the data folder '${folder}' has not finished: ${remedy}.`);
}

/** Refuses a folder that holds data, other than the rest of a filling that was killed. */
export function assertEmpty(folder: string): void {
	if (unfinishedIn(folder) === undefined && hasMainFile(folder))
		throw new FolderError(`The data folder '${folder}' is not empty; set TOLLGATE_DATA_DIR to a new one.`);
}

/**
 * Whether there is anything in the folder yet. Refuses one that has lost its main file: the others without it would be
 * taken for an empty folder's.
 */
export function hasMainFile(folder: string): boolean {
	const there = databases.map((file) => filePath("", file)).filter((name) => existsSync(join(folder, name)));
	const main = filePath("", "main");
	if (there.length === 0 || there.includes(main)) return there.length > 0;
	throw new FolderError(
		`The data folder '${folder}' has lost ${main}, while it still has ${there.join(", ")}: bring ${main} back, or restore a backup into a new folder.`,
	);
}
