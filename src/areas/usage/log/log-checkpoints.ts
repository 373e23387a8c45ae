import type { Database as SqliteFile } from "bun:sqlite";
import { openFile } from "../../../kernel/db";

/** Our choice: so often that little is left for the writer, which folds back by itself what passes `walPagesMax`. */
const everyMs = 100;

/**
 * Folds the write-ahead log of events.db back into the file, on a thread on which nobody waits: it takes two flushes to
 * disk, and the writer would make every sender wait for them. It never waits for the writer, nor the writer for it.
 */
export class LogCheckpoints {
	readonly #events: SqliteFile;
	#ranAtMs = Number.NEGATIVE_INFINITY;

	constructor(folder: string) {
		this.#events = openFile(folder, "events").$client;
	}

	/** Does nothing when it was done a moment ago. */
	run(): void {
		if (performance.now() - this.#ranAtMs < everyMs) return;
		this.#events.run("PRAGMA wal_checkpoint(PASSIVE)");
		this.#ranAtMs = performance.now();
	}

	close(): void {
		this.#events.close();
	}
}
