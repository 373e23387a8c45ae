import type { Database as SqliteFile } from "bun:sqlite";
import type { Instant } from "../../../kernel/clock";
import { hourMs, hoursPerDay } from "../hours";
import { hourKey } from "./tally";

/** Hours whose cuts are remembered; beyond it they are looked up again. Our choice: about 20 MB. */
const rememberedMax = 200_000;

const none: readonly Instant[] = [];

/**
 * At which instants hours are cut (table.usage.ts). Set with the first event of an hour, before anything of it is counted,
 * where the customer's periods are known to begin; what is found out later is counted by itself (late-cuts.ts). Cuts change
 * the cost of reading only: what is not cut is counted from the raw events.
 */
export class Cuts {
	readonly #select;
	readonly #hasEvents;
	readonly #selectAnchors;
	readonly #insert;
	readonly #remembered = new Map<number, readonly Instant[]>();
	/** Set, and not in the file yet. */
	#fresh: Array<{ readonly subjectId: number; readonly hour: number; readonly at: Instant }> = [];

	/** `main` is the main file. */
	constructor(usage: SqliteFile, main: SqliteFile) {
		this.#select = usage.prepare<{ at: Instant }, [number, number]>(
			"SELECT at FROM usage_cuts WHERE subject_id = ? AND hour = ? ORDER BY at",
		);
		this.#hasEvents = usage.prepare<unknown, [number, number]>(
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

	/** Of an hour of which something may have been counted. */
	readonly standing = (subjectId: number, hour: number): readonly Instant[] => {
		const key = hourKey(subjectId, hour);
		const known = this.#remembered.get(key);
		if (known) return known;
		const rows = this.#select.all(subjectId, hour);
		return this.#remember(key, rows.length === 0 ? none : rows.map(({ at }) => at));
	};

	/** As `standing`, and sets those of an hour that has had no event. */
	readonly opening = (subjectId: number, hour: number, customerId: string): readonly Instant[] => {
		const key = hourKey(subjectId, hour);
		const known = this.#remembered.get(key) ?? this.standing(subjectId, hour);
		if (known.length > 0 || this.#hasEvents.get(subjectId, hour) !== null) return known;
		const instants = this.#dueIn(hour, customerId);
		for (const at of instants) this.#fresh.push({ subjectId, hour, at });
		return this.#remember(key, instants);
	};

	/** A cut whose two parts have been counted, inside the caller's transaction. */
	add(subjectId: number, hour: number, at: Instant): void {
		const before = this.standing(subjectId, hour);
		this.#insert.run(subjectId, hour, at);
		this.#remember(hourKey(subjectId, hour), [...before, at]);
	}

	/** Writes what was set, inside the caller's transaction, with what was counted by it. */
	save(): void {
		for (const { subjectId, hour, at } of this.#fresh) this.#insert.run(subjectId, hour, at);
		this.#fresh = [];
	}

	/** After a rollback. */
	forget(): void {
		this.#remembered.clear();
		this.#fresh = [];
	}

	/**
	 * Periods of months, weeks and years that are counted from an instant all begin at its time of the day: so the hour of the
	 * day is cut there, on every day, and nobody reckons with calendars. Periods of days and hours begin with an hour.
	 */
	#dueIn(hour: number, customerId: string): readonly Instant[] {
		const instants = this.#selectAnchors
			.all(customerId, customerId)
			.filter(({ at }) => at % hourMs !== 0 && (hour - Math.floor(at / hourMs)) % hoursPerDay === 0)
			.map(({ at }) => (hour * hourMs + (((at % hourMs) + hourMs) % hourMs)) as Instant);
		return instants.length === 0 ? none : [...new Set(instants)];
	}

	#remember(key: number, instants: readonly Instant[]): readonly Instant[] {
		// Those that are not in the file yet could not be looked up again.
		if (this.#remembered.size >= rememberedMax && this.#fresh.length === 0) this.#remembered.clear();
		this.#remembered.set(key, instants);
		return instants;
	}
}
