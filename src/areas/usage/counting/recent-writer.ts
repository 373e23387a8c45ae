import type { Database as SqliteFile } from "bun:sqlite";
import type { RecentAmount, RecentHour } from "../table.usage";
import type { CountedEvents, HourTally, Tally } from "./tally";
import { offsetsOf } from "./totals";

/** Our choice: so many hours of subjects stand beside the totals, some 10 MB of the file. */
const hoursMax = 100_000;

/** Shows what was counted beside the totals, where it can be read (recent.ts) until it is in them. */
export class RecentWriter {
	readonly #usage: SqliteFile;
	readonly #insert;
	readonly #selectTo;
	readonly #saveTo;
	#to: number;
	/** How many rows there are. */
	#hours = 0;

	constructor(usage: SqliteFile) {
		this.#usage = usage;
		this.#insert = usage.prepare<unknown, [number, number, number, number, Uint8Array, string]>(
			"INSERT INTO usage_recent_hours (subject_id, up_to, hour, first_event, offsets, came) VALUES (?, ?, ?, ?, ?, ?)",
		);
		this.#selectTo = usage.prepare<{ shown_to: number }, []>(
			"SELECT max(counted_to, shown_to) AS shown_to FROM usage_cursor WHERE id = 1",
		);
		this.#saveTo = usage.prepare<unknown, [number]>("UPDATE usage_cursor SET shown_to = ? WHERE id = 1");
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
	 * Shows what a tally has come to since it was shown last, inside the caller's transaction. Nothing where a set of values would
	 * have to be told, which has no short form; answers whether it is shown.
	 */
	show({ fresh }: Tally, to: number): boolean {
		if (fresh.some(({ amounts }) => amounts.some(({ counter }) => counter.membership !== "none"))) return false;
		for (const tally of fresh) {
			const { subjectId, hour, eventIds, shown } = tally;
			const [first, offsets] = offsetsOf(shown === 0 ? eventIds : eventIds.slice(shown));
			this.#insert.run(subjectId, to, hour, first, offsets, JSON.stringify(recentHour(tally)));
		}
		this.#hours += fresh.length;
		this.#saveTo.run(to);
		this.#to = to;
		return true;
	}

	/** All of it is in the totals, inside the caller's transaction. */
	clear(): void {
		this.#usage.query("DELETE FROM usage_recent_hours").run();
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

const recentHour = ({ amounts, cuts }: HourTally): RecentHour => [
	amounts.map(describe),
	cuts.map(({ at, head, tail }) => [at, head.map(describe), tail.map(describe)]),
];

const describe = ({ counter, events, aggregate }: CountedEvents): RecentAmount => [counter.id, events, aggregate.state];
