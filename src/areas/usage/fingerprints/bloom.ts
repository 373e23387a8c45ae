/**
 * Bits for each event: 1.25 bytes. Seven of them are set in one line, so about one lookup in seventy is a false hit.
 */
const bitsPerEvent = 10;
const probes = 7;
/** A line is a line of the processor's cache, so a lookup costs one cache miss. Four bits address a word in it. */
export const lineWords = 16;

/** Returns the number of lines of a filter for this many events. */
export const bloomLines = (events: number): number =>
	Math.max(1, Math.ceil((events * bitsPerEvent) / (lineWords * 32)));

export const bloomWords = (events: number): number => bloomLines(events) * lineWords;

/**
 * Returns the line of a fingerprint: its high half, scaled. Runs are sorted by it, so their lines fill one after the
 * other.
 */
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

/** Returns false only if no such fingerprint was added to this line. */
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
