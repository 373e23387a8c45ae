import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "../errors";

/** What Tollgate makes is its owner's alone. */
export const fileMode = 0o600;
export const folderMode = 0o700;

/**
 * Writes a small file whole: whatever way the machine stops, the name holds either what stood there before or all of
 * `text`. For that the text is on disk before it gets the name, and the name is on disk before this returns.
 */
export function writeWhole(path: string, text: string): void {
	const part = `${path}.part`;
	// What a kill has left may have been open to others.
	rmSync(part, { force: true });
	const file = openSync(part, "wx", fileMode);
	try {
		writeFileSync(file, text);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	renameWhole(part, path);
}

/** As `writeWhole`, without blocking the thread. Two processes may write the same file at once: the later one wins. */
export async function writeWholeAsync(path: string, text: string): Promise<void> {
	const part = `${path}.${process.pid}.part`;
	await rm(part, { force: true });
	const file = await open(part, "wx", fileMode);
	try {
		await file.writeFile(text);
		await file.sync();
	} finally {
		await file.close();
	}
	await rename(part, path);
	const folder = await open(dirname(path), "r");
	try {
		await folder.sync();
	} finally {
		await folder.close();
	}
}

/** Gives a file that is on disk, or a folder of such files, its name; on disk when it returns. */
export function renameWhole(from: string, to: string): void {
	renameSync(from, to);
	syncToDisk(dirname(to));
}

/**
 * Waits until a file's content, or a folder's list of names, is on disk. Never for a database that this process has open:
 * closing any descriptor of a file gives up the process's locks on it, and other processes would take it for closed.
 */
export function syncToDisk(path: string): void {
	const file = openSync(path, "r");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

/** Takes what others may do with a file or a folder from them. Answers false where this user may not change it. */
export function makePrivate(path: string): boolean {
	const found = statSync(path, { throwIfNoEntry: false });
	if (!found || (found.mode & 0o077) === 0) return true;
	try {
		chmodSync(path, found.isDirectory() ? folderMode : fileMode);
		return true;
	} catch (error) {
		// Another user's file, or a disk that knows no modes: to be told, no reason not to start.
		if (/^(EPERM|EROFS|ENOTSUP)$/.test(codeOf(error))) return false;
		throw error;
	}
}
