import type { Database as SqliteFile } from "bun:sqlite";
import type { Counters } from "./counters";
import type { HourTally } from "./tally";
import { writeHours } from "./totals";

/** What is to be counted anew. */
export interface RebuildOrder {
	readonly taskId: string;
	/** Null for all: then the index of events by hour is made anew too. */
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
 * Totals that are counted anew from the log, beside those that answer meanwhile: each counter by a twin (counters.ts), the
 * index of events by hour in a table of its own, which changes names with the one in use when it holds as much. All of it is
 * in the file, so that after a crash it goes on. Works inside the transaction that its caller holds.
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

	/** After a rollback, what is in memory may not stand. */
	reload(): void {
		this.#row = this.#select.get() ?? undefined;
	}

	/** Does nothing where this task has begun before. */
	begin({ taskId, environmentId, featureId }: RebuildOrder): void {
		if (this.#row?.task_id === taskId) return;
		const indexed = this.#row?.index_state ?? "NONE";
		const hasIndex = environmentId === null && featureId === null;
		this.#change({
			task_id: taskId,
			// What a task has begun that was given up goes on.
			index_state: indexed === "NONE" && hasIndex ? "WAITING" : indexed,
			indexed_to: this.#row?.indexed_to ?? 0,
		});
		this.#counters.addTwins(environmentId, featureId);
	}

	/** How far a task has come; undefined when it is not the last one that was begun. */
	progressOf(taskId: string): { readonly countedTo: number; readonly isDone: boolean } | undefined {
		if (this.#row?.task_id !== taskId) return undefined;
		const positions = this.#counters.twins().map(({ countedTo }) => countedTo);
		if (this.#row.index_state !== "NONE") positions.push(this.indexedTo ?? 0);
		return { countedTo: Math.min(...positions), isDone: positions.length === 0 };
	}

	/** Up to which event the index that is made anew holds the log; undefined while none is. */
	get indexedTo(): number | undefined {
		return this.#row?.index_state === "FILLING" ? this.#row.indexed_to : undefined;
	}

	/** Adds the events of hours up to a position to the index that is made anew. */
	addToIndex(hours: readonly HourTally[], to: number): void {
		writeHours(this.#insertHour, hours, Number.MAX_SAFE_INTEGER);
		if (this.#row) this.#change({ ...this.#row, indexed_to: to });
	}

	/** Events that have waited for their customer, as far as the index that is made anew has passed them. */
	addPassed(hours: readonly HourTally[]): void {
		if (this.indexedTo !== undefined) writeHours(this.#insertHour, hours, this.indexedTo);
	}

	/** The index that was made anew holds the whole log, and takes the place of the other. */
	takeOverIndex(): void {
		for (const [from, to] of [
			["usage_events_by_hour", "usage_events_by_hour_former"],
			["usage_events_by_hour_next", "usage_events_by_hour"],
			["usage_events_by_hour_former", "usage_events_by_hour_next"],
		])
			this.#usage.run(`ALTER TABLE ${from} RENAME TO ${to}`);
		if (this.#row) this.#change({ ...this.#row, index_state: "NONE", indexed_to: 0 });
	}

	/** Deletes a piece of an index that is not in use any more; answers whether there may be more. */
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
