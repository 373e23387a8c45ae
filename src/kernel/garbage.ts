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

/** The growth of the process's memory that is worth a collection, which takes about 50 ms. */
const growthBytesMin = 16 * 2 ** 20;

/** Returns a function that collects garbage if the memory of the process has grown since the last collection. */
export function collectorOfGrowth(): () => void {
	let before = process.memoryUsage.rss();
	return () => {
		if (process.memoryUsage.rss() < before + growthBytesMin) return;
		Bun.gc(true);
		before = process.memoryUsage.rss();
	};
}
