import type { Instant } from "../../../kernel/clock";

/** Consecutive events, including the last one. */
interface Range {
	readonly first: number;
	last: number;
}

export interface LeftOutBlock {
	readonly firstEvent: number;
	readonly events: number;
	readonly lastAt: Instant;
}

/** Events of the log that a check skips because they are in the storage. */
export class LeftOut {
	readonly #ranges: Range[] = [];
	/** The latest time of these events. */
	readonly lastAt: Instant;

	/** `blocks` are in the order of the log. */
	constructor(blocks: Iterable<LeftOutBlock>) {
		let lastAt = Number.NEGATIVE_INFINITY;
		for (const block of blocks) {
			const last = block.firstEvent + block.events - 1;
			const range = this.#ranges.at(-1);
			if (range?.last === block.firstEvent - 1) range.last = last;
			else this.#ranges.push({ first: block.firstEvent, last });
			lastAt = Math.max(lastAt, block.lastAt);
		}
		this.lastAt = lastAt as Instant;
	}

	holds(event: number): boolean {
		const range = this.#endingFrom(event);
		return range !== undefined && range.first <= event;
	}

	/** Returns the last of the skipped events that directly follow an event; the event itself if there are none. */
	skip(event: number): number {
		const range = this.#endingFrom(event + 1);
		return range && range.first <= event + 1 ? range.last : event;
	}

	/** Returns the last event before the next skipped one. */
	before(event: number): number {
		return (this.#endingFrom(event + 1)?.first ?? Number.POSITIVE_INFINITY) - 1;
	}

	/** Returns the first range that ends with an event or after it. */
	#endingFrom(event: number): Range | undefined {
		let [from, to] = [0, this.#ranges.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((this.#ranges[middle]?.last ?? 0) < event) from = middle + 1;
			else to = middle;
		}
		return this.#ranges[from];
	}
}

export const nothingLeftOut = new LeftOut([]);
