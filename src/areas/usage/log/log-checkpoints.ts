import type { Database as SqliteFile } from "bun:sqlite";
import { openFile } from "../../../kernel/db";

/** Our choice: so often that little is left for the writer, which folds back by itself what passes `walPagesMax`. */
const everyMs = 100;

/** In pages: of the write-ahead log, and of those that have been folded back. */
interface Checkpoint {
	readonly log: number;
	readonly checkpointed: number;
}

/**
 * Folds the write-ahead log of events.db back into the file, on a thread on which nobody waits: it takes two flushes to
 * disk, and the writer would make every sender wait for them. It never waits for the writer, nor the writer for it.
 */
export class LogCheckpoints {
	readonly #events: SqliteFile;
	readonly #checkpoint;
	#ranAtMs = Number.NEGATIVE_INFINITY;
	/** Whether there is, or may be, something to fold back. */
	#isDue = true;

	constructor(folder: string) {
		this.#events = openFile(folder, "events").$client;
		this.#checkpoint = this.#events.prepare<Checkpoint, []>("PRAGMA wal_checkpoint(PASSIVE)");
	}

	/** Does nothing when it was done a moment ago, nor when all is folded back and the log has not grown. */
	run(hasGrown: boolean): void {
		this.#isDue ||= hasGrown;
		if (!this.#isDue || performance.now() - this.#ranAtMs < everyMs) return;
		const done = this.#checkpoint.get();
		this.#isDue = done?.checkpointed !== done?.log;
		this.#ranAtMs = performance.now();
	}

	close(): void {
		this.#events.close();
	}
}
