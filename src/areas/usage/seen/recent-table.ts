/**
 * The fingerprints of the newest events, each with the row id of its event: an open-addressing table over typed arrays,
 * 16 bytes a slot. It may hold several events under one fingerprint: what is equal here need not be the same event.
 */
export class RecentTable {
	#slots = slotsMin;
	#high = new Uint32Array(slotsMin);
	#low = new Uint32Array(slotsMin);
	/** Row id of the event; 0 marks a free slot, since row ids begin at 1. */
	#events = new Float64Array(slotsMin);
	#size = 0;

	get size(): number {
		return this.#size;
	}

	add(high: number, low: number, event: number): void {
		// At most half full, so that chains stay short.
		if ((this.#size + 1) * 2 > this.#slots) this.#grow();
		this.#place(high, low, event);
		this.#size += 1;
	}

	/** Calls `visit` with each event of this fingerprint until it answers true; answers whether it did. */
	some(high: number, low: number, visit: (event: number) => boolean): boolean {
		const mask = this.#slots - 1;
		for (let at = low & mask; ; at = (at + 1) & mask) {
			const event = this.#events[at] ?? 0;
			if (event === 0) return false;
			if (this.#low[at] === low && this.#high[at] === high && visit(event)) return true;
		}
	}

	/** Takes an event out again, as if it had never been added. */
	remove(high: number, low: number, event: number): void {
		const mask = this.#slots - 1;
		let at = low & mask;
		while (this.#events[at] !== event || this.#low[at] !== low || this.#high[at] !== high) {
			if (this.#events[at] === 0) return;
			at = (at + 1) & mask;
		}
		// Close the gap: what stands behind it and could stand in it moves up, so that no chain is cut.
		for (let next = (at + 1) & mask; this.#events[next] !== 0; next = (next + 1) & mask) {
			const home = (this.#low[next] ?? 0) & mask;
			if (((next - home) & mask) < ((next - at) & mask)) continue;
			this.#events[at] = this.#events[next] ?? 0;
			this.#low[at] = this.#low[next] ?? 0;
			this.#high[at] = this.#high[next] ?? 0;
			at = next;
		}
		this.#events[at] = 0;
		this.#size -= 1;
	}

	/** Keeps its slots: what filled it once will fill it again. */
	clear(): void {
		this.#events.fill(0);
		this.#size = 0;
	}

	/** All entries as words of `entryWords`: high, low, and the event's row id in two halves; in no order. */
	entries(): Uint32Array {
		const words = new Uint32Array(this.#size * entryWords);
		let to = 0;
		for (let at = 0; at < this.#slots; at += 1) {
			const event = this.#events[at] ?? 0;
			if (event === 0) continue;
			words[to] = this.#high[at] ?? 0;
			words[to + 1] = this.#low[at] ?? 0;
			words[to + 2] = Math.floor(event / 2 ** 32);
			words[to + 3] = event >>> 0;
			to += entryWords;
		}
		return words;
	}

	#place(high: number, low: number, event: number): void {
		const mask = this.#slots - 1;
		let at = low & mask;
		while (this.#events[at] !== 0) at = (at + 1) & mask;
		this.#high[at] = high;
		this.#low[at] = low;
		this.#events[at] = event;
	}

	#grow(): void {
		const [slots, high, low, events] = [this.#slots, this.#high, this.#low, this.#events];
		this.#allocate(slots * 2);
		for (let at = 0; at < slots; at += 1) {
			const event = events[at] ?? 0;
			if (event !== 0) this.#place(high[at] ?? 0, low[at] ?? 0, event);
		}
	}

	#allocate(slots: number): void {
		this.#slots = slots;
		this.#high = new Uint32Array(slots);
		this.#low = new Uint32Array(slots);
		this.#events = new Float64Array(slots);
	}
}

/** 64 KiB to begin with: an idle Tollgate stays small. */
const slotsMin = 4096;

/** Words of 32 bits for one entry of a sorted run, on disk and in memory. */
export const entryWords = 4;
