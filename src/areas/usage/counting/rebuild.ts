import type { Database as SqliteFile } from "bun:sqlite";
import type { Counters } from "./counters";
import type { HourTally } from "./tally";
import { writeHours } from "./totals";

/** The scope of a rebuild. */
export interface RebuildOrder {
	readonly taskId: string;
	/** Null for all environments, with the index of events by hour. */
	readonly environmentId: string | null;
	/** Row id; null for every feature. */
	readonly featureId: string | null;
}

interface Row {
	readonly task_id: string;
	readonly index_state: "NONE" | "WAITING" | "FILLING";
	readonly indexed_to: number;
}

/**
 * Rebuilds totals from the log next to the present totals, which answer meanwhile. Each live counter gets a twin
 * (counters.ts). The index of events by hour is rebuilt in a table of its own, which swaps names with the present one
 * when it is complete. All state is in the file, so a rebuild resumes after a crash. Works inside the caller's
 * transaction.
 */
export class Rebuild {
	readonly #usage: SqliteFile;
	readonly #counters: Counters;
	readonly #select;
	readonly #save;
	readonly #insertHour;
	readonly #deleteFormer;
	#row: Row | undefined;

	constructor(usage: SqliteFile, counters: Counters) {
		this.#usage = usage;
		this.#counters = counters;
		this.#select = usage.prepare<Row, []>("SELECT task_id, index_state, indexed_to FROM usage_rebuild WHERE id = 1");
		this.#save = usage.prepare<unknown, [string, string, number]>(
			"REPLACE INTO usage_rebuild (id, task_id, index_state, indexed_to) VALUES (1, ?, ?, ?)",
		);
		this.#insertHour = usage.prepare<unknown, [number, number, number, Uint8Array]>(
			"INSERT INTO usage_events_by_hour_next (subject_id, hour, first_event, offsets, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?)",
		);
		this.#deleteFormer = usage.prepare<unknown, [number]>(
			`DELETE FROM usage_events_by_hour_next WHERE (subject_id, hour, first_event) IN
			(SELECT subject_id, hour, first_event FROM usage_events_by_hour_next LIMIT ?)`,
		);
		this.reload();
	}

	/** Reads the state again after a rollback. */
	reload(): void {
		this.#row = this.#select.get() ?? undefined;
	}

	/** Begins a task; does nothing if it has begun before. */
	begin({ taskId, environmentId, featureId }: RebuildOrder): void {
		if (this.#row?.task_id === taskId) return;
		const indexed = this.#row?.index_state ?? "NONE";
		const hasIndex = environmentId === null && featureId === null;
		this.#change({
			task_id: taskId,
			// The index of an abandoned task continues.
			index_state: indexed === "NONE" && hasIndex ? "WAITING" : indexed,
			indexed_to: this.#row?.indexed_to ?? 0,
		});
		this.#counters.addTwins(environmentId, featureId);
	}

	/** Returns the progress of a task; undefined if it is not the last one. */
	progressOf(taskId: string): { readonly countedTo: number; readonly isDone: boolean } | undefined {
		if (this.#row?.task_id !== taskId) return undefined;
		const positions = this.#counters.twins().map(({ countedTo }) => countedTo);
		if (this.#row.index_state !== "NONE") positions.push(this.indexedTo ?? 0);
		return { countedTo: Math.min(...positions), isDone: positions.length === 0 };
	}

	/** The last event in the rebuilt index; undefined while none is rebuilt. */
	get indexedTo(): number | undefined {
		return this.#row?.index_state === "FILLING" ? this.#row.indexed_to : undefined;
	}

	/** Adds hours to the rebuilt index, with the events up to `to`. */
	addToIndex(hours: readonly HourTally[], to: number): void {
		writeHours(this.#insertHour, hours);
		if (this.#row) this.#change({ ...this.#row, indexed_to: to });
	}

	/** Swaps the rebuilt index, which holds the whole log, with the present one. */
	takeOverIndex(): void {
		for (const [from, to] of [
			["usage_events_by_hour", "usage_events_by_hour_former"],
			["usage_events_by_hour_next", "usage_events_by_hour"],
			["usage_events_by_hour_former", "usage_events_by_hour_next"],
		])
			this.#usage.run(`ALTER TABLE ${from} RENAME TO ${to}`);
		if (this.#row) this.#change({ ...this.#row, index_state: "NONE", indexed_to: 0 });
	}

	/** Deletes a piece of the former index; returns whether more may be left. */
	deleteFormerIndex(rowsMax: number): boolean {
		if (!this.#row || this.#row.index_state === "FILLING") return false;
		if (this.#deleteFormer.run(rowsMax).changes > 0) return true;
		if (this.#row.index_state === "NONE") return false;
		this.#change({ ...this.#row, index_state: "FILLING", indexed_to: 0 });
		return true;
	}

	#change(row: Row): void {
		this.#row = row;
		this.#save.run(row.task_id, row.index_state, row.indexed_to);
	}
}
