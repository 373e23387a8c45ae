/** The longest time slice, as that of a job of the writer. */
const sliceMs = 4;

/**
 * Runs `slice` in time slices of this thread, between its other work, until it returns false. A slice ends when `isOver` is true, or after the
 * piece of work that it has begun.
 */
export async function inTimeSlices(slice: (isOver: () => boolean) => boolean): Promise<void> {
	for (let hasMore = true; hasMore; ) {
		await new Promise((resolve) => setImmediate(resolve));
		const end = performance.now() + sliceMs;
		hasMore = slice(() => performance.now() >= end);
	}
}
