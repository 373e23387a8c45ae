import type { ErasedSlice, OldRow } from "../archive/messages";
import type { LogRow } from "../blocks/event-block";

/** The blocks and rows that one step reads, some tens of milliseconds. */
const blocksMax = 16;
const oldRowsMax = 500;

/** The blocks and rows that one step has read, and their changes. */
export class Slice {
	readonly blocks: Array<ErasedSlice["blocks"][number]> = [];
	readonly rows: Array<ErasedSlice["rows"][number]> = [];
	changed = 0;
	readonly #blocks: LogRow[] = [];
	readonly #rows = new Set<number>();

	get isFull(): boolean {
		return this.#blocks.length >= blocksMax || this.#rows.size >= oldRowsMax;
	}

	/** Whether the block of an event has been read: neighbors of one hour are often neighbors of others. */
	hasLookedAt(event: number): boolean {
		return (
			this.#rows.has(event) ||
			this.#blocks.some(({ firstEvent, events }) => firstEvent <= event && event < firstEvent + events)
		);
	}

	addBlock(block: LogRow, erased: LogRow | undefined, changed: number): void {
		this.#blocks.push(block);
		if (erased) this.blocks.push({ firstEvent: block.firstEvent, facts: erased.facts, keys: erased.keys });
		this.changed += changed;
	}

	addRow(event: number, erased: OldRow | undefined | null): void {
		this.#rows.add(event);
		if (!erased) return;
		const { id, dimensions, idempotencyKey } = erased;
		this.rows.push({ id, dimensions, idempotencyKey });
		this.changed += 1;
	}
}
