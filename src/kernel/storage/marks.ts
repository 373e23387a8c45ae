import type { Database as SqliteFile } from "bun:sqlite";
import { type FileName, openFile } from "./db";

/** A mark costs a page of the write-ahead log, so a file gets at most one each second. */
const everyMs = 1000;

/** Returns a function that is true at most once in `everyMs`. */
function onceASecond(): () => boolean {
	let lastMs = Number.NEGATIVE_INFINITY;
	return () => {
		const nowMs = performance.now();
		if (nowMs - lastMs < everyMs) return false;
		lastMs = nowMs;
		return true;
	};
}

/**
 * Writes the number of commits of main.db into another file, on the thread that writes that file. Commits of main.db are on disk before any
 * thread can read them. So main.db is never behind a mark, unless an older copy has replaced it (docs/decisions/0026-marks-of-commits.md).
 */
export class CommitMarks {
	readonly #into: SqliteFile;
	readonly #main: SqliteFile;
	readonly #isDue = onceASecond();
	#statements: ReturnType<typeof prepare> | undefined;
	#marked: number | undefined;

	/** `main` reads main.db; its owner closes it, after the marks. */
	constructor(folder: string, file: Exclude<FileName, "main">, main: SqliteFile) {
		this.#into = openFile(folder, file).$client;
		// A mark that a power cut destroys is written again, so this need not wait for the disk.
		this.#into.run("PRAGMA synchronous = NORMAL");
		this.#main = main;
	}

	/** Writes a mark if main.db has changed, at most once a second. Call it between two transactions. */
	write(): void {
		if (this.#isDue()) this.#writeNow();
	}

	close(): void {
		this.#writeNow();
		this.#into.close();
	}

	#writeNow(): void {
		// Prepared at the first use, to keep the start short.
		this.#statements ??= prepare(this.#into, this.#main);
		const commits = this.#statements.select.get()?.commits;
		if (commits === undefined || commits === this.#marked) return;
		this.#statements.write.run(commits);
		this.#marked = commits;
	}
}

const prepare = (into: SqliteFile, main: SqliteFile) => ({
	select: main.prepare<{ commits: number }, []>("SELECT commits FROM main_revision WHERE id = 1"),
	write: into.prepare<unknown, [number]>(
		"INSERT INTO commit_marks (id, commits) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET commits = excluded.commits",
	),
});

/** Counts a write of usage only, which does not change the file's revision: at most once a second, in its transaction. */
export function countsUsageWrites(main: SqliteFile): () => void {
	const count = main.prepare("UPDATE main_revision SET commits = commits + 1 WHERE id = 1");
	const isDue = onceASecond();
	return () => {
		if (isDue()) count.run();
	};
}

/** Calls `body` a second after the first of some calls. */
export function gathered(body: () => void): { call(): void; stop(): void } {
	let timer: ReturnType<typeof setTimeout> | undefined;
	return {
		call: () => {
			timer ??= setTimeout(() => {
				timer = undefined;
				body();
			}, everyMs);
		},
		stop: () => clearTimeout(timer),
	};
}
