import type { Database as SqliteFile } from "bun:sqlite";
import { openFile } from "../../../kernel/storage/db";

/** The lag of the totals beyond which senders are rejected, and the interval between checks. */
const lagMsMax = 8_000;
const checkEveryMs = 250;

/** The end of the log at a time. */
interface Mark {
	readonly event: number;
	readonly atMs: number;
}

/**
 * Whether counting is so far behind that senders must wait: an event that was written eight seconds ago is not in the
 * totals. The events before the start are counted without a deadline; until they are, nobody waits.
 */
export class CountingLag {
	readonly #usage: SqliteFile;
	readonly #selectCounted;
	readonly #nowMs: () => number;
	readonly #backlogEnd: number;
	/** Ends of the log that are not counted yet, oldest first: one for each check during the longest lag. */
	#marks: Mark[] = [];
	#checkedAtMs = Number.NEGATIVE_INFINITY;
	#isBehind = false;

	/** `backlogEnd` is the end of the log when it was opened. */
	constructor(folder: string, backlogEnd: number, nowMs: () => number = () => performance.now()) {
		this.#usage = openFile(folder, "usage").$client;
		this.#usage.run("PRAGMA query_only = ON");
		this.#selectCounted = this.#usage.prepare<{ counted_to: number }, []>(
			"SELECT max(counted_to, shown_to) AS counted_to FROM usage_cursor WHERE id = 1",
		);
		this.#backlogEnd = backlogEnd;
		this.#nowMs = nowMs;
	}

	/** `lastEvent` is the end of the log now. */
	isBehind(lastEvent: number): boolean {
		const atMs = this.#nowMs();
		if (atMs - this.#checkedAtMs < checkEveryMs) return this.#isBehind;
		this.#checkedAtMs = atMs;
		const counted = this.#selectCounted.get()?.counted_to ?? 0;
		if (counted < this.#backlogEnd) return false;
		this.#marks = this.#marks.filter(({ event }) => event > counted);
		const [oldest] = this.#marks;
		this.#isBehind = oldest !== undefined && atMs - oldest.atMs > lagMsMax;
		if (lastEvent > Math.max(counted, this.#marks.at(-1)?.event ?? 0)) this.#marks.push({ event: lastEvent, atMs });
		return this.#isBehind;
	}

	close(): void {
		this.#usage.close();
	}
}
