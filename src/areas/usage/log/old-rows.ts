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
 * The beginning of a log that the first release has written, a row for each event. They stay as they are (rewriting a hundred
 * million would hold up the start for minutes), and are made to look like blocks.
 */
export class OldRows {
	readonly #statements;
	#last: number | undefined;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** The newest of them; 0 where there are none. Nobody adds any: it is asked for once. */
	get last(): number {
		this.#last ??= this.#statements.last.get()?.id ?? 0;
		return this.#last;
	}

	/** The events from one on, or from the next that is there. */
	block(event: number): EventBlock | undefined {
		const rows = this.#from(event, blockEventsMax);
		const [first] = rows;
		if (!first) return undefined;
		return new EventBlock({
			firstEvent: first.id,
			customers: Uint32Array.from(rows, ({ customer }) => customer),
			times: Float64Array.from(rows, ({ at }) => at),
			// Each with a shape of its own.
			facts: [
				rows.map(({ eventName, dimensions }) => [eventName, columnsOf(dimensions)]),
				rows.map((_, index) => index),
				rows.map(({ resourceRef }) => resourceRef),
			],
		});
	}

	/** The idempotency keys of the events of such a block. */
	keys({ firstEvent, events }: EventBlock): readonly string[] {
		return this.#from(firstEvent, events).map(({ idempotencyKey }) => idempotencyKey);
	}

	/** The fingerprints of those that were committed together, after an event with which such a commit ends. */
	fingerprintsAfter(after: number, rows: number): FingerprintsOfCommit[] {
		return this.#statements.fingerprintsAfter.all({ after, rows });
	}

	/** Of the last commit that does not begin after an event. */
	fingerprintsAt(event: number): FingerprintsOfCommit | undefined {
		return this.#statements.fingerprintsAt.get({ event });
	}

	/** Without a gap between them. */
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
