import type { Database as SqliteFile } from "bun:sqlite";
import type { Histogram, Meter } from "../metrics/meter";
import { type FileName, openFile } from "./db";

/** The interval of checkpoints, so short that the writer rarely has to make one itself. */
const everyMs = 50;

/**
 * Checkpoints the write-ahead logs of files on a thread that no request waits for. A checkpoint flushes twice, and on a writer's
 * thread every caller would wait for it. It never waits for a writer, nor a writer for it.
 */
export class Checkpoints {
	readonly #files: ReadonlyArray<{ readonly file: SqliteFile; readonly took: Histogram | undefined }>;
	#ranAtMs = Number.NEGATIVE_INFINITY;

	constructor(folder: string, files: readonly FileName[], meter?: Meter) {
		this.#files = files.map((file) => ({
			file: openFile(folder, file).$client,
			took: meter?.histogram("tollgate_checkpoint_duration_seconds", { file }),
		}));
	}

	/** Checkpoints the logs, unless it did so a moment ago. */
	run(): void {
		if (performance.now() - this.#ranAtMs < everyMs) return;
		for (const { file, took } of this.#files) {
			const begunAtMs = performance.now();
			file.run("PRAGMA wal_checkpoint(PASSIVE)");
			took?.observeSince(begunAtMs);
		}
		this.#ranAtMs = performance.now();
	}

	close(): void {
		for (const { file } of this.#files) file.close();
	}
}

/** The number of tries to truncate a write-ahead log, and the pause between two. */
const triesMax = 50;
const restMs = 100;

/**
 * Truncates the write-ahead logs of all files: they contain earlier versions of changed data. It never waits for a reader or a writer. A
 * log in constant use is overwritten in time.
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
