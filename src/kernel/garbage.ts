/**
 * Returns a function that long work calls after each piece. It collects garbage after a number of pieces: otherwise the runtime lets the
 * heap grow to several times the live data.
 */
export function collectorAfter(pieces: number): (done?: number) => void {
	let left = pieces;
	return (done = 1) => {
		left -= done;
		if (left > 0) return;
		left = pieces;
		Bun.gc(true);
	};
}
