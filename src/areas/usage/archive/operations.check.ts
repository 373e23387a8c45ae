import { existsSync } from "node:fs";
import { join } from "node:path";
import { FolderError } from "../../../kernel/errors";
import { openFile } from "../../../kernel/storage/db";
import { damageOf } from "./files";
import { filesOf } from "./files-of-log";
import { LeftOut, type LeftOutBlock } from "./left-out";
import type { StoredFile } from "./messages";
import { storageOf } from "./operations.storage";
import { archiveFolder } from "./rules";
import type { InStorage } from "./rules.storage";

/** Returns the damage of files of old events in the folder, a line each. Works alongside a running server. */
export async function checkArchives(folder: string): Promise<string[]> {
	const found: string[] = [];
	for (const file of archivesOf(folder)) {
		if (isMoved(folder, file)) continue;
		const damage = await damageOf(folder, file);
		if (damage !== undefined) found.push(damage);
	}
	return found;
}

/** Returns the damage of files in the storage, a line each, and reads each of them. Throws FolderError, FileOutOfReach. */
export async function checkStored(folder: string): Promise<string[]> {
	const files = archivesOf(folder).filter((file) => isMoved(folder, file));
	const objects = storageOf(folder)?.objects;
	if (!objects)
		throw new FolderError("No storage is set: set TOLLGATE_S3_BUCKET and what belongs to it, as the server has them.");
	const found: string[] = [];
	for (const file of files) {
		const difference = await objects.difference(file);
		if (difference !== undefined)
			found.push(`${objects.addressOf(file)} ${difference}; bring it back, or archive/${file.name} from a backup`);
	}
	return found;
}

/** Returns the events of the log that are in the storage and not in the folder. */
export function leftOutOf(folder: string): LeftOut {
	const moved = archivesOf(folder).filter((file) => isMoved(folder, file));
	const events = openFile(folder, "events").$client;
	try {
		const blocks = events.prepare<LeftOutBlock, [string]>(
			`SELECT first_event AS firstEvent, events, last_at AS lastAt FROM event_archived_blocks
			WHERE archive IN (SELECT id FROM event_archives WHERE name IN (SELECT value FROM json_each(?)))
			ORDER BY first_event`,
		);
		return new LeftOut(blocks.iterate(JSON.stringify(moved.map(({ name }) => name))));
	} finally {
		events.close();
	}
}

export const inStorage = (folder: string): InStorage[] =>
	[
		...Map.groupBy(
			archivesOf(folder).filter((file) => isMoved(folder, file)),
			({ storedIn }) => storedIn ?? "",
		),
	].map(([storage, files]) => ({
		storage,
		files: files.length,
		bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
	}));

/** Returns the files that the log of a folder names. A file never changes; another one may replace it. */
export function archivesOf(folder: string): StoredFile[] {
	const events = openFile(folder, "events").$client;
	try {
		return filesOf(events);
	} finally {
		events.close();
	}
}

const isMoved = (folder: string, { name, storedIn }: StoredFile): boolean =>
	storedIn !== null && !existsSync(join(archiveFolder(folder), name));
