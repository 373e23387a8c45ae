import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readStoredErasures } from "../areas/privacy/operations.erasure-list";
import {
	erasureListName,
	formatErasureList,
	type ListedErasure,
	mergeErasures,
	parseErasureList,
	pendingErasuresName,
} from "../areas/privacy/rules.erasure-list";
import { storageOf } from "../areas/usage/archive/operations.storage";
import { FolderError } from "../kernel/errors";
import { writeWhole } from "../kernel/storage/disk";
import { FileUnreadable } from "../kernel/storage/failures";

const listPathNextTo = (backup: string): string => join(dirname(resolve(backup)), erasureListName);

/** Reads the list of erasures next to a backup; empty if there is none. Throws FolderError. */
export const readErasuresNextTo = (backup: string): ListedErasure[] => readErasures(listPathNextTo(backup));

/** Reads a list of erasures from a file; empty if there is none. Throws FolderError. */
export const readErasures = (path: string): ListedErasure[] =>
	existsSync(path) ? parseErasureList(readFileSync(path, "utf8"), path) : [];

/** Reads the erasures of a named list, and of the list in the bucket if one is set. Throws FolderError. */
export async function knownErasures(folder: string, path: string | undefined): Promise<ListedErasure[]> {
	if (path !== undefined && !existsSync(path)) throw new FolderError(`There is no file '${path}'.`);
	const named = path === undefined ? [] : readErasures(path);
	const objects = storageOf(folder)?.objects;
	if (!objects) return named;
	try {
		return mergeErasures(named, await readStoredErasures(objects));
	} catch (error) {
		if (!(error instanceof FileUnreadable)) throw error;
		throw new FolderError(
			`The list of erasures in ${objects.location} cannot be read (${String(error.cause)}). Try again, or unset TOLLGATE_S3_BUCKET to restore without it.`,
		);
	}
}

/** Adds erasures to the list next to a backup: earlier backups in that folder do not know them. Throws FolderError. */
export function writeErasuresNextTo(backup: string, erasures: readonly ListedErasure[]): void {
	const listed = readErasuresNextTo(backup);
	const merged = mergeErasures(listed, erasures);
	if (merged.length > listed.length) writeWhole(listPathNextTo(backup), formatErasureList(merged));
}

/** Stores erasures in a restored folder, for `reapplyPending` (pending-erasures.ts). */
export function writePending(folder: string, erasures: readonly ListedErasure[]): void {
	if (erasures.length > 0) writeWhole(join(folder, pendingErasuresName), formatErasureList(erasures));
}
