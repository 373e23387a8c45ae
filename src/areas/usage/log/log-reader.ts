import { asc, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction } from "../../../kernel/work";
import { ArchivedBlocks } from "../archive/archived-blocks";
import { blockEventsMax, type EventBlock, type Identity, type LogRow, readBlock } from "../blocks/event-block";
import { eventBlocks } from "../table.events";
import { CanceledEvents } from "./canceled-events";
import { OldRows } from "./old-rows";

const { placeholder } = sql;

/** The columns that counting needs, as raw bytes: Drizzle's column type would copy them once more. */
const blockColumns = {
	firstEvent: eventBlocks.firstEvent,
	firstAt: eventBlocks.firstAt,
	later: sql<Uint8Array>`${eventBlocks.later}`,
	customers: sql<Uint8Array>`${eventBlocks.customers}`,
	facts: eventBlocks.facts,
} as const;

/** Blocks that are read at once. */
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
		// True for all blocks; it makes SQLite search along the key.
		.where(lte(eventBlocks.firstEvent, Number.MAX_SAFE_INTEGER))
		.orderBy(desc(eventBlocks.firstEvent))
		.limit(1)
		.prepare(),
});

/** Events of one block, by their indexes: from `from` up to, but not including, `to`. */
export interface LogSlice {
	readonly block: EventBlock;
	readonly from: number;
	readonly to: number;
}

/**
 * Reads the log by the positions of its events: its blocks, archived blocks, and the rows of the first release. One for
 * each connection that has events.db open or attached.
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

	/** Returns the position of the newest event; 0 if there is none. */
	lastEvent(): number {
		const last = lastOf(this.#statements.lastBlock.get(), this.#archived.at(Number.MAX_SAFE_INTEGER));
		return last ? last.firstEvent + last.events - 1 : this.#old.last;
	}

	/** Yields the events after `after`, up to `upTo` and at most `eventsMax`, in the order of the log. */
	*after(event: number, upTo: number, eventsMax: number): Generator<LogSlice> {
		let left = eventsMax;
		for (const block of this.#blocksFrom(event + 1)) {
			if (block.firstEvent > upTo) return;
			const from = Math.max(0, event + 1 - block.firstEvent);
			const to = Math.min(block.events, from + left, upTo - block.firstEvent + 1);
			yield { block, from, to };
			left -= to - from;
			// The next block may be unreadable.
			if (left === 0 || block.lastEvent >= upTo) return;
		}
	}

	/** Yields the block that holds an event, and all later ones. */
	*#blocksFrom(event: number): Generator<EventBlock> {
		for (let next = event; ; ) {
			const first = this.#blockFrom(next);
			if (!first) return;
			yield first;
			next = first.lastEvent + 1;
			if (next <= this.#old.last || this.#archived.holds(next)) continue;
			for (const row of this.#statements.blocksFrom.all({ event: next })) {
				// The blocks between are in the archive.
				if (row.firstEvent !== next) break;
				const block = readBlock(row);
				yield block;
				next = block.lastEvent + 1;
			}
		}
	}

	/** Yields existing events, in the order of the log. */
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

	/** Returns the block of the last event before `event`; undefined at the beginning of the log. */
	blockBefore(event: number): EventBlock | undefined {
		const before = Math.min(event - 1, this.lastEvent());
		if (before < 1) return undefined;
		const block = before <= this.#old.last ? this.#blockFrom(Math.max(1, before - blockEventsMax + 1)) : undefined;
		return block ?? this.#blockFrom(before);
	}

	/** Whether an event exists. Only a damaged log lacks events before its last one. */
	has(event: number): boolean {
		return this.#block?.holds(event) || this.#archived.holds(event) || this.#find(event) !== undefined;
	}

	/**
	 * Returns the check (archive/identity-check.ts) of an event whose block is in the storage; undefined for other
	 * events.
	 */
	checkOf(event: number): number | undefined {
		return this.#archived.check(event);
	}

	/** Returns the block of an existing event. */
	blockOf(event: number): EventBlock {
		const block = this.#find(event);
		if (!block) throw new Error(`The log has no event ${event}, which was counted.`);
		return block;
	}

	/** Returns the block of an existing event, and the idempotency keys of the block's events. */
	keyed(event: number): { readonly block: EventBlock; readonly keys: readonly string[] } {
		const block = this.blockOf(event);
		this.#keys ??= this.#keysOf(block);
		return { block, keys: this.#keys };
	}

	/** Returns the identity of an event. */
	identity(event: number): Identity {
		const { block, keys } = this.keyed(event);
		const index = event - block.firstEvent;
		return {
			customer: block.customer(index),
			resourceRef: block.resource(index),
			eventName: block.eventName(index),
			idempotencyKey: keys[index] ?? "",
		};
	}

	/** Discards the block in memory after a rollback. */
	discard(): void {
		this.#block = undefined;
		this.canceled.discard();
	}

	/** The last block stays in memory: readers of one event usually read its neighbors too. */
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

	/** Returns the last event of an event's block and the latest of its times; undefined in a gap of a damaged log. */
	spanOf(event: number): { readonly lastEvent: number; readonly lastAt: Instant } | undefined {
		const archived = this.#archived.at(event);
		if (archived && event < archived.firstEvent + archived.events)
			return { lastEvent: archived.firstEvent + archived.events - 1, lastAt: archived.lastAt };
		const block = this.#blockFrom(event);
		if (!block?.holds(event)) return undefined;
		let lastAt = block.at(0);
		for (let index = 1; index < block.events; index += 1) if (block.at(index) > lastAt) lastAt = block.at(index);
		return { lastEvent: block.lastEvent, lastAt };
	}

	/** Returns the block of an event, or the next block after a gap in the log. */
	#blockFrom(event: number): EventBlock | undefined {
		if (event <= this.#old.last) return this.#old.block(event);
		const row = this.#statements.blockAt.get({ event });
		const block = row && readBlock(row);
		if (block?.holds(event)) return block;
		const archived = this.#archived.at(event);
		if (archived && event < archived.firstEvent + archived.events) return readBlock(this.#archived.content(archived));
		const next = this.#statements.blockFrom.get({ event });
		const nextAway = this.#archived.from(event);
		if (nextAway && nextAway.firstEvent < (next?.firstEvent ?? Number.POSITIVE_INFINITY))
			return readBlock(this.#archived.content(nextAway));
		return next && readBlock(next);
	}

	/** Returns the row of an archived block by its first event. */
	#archivedRow(firstEvent: number): LogRow | undefined {
		const archived = this.#archived.at(firstEvent);
		return archived?.firstEvent === firstEvent ? this.#archived.content(archived) : undefined;
	}
}

/** Returns ascending numbers as ranges of consecutive ones: first and last. */
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
