import type { Database as SqliteFile } from "bun:sqlite";
import { type FileName, openFile } from "./db";

/** Our choice: so often that little is left for the writer. */
const everyMs = 50;

/**
 * Folds the write-ahead logs of files back into them, on a thread on which nobody waits: it takes two flushes to disk, and
 * the writers would make every sender wait for them. It never waits for a writer, nor a writer for it.
 */
export class Checkpoints {
	readonly #files: readonly SqliteFile[];
	#ranAtMs = Number.NEGATIVE_INFINITY;

	constructor(folder: string, files: readonly FileName[]) {
		this.#files = files.map((file) => openFile(folder, file).$client);
	}

	/** Does nothing when it was done a moment ago. */
	run(): void {
		if (performance.now() - this.#ranAtMs < everyMs) return;
		for (const file of this.#files) file.run("PRAGMA wal_checkpoint(PASSIVE)");
		this.#ranAtMs = performance.now();
	}

	close(): void {
		for (const file of this.#files) file.close();
	}
}

/** Our choices: how often it is tried to empty a write-ahead log, and how long between two tries. */
const triesMax = 50;
const restMs = 100;

/**
 * Empties the write-ahead logs of all files: what was changed since stands in them as it was before. It never waits for a
 * reader or a writer; one that is in use all the time is written over by itself.
 */
export async function checkpointTruncate(folder: string): Promise<void> {
	for (const name of ["main", "events", "usage", "deliveries", "renders"] as const) {
		const file = openFile(folder, name).$client;
		try {
			file.run("PRAGMA busy_timeout = 0");
			const fold = file.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
			for (let tries = 0; tries < triesMax && fold.get()?.busy === 1; tries += 1) await Bun.sleep(restMs);
		} finally {
			file.close();
		}
	}
}
