/** A generator of random numbers from a seed: equal seeds give equal runs. */
export interface Random {
	/** A number from 0, below 1. */
	next(): number;
	chance(probability: number): boolean;
	/** A whole number from 0, below `end`. */
	below(end: number): number;
	letters(count: number): string;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The generator mulberry32. */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const below = (end: number) => Math.floor(next() * end);
	return {
		next,
		below,
		chance: (probability) => next() < probability,
		letters: (count) => Array.from({ length: count }, () => alphabet[below(alphabet.length)]).join(""),
	};
}
