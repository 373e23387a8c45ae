import type { Database as SqliteFile } from "bun:sqlite";
import type { RecentAmount, RecentHour } from "../table.usage";
import type { CountedEvents, HourTally, Tally } from "./tally";

/** Hours of subjects that are published next to the totals. About 10 MB of the file. */
const hoursMax = 100_000;

/** Publishes counted amounts next to the totals, for readers (recent.ts). */
export class RecentWriter {
	readonly #insert;
	readonly #selectTo;
	readonly #saveTo;
	readonly #deleteUpTo;
	#to: number;
	/** Hours since the last write of the totals. */
	#hours = 0;

	constructor(usage: SqliteFile) {
		this.#insert = usage.prepare<
			unknown,
			[upTo: number, after: number, Uint8Array, Uint8Array, string, Uint8Array, Uint8Array]
		>(
			"INSERT INTO usage_recent (up_to, after, subjects, hours, came, events, event_ends) VALUES (?, ?, ?, ?, ?, ?, ?)",
		);
		this.#selectTo = usage.prepare<{ shown_to: number }, []>(
			"SELECT max(counted_to, shown_to) AS shown_to FROM usage_cursor WHERE id = 1",
		);
		this.#saveTo = usage.prepare<unknown, [number]>("UPDATE usage_cursor SET shown_to = ? WHERE id = 1");
		this.#deleteUpTo = usage.prepare<unknown, [number]>("DELETE FROM usage_recent WHERE up_to <= ?");
		this.#to = this.#read();
	}

	/** The last event whose amounts can be read. It never decreases, so no usage disappears again. */
	get to(): number {
		return this.#to;
	}

	/** Whether a write of the totals must make space. */
	get isFull(): boolean {
		return this.#hours >= hoursMax;
	}

	/**
	 * Publishes the amounts of a tally since it was published last, inside the caller's transaction. `after` is the
	 * last event in the totals. Sets of values have no short form: if the tally has any, nothing is published. Returns
	 * whether the tally is published.
	 */
	show({ fresh }: Tally, after: number, to: number): boolean {
		if (fresh.some(({ amounts }) => amounts.some(({ counter }) => counter.membership !== "none"))) return false;
		const events: number[] = [];
		const eventEnds = new Uint32Array(fresh.length);
		for (const [at, { eventIds }] of fresh.entries()) {
			for (let index = firstAfter(eventIds, this.#to); index < eventIds.length; index += 1)
				events.push((eventIds[index] ?? after) - after);
			eventEnds[at] = events.length;
		}
		this.#insert.run(
			...[to, after],
			bytesOf(Uint32Array.from(fresh, ({ subjectId }) => subjectId)),
			bytesOf(Int32Array.from(fresh, ({ hour }) => hour)),
			fresh.map((tally) => JSON.stringify(recentHour(tally))).join("\n"),
			bytesOf(Uint32Array.from(events)),
			bytesOf(eventEnds),
		);
		this.#hours += fresh.length;
		this.#saveTo.run(to);
		this.#to = to;
		return true;
	}

	/**
	 * Records that the totals hold all published amounts, inside the caller's transaction. Deletes the rows that the
	 * former totals, up to the event `before`, held already.
	 */
	haveTotals(before: number): void {
		this.#deleteUpTo.run(before);
		this.#hours = 0;
		this.#to = this.#read();
	}

	/** Reads the position again after a rollback. */
	discard(): void {
		this.#to = this.#read();
	}

	#read(): number {
		return this.#selectTo.get()?.shown_to ?? 0;
	}
}

/** Returns the index of the first id after `last`. It searches from the end, because few ids are new. */
function firstAfter(ids: readonly number[], last: number): number {
	let index = ids.length;
	while (index > 0 && (ids[index - 1] ?? 0) > last) index -= 1;
	return index;
}

const bytesOf = ({ buffer }: Uint32Array | Int32Array): Uint8Array => new Uint8Array(buffer);

/** A segment lists no events, so it has no times. */
function recentHour({ amounts, cuts, firstAt, lastAt }: HourTally): RecentHour {
	const whole = amounts.map(describe);
	const parts = cuts.map(({ at, head, tail }) => [at, head.map(describe), tail.map(describe)] as const);
	return firstAt <= lastAt ? [whole, parts, [firstAt, lastAt]] : [whole, parts];
}

const describe = ({ counter, events, aggregate }: CountedEvents): RecentAmount => [counter.id, events, aggregate.state];
