import { asc, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction } from "../../../kernel/work";
import { ArchivedBlocks } from "../archive/archived-blocks";
import { blockEventsMax, type EventBlock, type Identity, type LogRow, readBlock } from "../blocks/event-block";
import { eventBlocks } from "../table.events";
import { CanceledEvents } from "./canceled-events";
import { OldRows } from "./old-rows";

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
});

/** Events of one block, by their indexes: from `from` up to, not with, `to`. */
export interface LogSlice {
	readonly block: EventBlock;
	readonly from: number;
	readonly to: number;
}

/**
 * Reads the log, by the positions of its events: its blocks, those that have left it for the archive, and the rows that the
 * first release has written. One for each connection that has events.db open or attached.
 */
export class LogReader {
	readonly #statements;
	readonly #old: OldRows;
	readonly #archived: ArchivedBlocks;
	readonly canceled: CanceledEvents;
	#block: EventBlock | undefined;
	/** The idempotency keys of its events. */
	#keys: readonly string[] | undefined;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
		this.#old = new OldRows(tx);
		this.#archived = new ArchivedBlocks(tx);
		this.canceled = new CanceledEvents(tx);
	}

	/** Position of the newest event; 0 while there is none. */
	lastEvent(): number {
		const last = lastOf(this.#statements.lastBlock.get(), this.#archived.at(Number.MAX_SAFE_INTEGER));
		return last ? last.firstEvent + last.events - 1 : this.#old.last;
	}

	/** What follows an event, up to another and at most so many events, in the order of the log. */
	*after(event: number, upTo: number, eventsMax: number): Generator<LogSlice> {
		let left = eventsMax;
		for (const block of this.#blocksFrom(event + 1)) {
			if (block.firstEvent > upTo) return;
			const from = Math.max(0, event + 1 - block.firstEvent);
			const to = Math.min(block.events, from + left, upTo - block.firstEvent + 1);
			yield { block, from, to };
			left -= to - from;
			// What follows may not be here.
			if (left === 0 || block.lastEvent >= upTo) return;
		}
	}

	/** The block that holds an event, and all that follow. */
	*#blocksFrom(event: number): Generator<EventBlock> {
		for (let next = event; ; ) {
			const first = this.#blockFrom(next);
			if (!first) return;
			yield first;
			next = first.lastEvent + 1;
			if (next <= this.#old.last || this.#archived.holds(next)) continue;
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
		const block = before <= this.#old.last ? this.#blockFrom(Math.max(1, before - blockEventsMax + 1)) : undefined;
		return block ?? this.#blockFrom(before);
	}

	/** Whether an event is there. Only in a damaged log one before the last is not. */
	has(event: number): boolean {
		return this.#block?.holds(event) || this.#archived.holds(event) || this.#find(event) !== undefined;
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
			eventName: block.eventName(index),
			idempotencyKey: this.#keys[index] ?? "",
		};
	}

	/** After a rollback, a block that was read in it does not stand. */
	forget(): void {
		this.#block = undefined;
		this.canceled.forget();
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
		if (block.firstEvent <= this.#old.last) return this.#old.keys(block);
		const { firstEvent } = block;
		const keys = this.#statements.keys.get({ firstEvent })?.keys ?? this.#archivedRow(firstEvent)?.keys;
		return JSON.parse(keys ?? "[]");
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

	/** The block that holds an event, or where there is a gap in the log the next one. */
	#blockFrom(event: number): EventBlock | undefined {
		if (event <= this.#old.last) return this.#old.block(event);
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
}

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

function lastOf<Row extends { readonly firstEvent: number }>(one: Row | undefined, other: Row | undefined) {
	return (one?.firstEvent ?? 0) > (other?.firstEvent ?? 0) ? one : other;
}
