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

/** What is wrong with the files of old events that are in the folder, a line each. Works alongside a running server. */
export async function checkArchives(folder: string): Promise<string[]> {
	const found: string[] = [];
	for (const file of archivesOf(folder)) {
		if (isAway(folder, file)) continue;
		const damage = await damageOf(folder, file);
		if (damage !== undefined) found.push(damage);
	}
	return found;
}

/** What is wrong with those that are in the storage, each of which is read, a line each. FolderError; FileOutOfReach. */
export async function checkStored(folder: string): Promise<string[]> {
	const files = archivesOf(folder).filter((file) => isAway(folder, file));
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

/** What of the log is in the storage and not in the folder. */
export function leftOutOf(folder: string): LeftOut {
	const away = archivesOf(folder).filter((file) => isAway(folder, file));
	const events = openFile(folder, "events").$client;
	try {
		const blocks = events.prepare<LeftOutBlock, [string]>(
			`SELECT first_event AS firstEvent, events, last_at AS lastAt FROM event_archived_blocks
			WHERE archive IN (SELECT id FROM event_archives WHERE name IN (SELECT value FROM json_each(?)))
			ORDER BY first_event`,
		);
		return new LeftOut(blocks.iterate(JSON.stringify(away.map(({ name }) => name))));
	} finally {
		events.close();
	}
}

export const inStorage = (folder: string): InStorage[] =>
	[
		...Map.groupBy(
			archivesOf(folder).filter((file) => isAway(folder, file)),
			({ storedIn }) => storedIn ?? "",
		),
	].map(([storage, files]) => ({
		storage,
		files: files.length,
		bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
	}));

/** The files that the log of a folder names. They are never changed; another may take the place of one. */
export function archivesOf(folder: string): StoredFile[] {
	const events = openFile(folder, "events").$client;
	try {
		return filesOf(events);
	} finally {
		events.close();
	}
}

const isAway = (folder: string, { name, storedIn }: StoredFile): boolean =>
	storedIn !== null && !existsSync(join(archiveFolder(folder), name));
