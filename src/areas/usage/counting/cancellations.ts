import type { Database as SqliteFile } from "bun:sqlite";
import type { EventBlock } from "../blocks/event-block";
import type { CanceledEvents, Cancellation } from "../log/canceled-events";

/**
 * The cancellations of events, up to the last one that the totals follow (stale-hours.ts). Its position commits with the
 * totals, and all counting leaves out the events that are canceled up to this position.
 */
export class Cancellations {
	readonly #events: CanceledEvents;
	readonly #select;
	readonly #save;
	#to: number;

	constructor(usage: SqliteFile, events: CanceledEvents) {
		this.#events = events;
		this.#select = usage.prepare<{ corrected_to: number }, []>("SELECT corrected_to FROM usage_cursor WHERE id = 1");
		this.#save = usage.prepare<unknown, [number]>("UPDATE usage_cursor SET corrected_to = ? WHERE id = 1");
		this.#to = this.#read();
	}

	/** The last cancellation that the totals follow. */
	get to(): number {
		return this.#to;
	}

	/** Returns the events of a block that are canceled, up to the cancellation `to`. */
	in(block: EventBlock, to = this.#to): ReadonlySet<number> {
		return this.#events.in(block, to);
	}

	/** Returns cancellations that the totals do not follow yet, in their order. */
	next(rowsMax: number): Cancellation[] {
		return this.#events.after(this.#to, rowsMax);
	}

	/** Records that the totals follow cancellations up to `to`, inside the caller's transaction. */
	follow(to: number): void {
		this.#save.run(to);
		this.#to = to;
	}

	/** Reads the position again after a rollback. */
	discard(): void {
		this.#to = this.#read();
	}

	#read(): number {
		return this.#select.get()?.corrected_to ?? 0;
	}
}
