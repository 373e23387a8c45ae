/**
 * Returns a function that long work calls after each piece. It collects garbage after a number of pieces: otherwise the runtime lets the
 * heap grow to several times the live data.
 */
export function collectorAfter(pieces: number): () => void {
	let left = pieces;
	return () => {
		left -= 1;
		if (left > 0) return;
		left = pieces;
		Bun.gc(true);
	};
}
