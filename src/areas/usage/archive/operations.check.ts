import { openFile } from "../../../kernel/db";
import { damageOf } from "./files";
import { filesOf } from "./files-of-log";
import type { StoredFile } from "./messages";

/** What is wrong with the files to which old events have moved, a line each. Works alongside a running server. */
export async function checkArchives(folder: string): Promise<string[]> {
	const found: string[] = [];
	for (const file of archivesOf(folder)) {
		const damage = await damageOf(folder, file);
		if (damage !== undefined) found.push(damage);
	}
	return found;
}

/** The files that the log of a folder names. They are never changed. */
export function archivesOf(folder: string): StoredFile[] {
	const events = openFile(folder, "events").$client;
	try {
		return filesOf(events);
	} finally {
		events.close();
	}
}
