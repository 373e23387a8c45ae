import type { ErasedSlice, OldRow } from "../archive/messages";
import type { LogRow } from "../blocks/event-block";

/** Our choices: what one step looks at, some tens of milliseconds. */
const blocksMax = 16;
const oldRowsMax = 500;

/** What one step looks at, and what has to change of it. */
export class Slice {
	readonly blocks: Array<ErasedSlice["blocks"][number]> = [];
	readonly rows: Array<ErasedSlice["rows"][number]> = [];
	changed = 0;
	readonly #blocks: LogRow[] = [];
	readonly #rows = new Set<number>();

	get isFull(): boolean {
		return this.#blocks.length >= blocksMax || this.#rows.size >= oldRowsMax;
	}

	/** Whether all was looked at that lies where an event is: neighbours of one hour are so of others, too. */
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
