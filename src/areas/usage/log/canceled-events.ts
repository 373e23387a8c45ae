import { and, asc, gt, gte, lte, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import type { EventBlock } from "../blocks/event-block";
import { eventCancellations } from "../table.events";

const { placeholder } = sql;

const buildStatements = (tx: Transaction) => ({
	within: tx
		.select()
		.from(eventCancellations)
		.where(
			and(
				gte(eventCancellations.event, placeholder("first")),
				lte(eventCancellations.event, placeholder("last")),
				lte(eventCancellations.id, placeholder("upTo")),
			),
		)
		.prepare(),
	after: tx
		.select()
		.from(eventCancellations)
		.where(gt(eventCancellations.id, placeholder("after")))
		.orderBy(asc(eventCancellations.id))
		.limit(placeholder("rows"))
		.prepare(),
});

export type Cancellation = typeof eventCancellations.$inferSelect;

const none: ReadonlySet<number> = new Set();

/** Reads the canceled events. One for each connection. */
export class CanceledEvents {
	readonly #statements;
	#known: { firstEvent: number; lastEvent: number; upTo: number; events: ReadonlySet<number> } | undefined;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** Returns the cancellations after `id`, in their order. */
	after(id: number, rowsMax: number): Cancellation[] {
		return this.#statements.after.all({ after: id, rows: rowsMax });
	}

	/** Returns the cancellation of an event; undefined if it has none. */
	of(event: number): Cancellation | undefined {
		return this.#statements.within.get({ first: event, last: event, upTo: Number.MAX_SAFE_INTEGER });
	}

	/** Returns the events of a block that cancellations up to `upTo` have canceled. The last result stays in memory. */
	in({ firstEvent, lastEvent }: EventBlock, upTo: number): ReadonlySet<number> {
		if (upTo === 0) return none;
		const known = this.#known;
		if (known?.firstEvent === firstEvent && known.lastEvent === lastEvent && known.upTo === upTo) return known.events;
		const found = this.#statements.within.all({ first: firstEvent, last: lastEvent, upTo });
		const events = found.length === 0 ? none : new Set(found.map(({ event }) => event));
		this.#known = { firstEvent, lastEvent, upTo, events };
		return events;
	}

	/** Discards memory after a rollback. */
	discard(): void {
		this.#known = undefined;
	}
}
