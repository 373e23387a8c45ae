import type { Database as SqliteFile } from "bun:sqlite";
import type { Instant } from "../../../kernel/clock";
import type { LogReader, LogSlice } from "../log/log-reader";

/** Names that are counted in memory before a write. */
const namesMax = 100_000;

interface NameCount {
	events: number;
	firstAt: Instant;
	lastAt: Instant;
	lastEvent: number;
}

type EnvironmentOf = (customer: number) => string;

const dayMs = 86_400_000;

/**
 * Counts events by name and by day, whatever their customer and whether or not a meter counts them. It follows the end
 * of the log. Events from before these counts existed are added later, a chunk in each write.
 */
export class EventNames {
	readonly #save;
	readonly #saveDay;
	readonly #setNamedTo;
	readonly #selectNamedTo;
	readonly #environmentOf: EnvironmentOf;
	/** By environment, then by name. */
	readonly #counts = new Map<string, Map<string, NameCount>>();
	/** By environment, then by day. */
	readonly #days = new Map<string, Map<number, number>>();
	#size = 0;
	/** The last event in the file's counts, and the last one in the counts in memory. */
	#savedTo: number;
	#namedTo: number;

	constructor(usage: SqliteFile, environmentOf: EnvironmentOf) {
		this.#environmentOf = environmentOf;
		this.#save = usage.prepare<unknown, [string, string, number, number, number, number]>(
			`INSERT INTO usage_event_names (environment_id, event_name, events, first_at, last_at, last_event)
			VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (environment_id, event_name) DO UPDATE SET
			events = events + excluded.events, first_at = min(first_at, excluded.first_at),
			last_at = max(last_at, excluded.last_at), last_event = max(last_event, excluded.last_event)`,
		);
		this.#saveDay = usage.prepare<unknown, [string, number, number]>(
			`INSERT INTO usage_event_days (environment_id, day, events) VALUES (?, ?, ?)
			ON CONFLICT (environment_id, day) DO UPDATE SET events = events + excluded.events`,
		);
		this.#setNamedTo = usage.prepare<unknown, [number]>("UPDATE usage_cursor SET named_to = ? WHERE id = 1");
		this.#selectNamedTo = usage.prepare<{ named_to: number }, []>("SELECT named_to FROM usage_cursor WHERE id = 1");
		this.#savedTo = this.#readNamedTo();
		this.#namedTo = this.#savedTo;
	}

	get isFull(): boolean {
		return this.#size >= namesMax;
	}

	/** Counts the next events of the log. Events that do not follow the last counted one wait for `catchUp`. */
	add({ block, from, to }: LogSlice): void {
		if (block.firstEvent + from !== this.#namedTo + 1) return;
		const { shapes } = block;
		for (let index = from; index < to; index += 1) {
			const name = shapes[block.shapeIndex(index)]?.eventName ?? "";
			const at = block.at(index);
			const environmentId = this.#environmentOf(block.customer(index));
			this.#countDay(environmentId, Math.floor(at / dayMs));
			const count = this.#countOf(environmentId, name, at);
			count.events += 1;
			if (at < count.firstAt) count.firstAt = at;
			if (at > count.lastAt) count.lastAt = at;
			count.lastEvent = block.firstEvent + index;
		}
		this.#namedTo = block.firstEvent + to - 1;
	}

	/** Counts events between the last counted one and `end`; returns whether more may be left. */
	catchUp(log: LogReader, end: number, eventsMax: number): boolean {
		if (this.#namedTo >= end) return false;
		for (const slice of log.after(this.#namedTo, end, eventsMax)) this.add(slice);
		return this.#namedTo < end;
	}

	/** Writes the counts, inside the caller's transaction. */
	save(): void {
		if (this.#namedTo === this.#savedTo) return;
		for (const [environmentId, names] of this.#counts)
			for (const [name, { events, firstAt, lastAt, lastEvent }] of names)
				this.#save.run(environmentId, name, events, firstAt, lastAt, lastEvent);
		for (const [environmentId, days] of this.#days)
			for (const [day, events] of days) this.#saveDay.run(environmentId, day, events);
		this.#setNamedTo.run(this.#namedTo);
		this.#savedTo = this.#namedTo;
		this.#clear();
	}

	/** Discards memory after a rollback. */
	discard(): void {
		this.#savedTo = this.#readNamedTo();
		this.#namedTo = this.#savedTo;
		this.#clear();
	}

	#countOf(environmentId: string, name: string, at: Instant): NameCount {
		let names = this.#counts.get(environmentId);
		if (!names) {
			names = new Map();
			this.#counts.set(environmentId, names);
		}
		const known = names.get(name);
		if (known) return known;
		const count = { events: 0, firstAt: at, lastAt: at, lastEvent: 0 };
		names.set(name, count);
		this.#size += 1;
		return count;
	}

	#countDay(environmentId: string, day: number): void {
		let days = this.#days.get(environmentId);
		if (!days) {
			days = new Map();
			this.#days.set(environmentId, days);
		}
		const events = days.get(day);
		if (events === undefined) this.#size += 1;
		days.set(day, (events ?? 0) + 1);
	}

	#readNamedTo(): number {
		return this.#selectNamedTo.get()?.named_to ?? 0;
	}

	#clear(): void {
		this.#counts.clear();
		this.#days.clear();
		this.#size = 0;
	}
}
