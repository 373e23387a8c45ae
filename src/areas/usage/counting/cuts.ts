import type { Database as SqliteFile } from "bun:sqlite";
import type { Instant } from "../../../kernel/clock";
import { hourMs, hoursPerDay } from "../hours";
import { hourKey } from "./tally";

/** Hours whose cuts stay in memory, about 20 MB; beyond this, they are read again. */
const rememberedHoursMax = 200_000;

const none: readonly Instant[] = [];

/**
 * The instants at which hours are cut (table.usage.ts). An hour is cut before its first event is counted, if the
 * customer's usage periods are known by then; otherwise by a recount (stale-hours.ts). Cuts change the cost of reads
 * only: without one, a part of an hour is counted from the raw events.
 */
export class Cuts {
	readonly #select;
	readonly #selectEvents;
	readonly #selectAnchors;
	readonly #insert;
	readonly #remembered = new Map<number, readonly Instant[]>();
	/** Cuts without a row yet. */
	#fresh: Array<{ readonly subjectId: number; readonly hour: number; readonly at: Instant }> = [];

	/** `main` is the connection to main.db. */
	constructor(
		usage: SqliteFile,
		main: SqliteFile,
		private readonly hoursMax = rememberedHoursMax,
	) {
		this.#select = usage.prepare<{ at: Instant }, [number, number]>(
			"SELECT at FROM usage_cuts WHERE subject_id = ? AND hour = ? ORDER BY at",
		);
		this.#selectEvents = usage.prepare<unknown, [number, number]>(
			"SELECT 1 FROM usage_events_by_hour WHERE subject_id = ? AND hour = ? LIMIT 1",
		);
		this.#selectAnchors = main.prepare<{ at: Instant }, [string, string]>(
			`SELECT usage_anchor_at AS at FROM subscriptions WHERE customer_id = ?
			UNION SELECT start_at FROM promotional_entitlements WHERE customer_id = ?`,
		);
		this.#insert = usage.prepare<unknown, [number, number, number]>(
			"INSERT INTO usage_cuts (subject_id, hour, at) VALUES (?, ?, ?)",
		);
	}

	/** Returns the cuts of an hour that may have events. */
	readonly standing = (subjectId: number, hour: number): readonly Instant[] => {
		const key = hourKey(subjectId, hour);
		const known = this.#remembered.get(key);
		if (known) return known;
		const rows = this.#select.all(subjectId, hour);
		return this.#remember(key, rows.length === 0 ? none : rows.map(({ at }) => at));
	};

	/** Returns the cuts of an hour; sets them if it has no event yet. */
	readonly opening = (subjectId: number, hour: number, customerId: string): readonly Instant[] => {
		const key = hourKey(subjectId, hour);
		const known = this.#remembered.get(key) ?? this.standing(subjectId, hour);
		if (known.length > 0 || this.hasEvents(subjectId, hour)) return known;
		const instants = this.#dueIn(hour, customerId);
		for (const at of instants) this.#fresh.push({ subjectId, hour, at });
		return this.#remember(key, instants);
	};

	hasEvents(subjectId: number, hour: number): boolean {
		return this.#selectEvents.get(subjectId, hour) !== null;
	}

	/** Adds a cut whose two parts are counted, inside the caller's transaction. */
	add(subjectId: number, hour: number, at: Instant): void {
		const before = this.standing(subjectId, hour);
		this.#insert.run(subjectId, hour, at);
		this.#remember(hourKey(subjectId, hour), [...before, at]);
	}

	/** Writes new cuts, inside the caller's transaction, with the amounts that were counted by them. */
	save(): void {
		for (const { subjectId, hour, at } of this.#fresh) this.#insert.run(subjectId, hour, at);
		this.#fresh = [];
	}

	/** Discards memory after a rollback. */
	discard(): void {
		this.#remembered.clear();
		this.#fresh = [];
	}

	/**
	 * Returns the instants of an hour at which periods begin. Periods of weeks, months and years begin at the time of
	 * day of their anchor, so one cut a day needs no calendar. Periods of days and hours begin on the hour.
	 */
	#dueIn(hour: number, customerId: string): readonly Instant[] {
		const instants = this.#selectAnchors
			.all(customerId, customerId)
			.filter(({ at }) => at % hourMs !== 0 && (hour - Math.floor(at / hourMs)) % hoursPerDay === 0)
			.map(({ at }) => (hour * hourMs + (((at % hourMs) + hourMs) % hourMs)) as Instant);
		return instants.length === 0 ? none : [...new Set(instants)];
	}

	#remember(key: number, instants: readonly Instant[]): readonly Instant[] {
		// Cuts without a row cannot be read again.
		if (this.#remembered.size >= this.hoursMax && this.#fresh.length === 0) this.#remembered.clear();
		this.#remembered.set(key, instants);
		return instants;
	}
}
