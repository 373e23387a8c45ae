/** A generator of pseudo-random choices: the same seed makes the same history (mulberry32). */
export function randomOf(seed: number) {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
	const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
	const oneOf = <T>(choices: readonly T[]): T => {
		const choice = choices[whole(0, choices.length - 1)];
		if (choice === undefined) throw new Error("There is nothing to choose from.");
		return choice;
	};
	return {
		/** Both ends included. */
		whole,
		oneOf,
		chance: (probability: number): boolean => next() < probability,
		some: <T>(choices: readonly T[], probability: number): T[] => choices.filter(() => next() < probability),
		/** Returns a decimal in plain digits, with at most `places` places. */
		decimal: (to: number, places: number): string => {
			const digits = whole(0, places);
			const units = String(whole(1, Math.max(1, to * 10 ** digits))).padStart(digits + 1, "0");
			return digits === 0 ? units : `${units.slice(0, -digits)}.${units.slice(-digits)}`;
		},
	};
}

export type Random = ReturnType<typeof randomOf>;
