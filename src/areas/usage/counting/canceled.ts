import type { Database as SqliteFile } from "bun:sqlite";
import type { EventBlock } from "../blocks/event-block";
import type { CanceledEvents, Cancellation } from "../log/canceled-events";

/**
 * What was taken back, as far as the totals follow it (corrections.ts): the position among the cancellations commits with the
 * totals that follow it, and whatever is counted leaves out what is canceled up to there.
 */
export class Canceled {
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

	/** The events of a block that count for nothing. */
	in(block: EventBlock): ReadonlySet<number> {
		return this.#events.in(block, this.#to);
	}

	/** Those that the totals do not follow yet, in their order. */
	next(rowsMax: number): Cancellation[] {
		return this.#events.after(this.#to, rowsMax);
	}

	/** From here on counts what leaves out those up to this one. */
	advance(to: number): void {
		this.#to = to;
	}

	/** The totals follow all of them, inside the caller's transaction. */
	save(): void {
		this.#save.run(this.#to);
	}

	/** What was advanced to and not saved does not stand, nor what was saved before a rollback. */
	forget(): void {
		this.#to = this.#read();
	}

	#read(): number {
		return this.#select.get()?.corrected_to ?? 0;
	}
}
