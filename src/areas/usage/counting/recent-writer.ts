import type { Database as SqliteFile } from "bun:sqlite";
import type { RecentAmount, RecentHour } from "../table.usage";
import type { CountedEvents, HourTally, Tally } from "./tally";

/** Our choice: so many hours of subjects stand beside the totals, some 10 MB of the file. */
const hoursMax = 100_000;

/** Shows what was counted beside the totals, where it can be read (recent.ts). */
export class RecentWriter {
	readonly #insert;
	readonly #selectTo;
	readonly #saveTo;
	readonly #deleteUpTo;
	#to: number;
	/** How many were told since the totals. */
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

	/** Up to which event what was counted can be read. Once; so it is never shown to be less. */
	get to(): number {
		return this.#to;
	}

	/** Whether it is to be written to the totals. */
	get isFull(): boolean {
		return this.#hours >= hoursMax;
	}

	/**
	 * Shows what a tally has come to since it was shown last, and since the totals, which count up to the event `after`; inside
	 * the caller's transaction. Nothing where a set of values would have to be told, which has no short form; answers whether
	 * it is shown.
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

	/** All that is shown is in the totals, which counted up to the event `before`: what they held already is deleted, inside the caller's transaction. */
	haveTotals(before: number): void {
		this.#deleteUpTo.run(before);
		this.#hours = 0;
		this.#to = this.#read();
	}

	/** After a rollback. */
	forget(): void {
		this.#to = this.#read();
	}

	#read(): number {
		return this.#selectTo.get()?.shown_to ?? 0;
	}
}

/** Where in ascending ids those after one begin: few are, so they are looked for from the end. */
function firstAfter(ids: readonly number[], last: number): number {
	let index = ids.length;
	while (index > 0 && (ids[index - 1] ?? 0) > last) index -= 1;
	return index;
}

const bytesOf = ({ buffer }: Uint32Array | Int32Array): Uint8Array => new Uint8Array(buffer);

const recentHour = ({ amounts, cuts }: HourTally): RecentHour => [
	amounts.map(describe),
	cuts.map(({ at, head, tail }) => [at, head.map(describe), tail.map(describe)]),
];

const describe = ({ counter, events, aggregate }: CountedEvents): RecentAmount => [counter.id, events, aggregate.state];
