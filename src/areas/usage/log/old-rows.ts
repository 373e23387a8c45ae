import { asc, desc, gt, gte, lte, max, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import { blockEventsMax, EventBlock } from "../blocks/event-block";
import type { DimensionValue } from "../rules";
import { eventCommits, events } from "../table.events";

const { placeholder } = sql;

const buildStatements = (tx: Transaction) => ({
	last: tx
		.select({ id: max(events.id) })
		.from(events)
		.prepare(),
	from: tx
		.select()
		.from(events)
		.where(gte(events.id, placeholder("event")))
		.orderBy(asc(events.id))
		.limit(placeholder("rows"))
		.prepare(),
	fingerprintsAfter: tx
		.select()
		.from(eventCommits)
		.where(gt(eventCommits.firstEvent, placeholder("after")))
		.orderBy(asc(eventCommits.firstEvent))
		.limit(placeholder("rows"))
		.prepare(),
	fingerprintsAt: tx
		.select()
		.from(eventCommits)
		.where(lte(eventCommits.firstEvent, placeholder("event")))
		.orderBy(desc(eventCommits.firstEvent))
		.limit(1)
		.prepare(),
});

type EventRow = typeof events.$inferSelect;
export type FingerprintsOfCommit = typeof eventCommits.$inferSelect;

/**
 * Reads the beginning of a log that the first release wrote, with a row for each event, as blocks. The rows stay as
 * they are: rewriting a hundred million of them would delay the start by minutes.
 */
export class OldRows {
	readonly #statements;
	#last: number | undefined;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** The newest row; 0 if there is none. No rows are added, so it is read once. */
	get last(): number {
		this.#last ??= this.#statements.last.get()?.id ?? 0;
		return this.#last;
	}

	/** Returns the events from `event` on, or from the next one that exists. */
	block(event: number): EventBlock | undefined {
		const rows = this.#from(event, blockEventsMax);
		const [first] = rows;
		if (!first) return undefined;
		return new EventBlock({
			firstEvent: first.id,
			customers: Uint32Array.from(rows, ({ customer }) => customer),
			times: Float64Array.from(rows, ({ at }) => at),
			// A shape for each event.
			facts: [
				rows.map(({ eventName, dimensions }) => [eventName, columnsOf(dimensions)]),
				rows.map((_, index) => index),
				rows.map(({ resourceRef }) => resourceRef),
			],
		});
	}

	/** Returns the idempotency keys of the events of such a block. */
	keys({ firstEvent, events }: EventBlock): readonly string[] {
		return this.#from(firstEvent, events).map(({ idempotencyKey }) => idempotencyKey);
	}

	/** Returns the fingerprints of commits, after an event with which a commit ends. */
	fingerprintsAfter(after: number, rows: number): FingerprintsOfCommit[] {
		return this.#statements.fingerprintsAfter.all({ after, rows });
	}

	/** Returns the last commit that does not begin after an event. */
	fingerprintsAt(event: number): FingerprintsOfCommit | undefined {
		return this.#statements.fingerprintsAt.get({ event });
	}

	/** Returns consecutive rows. */
	#from(event: number, rowsMax: number): EventRow[] {
		const rows = this.#statements.from.all({ event, rows: rowsMax });
		const first = rows[0]?.id ?? 0;
		return rows.filter(({ id }, index) => id === first + index);
	}
}

function columnsOf(json: string | null): Record<string, DimensionValue[]> {
	const dimensions: Record<string, DimensionValue> = json === null ? {} : JSON.parse(json);
	return Object.fromEntries(Object.entries(dimensions).map(([name, value]) => [name, [value]]));
}
