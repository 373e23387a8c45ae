import type { Database as SqliteFile } from "bun:sqlite";
import type { RecentAmount, RecentHour } from "../table.usage";
import type { CountedEvents, HourTally } from "./tally";

/** What a tally has come to since it was shown last; undefined where a set of values, which has no short form, would have to be told. */
export function describeRecent(tallies: readonly HourTally[]): RecentHour[] | undefined {
	const hours: RecentHour[] = [];
	for (const { subjectId, hour, eventIds, shown, amounts, cuts } of tallies) {
		if (amounts.some(({ counter }) => counter.membership !== "none")) return undefined;
		hours.push([
			subjectId,
			hour,
			eventIds.slice(shown),
			amounts.map(describe),
			cuts.map(({ at, head, tail }) => [at, head.map(describe), tail.map(describe)]),
		]);
	}
	return hours;
}

const describe = ({ counter, events, aggregate }: CountedEvents): RecentAmount => [counter.id, events, aggregate.state];

/** Shows what was counted beside the totals, where it can be read (recent.ts) until it is in them. */
export class RecentWriter {
	readonly #usage: SqliteFile;
	readonly #insert;
	readonly #selectTo;
	#to: number;

	/** `postedTo` is up to which event the totals count. */
	constructor(usage: SqliteFile, postedTo: number) {
		this.#usage = usage;
		this.#insert = usage.prepare<unknown, [number, string]>("INSERT INTO usage_recent (up_to, hours) VALUES (?, ?)");
		this.#selectTo = usage.prepare<{ up_to: number | null }, []>("SELECT max(up_to) AS up_to FROM usage_recent");
		this.#to = this.#read(postedTo);
	}

	/** Up to which event what was counted can be read. Once; so it is never shown to be less. */
	get to(): number {
		return this.#to;
	}

	/** Inside the caller's transaction. */
	add(hours: readonly RecentHour[], to: number): void {
		this.#insert.run(to, JSON.stringify(hours));
		this.#to = to;
	}

	/** All of it is in the totals, inside the caller's transaction. */
	clear(postedTo: number): void {
		this.#usage.query("DELETE FROM usage_recent").run();
		this.#to = postedTo;
	}

	/** After a rollback. */
	forget(postedTo: number): void {
		this.#to = this.#read(postedTo);
	}

	#read(postedTo: number): number {
		return Math.max(postedTo, this.#selectTo.get()?.up_to ?? 0);
	}
}
