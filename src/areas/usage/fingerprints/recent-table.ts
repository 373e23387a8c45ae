/**
 * The fingerprints of the newest events, each with the row id of its event: an open-addressing table over one typed
 * array, so a lookup costs one cache miss. Several events may share a fingerprint: an equal fingerprint need not be the
 * same event.
 */
export class RecentTable {
	#slots = slotsMin;
	/**
	 * By slot: high half, low half, and the event's row id in two halves. In a free slot the row id is 0; row ids begin
	 * at 1.
	 */
	#words = new Uint32Array(slotsMin * entryWords);
	#size = 0;

	get size(): number {
		return this.#size;
	}

	/** Its memory in bytes. */
	get memoryBytes(): number {
		return this.#words.byteLength;
	}

	add(high: number, low: number, event: number): void {
		// At most half full, so that chains stay short.
		if ((this.#size + 1) * 2 > this.#slots) this.#grow();
		const mask = this.#slots - 1;
		let slot = low & mask;
		while (this.#eventAt(slot) !== 0) slot = (slot + 1) & mask;
		const at = slot * entryWords;
		this.#words[at] = high;
		this.#words[at + 1] = low;
		this.#words[at + 2] = Math.floor(event / 2 ** 32);
		this.#words[at + 3] = event >>> 0;
		this.#size += 1;
	}

	/** Calls `visit` with each event of this fingerprint until it returns true; returns whether it did. */
	some(high: number, low: number, visit: (event: number) => boolean): boolean {
		const mask = this.#slots - 1;
		for (let slot = low & mask; ; slot = (slot + 1) & mask) {
			const event = this.#eventAt(slot);
			if (event === 0) return false;
			if (this.#isAt(slot, high, low) && visit(event)) return true;
		}
	}

	/** Removes an event as if it had never been added. */
	remove(high: number, low: number, event: number): void {
		const mask = this.#slots - 1;
		let slot = low & mask;
		while (this.#eventAt(slot) !== event || !this.#isAt(slot, high, low)) {
			if (this.#eventAt(slot) === 0) return;
			slot = (slot + 1) & mask;
		}
		// Close the gap: later entries that may stand in it move up, so that no chain is cut.
		for (let next = (slot + 1) & mask; this.#eventAt(next) !== 0; next = (next + 1) & mask) {
			const home = (this.#words[next * entryWords + 1] ?? 0) & mask;
			if (((next - home) & mask) < ((next - slot) & mask)) continue;
			this.#words.copyWithin(slot * entryWords, next * entryWords, (next + 1) * entryWords);
			slot = next;
		}
		this.#words.fill(0, slot * entryWords, (slot + 1) * entryWords);
		this.#size -= 1;
	}

	/** Retains its slots: the next events need as many. */
	clear(): void {
		this.#words.fill(0);
		this.#size = 0;
	}

	/** Returns all entries as words of `entryWords`, in the layout of a slot; in no order. */
	entries(): Uint32Array {
		const words = new Uint32Array(this.#size * entryWords);
		let to = 0;
		for (let slot = 0; slot < this.#slots; slot += 1) {
			if (this.#eventAt(slot) === 0) continue;
			for (let word = 0; word < entryWords; word += 1) words[to + word] = this.#words[slot * entryWords + word] ?? 0;
			to += entryWords;
		}
		return words;
	}

	#eventAt(slot: number): number {
		const at = slot * entryWords;
		return (this.#words[at + 2] ?? 0) * 2 ** 32 + (this.#words[at + 3] ?? 0);
	}

	#isAt(slot: number, high: number, low: number): boolean {
		const at = slot * entryWords;
		return this.#words[at] === high && this.#words[at + 1] === low;
	}

	#grow(): void {
		const entries = this.entries();
		this.#slots *= 2;
		this.#words = new Uint32Array(this.#slots * entryWords);
		this.#size = 0;
		for (let at = 0; at < entries.length; at += entryWords)
			this.add(entries[at] ?? 0, entries[at + 1] ?? 0, (entries[at + 2] ?? 0) * 2 ** 32 + (entries[at + 3] ?? 0));
	}
}

/** 64 KiB to begin with: an idle Tollgate stays small. */
const slotsMin = 4096;

/** Words of 32 bits for one entry of a sorted run, on disk and in memory. */
export const entryWords = 4;
