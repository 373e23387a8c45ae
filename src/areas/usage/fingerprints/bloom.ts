/** Bits for each event: 1.25 bytes. With seven of them set in one block, about one probe in seventy passes in vain. */
const bitsPerEvent = 10;
const probes = 7;
/** A block is one line of the processor's cache, so that a probe costs one miss of it; four bits name a word in it. */
const blockWords = 16;

export const bloomWords = (events: number): number =>
	Math.max(1, Math.ceil((events * bitsPerEvent) / (blockWords * 32))) * blockWords;

/** Tells for certain that a fingerprint is not in a run, from memory alone. `words` may come from a file. */
export class Bloom {
	readonly #blocks: number;

	constructor(readonly words: Uint32Array) {
		this.#blocks = words.length / blockWords;
	}

	add(high: number, low: number): void {
		const base = this.#base(high);
		let bits = mix(low);
		for (let probe = 0; probe < probes; probe += 1) {
			const word = base + (bits >>> 28);
			this.words[word] = (this.words[word] ?? 0) | (1 << ((bits >>> 23) & 31));
			bits = next(bits, low);
		}
	}

	mayHold(high: number, low: number): boolean {
		const base = this.#base(high);
		let bits = mix(low);
		for (let probe = 0; probe < probes; probe += 1) {
			if (((this.words[base + (bits >>> 28)] ?? 0) & (1 << ((bits >>> 23) & 31))) === 0) return false;
			bits = next(bits, low);
		}
		return true;
	}

	/** Which block: the high half, scaled. A run is sorted by it, so a run's blocks are filled one after the other. */
	#base(high: number): number {
		return Math.floor((high / 2 ** 32) * this.#blocks) * blockWords;
	}
}

const mix = (low: number): number => Math.imul(low ^ (low >>> 16), 0x85ebca6b) >>> 0;
const next = (bits: number, low: number): number => (Math.imul(bits, 0xcc9e2d51) + (low | 1)) >>> 0;
