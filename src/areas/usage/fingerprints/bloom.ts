/** Bits for each event: 1.25 bytes. With seven of them set in one line, about one probe in seventy passes in vain. */
const bitsPerEvent = 10;
const probes = 7;
/** A line is one of the processor's cache, so that a probe costs one miss of it; four bits name a word in it. */
export const lineWords = 16;

/** How many lines a filter over so many events has. */
export const bloomLines = (events: number): number =>
	Math.max(1, Math.ceil((events * bitsPerEvent) / (lineWords * 32)));

export const bloomWords = (events: number): number => bloomLines(events) * lineWords;

/** In which line a fingerprint is: by its high half, scaled. Runs are sorted by it, so their lines are filled one after the other. */
export const lineOf = (high: number, lines: number): number => Math.floor((high / 2 ** 32) * lines);

/** Adds a fingerprint to its line, which begins at a word. */
export function addToLine(words: Uint32Array, begin: number, low: number): void {
	let bits = mix(low);
	for (let probe = 0; probe < probes; probe += 1) {
		const word = begin + (bits >>> 28);
		words[word] = (words[word] ?? 0) | (1 << ((bits >>> 23) & 31));
		bits = next(bits, low);
	}
}

/** False tells for certain that a fingerprint of this line was never added. */
export function lineMayHold(words: Uint32Array, begin: number, low: number): boolean {
	let bits = mix(low);
	for (let probe = 0; probe < probes; probe += 1) {
		if (((words[begin + (bits >>> 28)] ?? 0) & (1 << ((bits >>> 23) & 31))) === 0) return false;
		bits = next(bits, low);
	}
	return true;
}

const mix = (low: number): number => Math.imul(low ^ (low >>> 16), 0x85ebca6b) >>> 0;
const next = (bits: number, low: number): number => (Math.imul(bits, 0xcc9e2d51) + (low | 1)) >>> 0;
