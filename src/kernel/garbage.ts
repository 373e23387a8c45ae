/**
 * Returns a function that long work calls after each of its pieces. It collects garbage after so many pieces: left alone, the
 * runtime lets the heap grow to several times what lives.
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
