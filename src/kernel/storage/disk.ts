import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "../errors";

/** The modes of Tollgate's files and folders: only the owner may read them. */
export const fileMode = 0o600;
export const folderMode = 0o700;

/**
 * Writes a small file atomically: however the machine stops, the file contains either the old text or all of `text`. The text is on disk
 * before the file gets its name, and the name is on disk when this returns.
 */
export function writeWhole(path: string, text: string): void {
	const part = `${path}.part`;
	// A file that a kill left may have been readable by others.
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

/** Renames a file or folder whose content is on disk. The name is on disk when this returns. */
export function renameWhole(from: string, to: string): void {
	renameSync(from, to);
	syncToDisk(dirname(to));
}

/**
 * Waits until the content of a file, or the list of names of a folder, is on disk. Never call it for a database that this process
 * has open: closing any descriptor of a file releases the process's locks on it. Other processes would then consider the database
 * closed.
 */
export function syncToDisk(path: string): void {
	const file = openSync(path, "r");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

/** Makes a file or folder private to its owner. Returns false if this user may not change it. */
export function makePrivate(path: string): boolean {
	const found = statSync(path, { throwIfNoEntry: false });
	if (!found || (found.mode & 0o077) === 0) return true;
	try {
		chmodSync(path, found.isDirectory() ? folderMode : fileMode);
		return true;
	} catch (error) {
		// Another user's file, or a disk without modes: the server warns and starts.
		if (/^(EPERM|EROFS|ENOTSUP)$/.test(codeOf(error))) return false;
		throw error;
	}
}
