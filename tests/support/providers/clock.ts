/** The clock of a stand-in: it follows the machine's, from an instant that a test can set. */
export interface StandInClock {
	now(): number;
	/** Whole seconds since the epoch. */
	seconds(): number;
	set(at: number): void;
	advance(byMs: number): void;
}

export function standInClock(): StandInClock {
	let offset = 0;
	const now = () => Date.now() + offset;
	return {
		now,
		seconds: () => Math.floor(now() / 1000),
		set: (at) => {
			offset = at - Date.now();
		},
		advance: (byMs) => {
			offset += byMs;
		},
	};
}
