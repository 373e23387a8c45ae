import { and, asc, desc, eq, gt, gte, lte, max, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction } from "../../../kernel/work";
import { ArchivedBlocks } from "../archive/archived-blocks";
import type { DimensionValue } from "../rules";
import { eventBlocks, eventCancellations, eventCommits, events } from "../table.events";
import { blockEventsMax, EventBlock, type Identity, type LogRow, readBlock, wordsOf } from "./event-block";

const { placeholder } = sql;

/** What counting asks for. The bytes as they are: the column's own type would copy them once more. */
const blockColumns = {
	firstEvent: eventBlocks.firstEvent,
	firstAt: eventBlocks.firstAt,
	later: sql<Uint8Array>`${eventBlocks.later}`,
	customers: sql<Uint8Array>`${eventBlocks.customers}`,
	facts: eventBlocks.facts,
} as const;

/** Our choice: what is read at once of the end of the log. */
const blocksAtOnce = 32;

const buildStatements = (tx: Transaction) => ({
	/** The last block that does not begin after an event. */
	blockAt: tx
		.select(blockColumns)
		.from(eventBlocks)
		.where(lte(eventBlocks.firstEvent, placeholder("event")))
		.orderBy(desc(eventBlocks.firstEvent))
		.limit(1)
		.prepare(),
	blockFrom: tx
		.select(blockColumns)
		.from(eventBlocks)
		.where(gte(eventBlocks.firstEvent, placeholder("event")))
		.orderBy(asc(eventBlocks.firstEvent))
		.limit(1)
		.prepare(),
	blocksFrom: tx
		.select(blockColumns)
		.from(eventBlocks)
		.where(gte(eventBlocks.firstEvent, placeholder("event")))
		.orderBy(asc(eventBlocks.firstEvent))
		.limit(blocksAtOnce)
		.prepare(),
	keys: tx
		.select({ keys: eventBlocks.keys })
		.from(eventBlocks)
		.where(eq(eventBlocks.firstEvent, placeholder("firstEvent")))
		.prepare(),
	lastBlock: tx
		.select({ firstEvent: eventBlocks.firstEvent, events: eventBlocks.events })
		.from(eventBlocks)
		// All of them; so said, the last is looked for along the key.
		.where(lte(eventBlocks.firstEvent, Number.MAX_SAFE_INTEGER))
		.orderBy(desc(eventBlocks.firstEvent))
		.limit(1)
		.prepare(),
	fingerprints: tx
		.select({ firstEvent: eventBlocks.firstEvent, fingerprints: eventBlocks.fingerprints })
		.from(eventBlocks)
		.where(gt(eventBlocks.firstEvent, placeholder("after")))
		.orderBy(asc(eventBlocks.firstEvent))
		.limit(placeholder("rows"))
		.prepare(),
	fingerprintsAt: tx
		.select({ firstEvent: eventBlocks.firstEvent, fingerprints: eventBlocks.fingerprints })
		.from(eventBlocks)
		.where(lte(eventBlocks.firstEvent, placeholder("event")))
		.orderBy(desc(eventBlocks.firstEvent))
		.limit(1)
		.prepare(),
	canceledWithin: tx
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
	cancellations: tx
		.select()
		.from(eventCancellations)
		.where(gt(eventCancellations.id, placeholder("after")))
		.orderBy(asc(eventCancellations.id))
		.limit(placeholder("rows"))
		.prepare(),
	lastRow: tx
		.select({ id: max(events.id) })
		.from(events)
		.prepare(),
	rows: tx
		.select()
		.from(events)
		.where(gte(events.id, placeholder("event")))
		.orderBy(asc(events.id))
		.limit(placeholder("rows"))
		.prepare(),
	rowFingerprints: tx
		.select()
		.from(eventCommits)
		.where(gt(eventCommits.firstEvent, placeholder("after")))
		.orderBy(asc(eventCommits.firstEvent))
		.limit(placeholder("rows"))
		.prepare(),
	rowFingerprintsAt: tx
		.select()
		.from(eventCommits)
		.where(lte(eventCommits.firstEvent, placeholder("event")))
		.orderBy(desc(eventCommits.firstEvent))
		.limit(1)
		.prepare(),
});

/** Events of one block, by their indexes: from `from` up to, not with, `to`. */
export interface LogSlice {
	readonly block: EventBlock;
	readonly from: number;
	readonly to: number;
}

/** The fingerprints of events that follow each other, 8 bytes each: the high half, the low half. */
export interface FingerprintRow {
	readonly firstEvent: number;
	readonly words: Uint32Array;
}

/**
 * Reads the log, by the positions of its events: the blocks, and before them the rows that an older version has written.
 * They stay as they are (rewriting a hundred million would hold up the start for minutes), and are made to look like blocks.
 * One for each connection that has events.db open or attached.
 */
export class LogReader {
	readonly #statements;
	readonly #archived: ArchivedBlocks;
	#lastRow: number | undefined;
	#block: EventBlock | undefined;
	/** The idempotency keys of its events. */
	#keys: readonly string[] | undefined;
	#canceled: { firstEvent: number; lastEvent: number; upTo: number; events: ReadonlySet<number> } | undefined;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
		this.#archived = new ArchivedBlocks(tx);
	}

	/** Position of the newest event; 0 while there is none. */
	lastEvent(): number {
		const last = lastOf(this.#statements.lastBlock.get(), this.#archived.at(Number.MAX_SAFE_INTEGER));
		return last ? last.firstEvent + last.events - 1 : this.#lastOfRows();
	}

	/** What follows an event, up to another and at most so many events, in the order of the log. */
	*after(event: number, upTo: number, eventsMax: number): Generator<LogSlice> {
		let left = eventsMax;
		for (const block of this.#blocksFrom(event + 1)) {
			if (block.firstEvent > upTo || left === 0) return;
			const from = Math.max(0, event + 1 - block.firstEvent);
			const to = Math.min(block.events, from + left, upTo - block.firstEvent + 1);
			yield { block, from, to };
			left -= to - from;
		}
	}

	/** The block that holds an event, and all that follow. */
	*#blocksFrom(event: number): Generator<EventBlock> {
		for (let next = event; ; ) {
			const first = this.#blockFrom(next);
			if (!first) return;
			yield first;
			next = first.lastEvent + 1;
			if (next <= this.#lastOfRows() || this.#archived.holds(next)) continue;
			for (const row of this.#statements.blocksFrom.all({ event: next })) {
				// What lies between is in the archive.
				if (row.firstEvent !== next) break;
				const block = readBlock(row);
				yield block;
				next = block.lastEvent + 1;
			}
		}
	}

	/** Events that are there, in the order of the log. */
	*at(ascending: Iterable<number>): Generator<LogSlice> {
		for (const [first, last] of runsOf(ascending)) {
			for (let next = first; next <= last; ) {
				const block = this.blockOf(next);
				const from = next - block.firstEvent;
				const to = Math.min(block.events, last - block.firstEvent + 1);
				yield { block, from, to };
				next = block.firstEvent + to;
			}
		}
	}

	/** The block that the event before another is in; undefined at the beginning of the log. */
	blockBefore(event: number): EventBlock | undefined {
		const before = Math.min(event - 1, this.lastEvent());
		if (before < 1) return undefined;
		const block = before <= this.#lastOfRows() ? this.#blockFrom(Math.max(1, before - blockEventsMax + 1)) : undefined;
		return block ?? this.#blockFrom(before);
	}

	/** Cancellations after one, in their order. */
	cancellationsAfter(id: number, rowsMax: number): Cancellation[] {
		return this.#statements.cancellations.all({ after: id, rows: rowsMax });
	}

	/** When an event was taken back; undefined where it was not. */
	cancellationOf(event: number): Cancellation | undefined {
		return this.#statements.canceledWithin.get({ first: event, last: event, upTo: Number.MAX_SAFE_INTEGER });
	}

	/** Which events of a block were taken back by the cancellations up to one. The last answer is remembered. */
	canceledOf({ firstEvent, lastEvent }: EventBlock, upTo: number): ReadonlySet<number> {
		if (upTo === 0) return noneCanceled;
		const known = this.#canceled;
		if (known?.firstEvent === firstEvent && known.lastEvent === lastEvent && known.upTo === upTo) return known.events;
		const found = this.#statements.canceledWithin.all({ first: firstEvent, last: lastEvent, upTo });
		const events = found.length === 0 ? noneCanceled : new Set(found.map(({ event }) => event));
		this.#canceled = { firstEvent, lastEvent, upTo, events };
		return events;
	}

	/** Whether an event is there. Only in a damaged log one before the last is not. */
	has(event: number): boolean {
		return this.#archived.holds(event) || this.#find(event) !== undefined;
	}

	/** By what an event is told from others whose block is in the storage (archive/identity-check.ts); undefined for any other. */
	checkOf(event: number): number | undefined {
		return this.#archived.check(event);
	}

	/** The block that holds an event which is there. */
	blockOf(event: number): EventBlock {
		const block = this.#find(event);
		if (!block) throw new Error(`The log has no event ${event}, which was counted.`);
		return block;
	}

	/** What tells an event from all others. */
	identity(event: number): Identity {
		const block = this.blockOf(event);
		const index = event - block.firstEvent;
		this.#keys ??= this.#keysOf(block);
		return {
			customer: block.customer(index),
			resourceRef: block.resource(index),
			eventName: block.event(index).eventName,
			idempotencyKey: this.#keys[index] ?? "",
		};
	}

	/** After a rollback, a block that was read in it does not stand. */
	forget(): void {
		this.#block = undefined;
		this.#canceled = undefined;
	}

	/** The last one is remembered: who asks for one event asks for its neighbours too. */
	#find(event: number): EventBlock | undefined {
		if (this.#block?.holds(event)) return this.#block;
		const block = this.#blockFrom(event);
		if (!block?.holds(event)) return undefined;
		this.#block = block;
		this.#keys = undefined;
		return block;
	}

	#keysOf(block: EventBlock): readonly string[] {
		if (block.firstEvent <= this.#lastOfRows())
			return this.#rowsFrom(block.firstEvent, block.events).map(({ idempotencyKey }) => idempotencyKey);
		const { firstEvent } = block;
		const keys = this.#statements.keys.get({ firstEvent })?.keys ?? this.#archivedRow(firstEvent)?.keys;
		return JSON.parse(keys ?? "[]");
	}

	/** The fingerprints of all events after one with which a row of them ends, in the order of the log. */
	*fingerprintsAfter(event: number): Generator<FingerprintRow> {
		const { rowFingerprints, fingerprints } = this.#statements;
		let next = event + 1;
		for (const row of inPages(event, (after) => rowFingerprints.all({ after, rows: fingerprintRowsAtOnce }))) {
			yield wordsOfRow(row);
			next = row.firstEvent + row.fingerprints.length / 8;
		}
		const blocks = inPages(next - 1, (after) => fingerprints.all({ after, rows: fingerprintRowsAtOnce }));
		let block = blocks.next().value;
		for (;;) {
			// One that was read before it left for the archive may come after its neighbours from there.
			while (block && block.firstEvent < next) block = blocks.next().value;
			const away = block?.firstEvent === next ? undefined : this.#archived.from(next);
			const isAway = away !== undefined && away.firstEvent < (block?.firstEvent ?? Number.POSITIVE_INFINITY);
			const row = isAway ? this.#archived.fingerprints(away) : block;
			if (!row) return;
			yield wordsOfRow(row);
			next = row.firstEvent + row.fingerprints.length / 8;
		}
	}

	/** Up to which event the block of an event goes, and the latest of its times; undefined in a gap of a damaged log. */
	spanOf(event: number): { readonly lastEvent: number; readonly lastAt: Instant } | undefined {
		const away = this.#archived.at(event);
		if (away && event < away.firstEvent + away.events)
			return { lastEvent: away.firstEvent + away.events - 1, lastAt: away.lastAt };
		const block = this.#blockFrom(event);
		if (!block?.holds(event)) return undefined;
		let lastAt = block.at(0);
		for (let index = 1; index < block.events; index += 1) if (block.at(index) > lastAt) lastAt = block.at(index);
		return { lastEvent: block.lastEvent, lastAt };
	}

	/** The fingerprint of an event with which a row of them ends: the high half, the low half. Undefined for any other. */
	fingerprintOfLast(event: number): [high: number, low: number] | undefined {
		const { fingerprintsAt, rowFingerprintsAt } = this.#statements;
		const block = fingerprintsAt.get({ event });
		const away = this.#archived.at(event);
		if (away && away.firstEvent > (block?.firstEvent ?? 0)) {
			const [high = 0, low = 0] = wordsOf(away.lastFingerprint);
			return away.firstEvent + away.events - 1 === event ? [high, low] : undefined;
		}
		const row = block ?? rowFingerprintsAt.get({ event });
		if (!row) return undefined;
		const { firstEvent, words } = wordsOfRow(row);
		const at = (event - firstEvent) * 2;
		return at + 2 === words.length ? [words[at] ?? 0, words[at + 1] ?? 0] : undefined;
	}

	/** The block that holds an event, or where there is a gap in the log the next one. */
	#blockFrom(event: number): EventBlock | undefined {
		if (event <= this.#lastOfRows()) return blockOfRows(this.#rowsFrom(event, blockEventsMax));
		const row = this.#statements.blockAt.get({ event });
		const block = row && readBlock(row);
		if (block?.holds(event)) return block;
		const away = this.#archived.at(event);
		if (away && event < away.firstEvent + away.events) return readBlock(this.#archived.content(away));
		const next = this.#statements.blockFrom.get({ event });
		const nextAway = this.#archived.from(event);
		if (nextAway && nextAway.firstEvent < (next?.firstEvent ?? Number.POSITIVE_INFINITY))
			return readBlock(this.#archived.content(nextAway));
		return next && readBlock(next);
	}

	/** The row of an archived block by its first event. */
	#archivedRow(firstEvent: number): LogRow | undefined {
		const away = this.#archived.at(firstEvent);
		return away?.firstEvent === firstEvent ? this.#archived.content(away) : undefined;
	}

	/** Without a gap between them. */
	#rowsFrom(event: number, rowsMax: number): EventRow[] {
		const rows = this.#statements.rows.all({ event, rows: rowsMax });
		const first = rows[0]?.id ?? 0;
		return rows.filter(({ id }, index) => id === first + index);
	}

	/** Nobody adds any: it is asked for once. */
	#lastOfRows(): number {
		this.#lastRow ??= this.#statements.lastRow.get()?.id ?? 0;
		return this.#lastRow;
	}
}

const noneCanceled: ReadonlySet<number> = new Set();

export type Cancellation = typeof eventCancellations.$inferSelect;

/** Ascending numbers as the first and last of those that follow each other. */
function runsOf(ascending: Iterable<number>): Array<[first: number, last: number]> {
	const runs: Array<[number, number]> = [];
	for (const one of ascending) {
		const run = runs.at(-1);
		if (run && run[1] === one - 1) run[1] = one;
		else runs.push([one, one]);
	}
	return runs;
}

/** Our choice: what is read at once of a long log. */
const fingerprintRowsAtOnce = 100;

/** All rows after an event, read some at a time: what comes between two pages is seen. */
function* inPages<Row extends { readonly firstEvent: number }>(
	event: number,
	read: (after: number) => readonly Row[],
): Generator<Row, undefined> {
	for (let after = event; ; ) {
		const rows = read(after);
		yield* rows;
		const last = rows.at(-1);
		if (!last) return undefined;
		after = last.firstEvent;
	}
}

function lastOf<Row extends { readonly firstEvent: number }>(one: Row | undefined, other: Row | undefined) {
	return (one?.firstEvent ?? 0) > (other?.firstEvent ?? 0) ? one : other;
}

const wordsOfRow = ({ firstEvent, fingerprints }: Pick<LogRow, "firstEvent" | "fingerprints">): FingerprintRow => ({
	firstEvent,
	words: wordsOf(fingerprints),
});

type EventRow = typeof events.$inferSelect;

/** Each with a shape of its own. */
function blockOfRows(rows: readonly EventRow[]): EventBlock | undefined {
	const [first] = rows;
	if (!first) return undefined;
	return new EventBlock({
		firstEvent: first.id,
		customers: Uint32Array.from(rows, ({ customer }) => customer),
		times: Float64Array.from(rows, ({ at }) => at),
		facts: [
			rows.map(({ eventName, dimensions }) => [eventName, columnsOf(dimensions)]),
			rows.map((_, index) => index),
			rows.map(({ resourceRef }) => resourceRef),
		],
	});
}

function columnsOf(json: string | null): Record<string, DimensionValue[]> {
	const dimensions: Record<string, DimensionValue> = json === null ? {} : JSON.parse(json);
	return Object.fromEntries(Object.entries(dimensions).map(([name, value]) => [name, [value]]));
}
