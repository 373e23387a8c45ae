/** The time slice of a job, and so the longest wait of a request for a job. */
const turnMs = 4;

/**
 * The time slices by which jobs share the writer with requests and with each other. A job works for a few milliseconds, in steps that each
 * write on their own (`transactions.write`), and then waits for its next slice.
 */
export interface TimeSlices {
	/**
	 * Resolves when the next slice of this job begins: after the waiting requests and the slices of the other jobs. Rejects if the writes of
	 * its last slice were rolled back.
	 */
	next(): Promise<void>;
	/** Whether the current slice is over. A job checks it between two small pieces of work. */
	isOver(): boolean;
}

export interface TimeSliceOptions {
	/** Resolves when all previous writes are on disk. Omitted if each write is a transaction of its own. */
	readonly committed?: () => Promise<void>;
	/** Running time in milliseconds. */
	readonly now?: () => number;
}

/** Makes the time slices of a thread without a scheduler. */
export function timeSlices({
	committed = () => Promise.resolve(),
	now = () => performance.now(),
}: TimeSliceOptions = {}): TimeSlices {
	let last = Promise.resolve();
	let endsAt = 0;
	const turn = async (): Promise<void> => {
		await new Promise((resolve) => setImmediate(resolve));
		endsAt = now() + turnMs;
	};
	return {
		next: async () => {
			const kept = committed();
			last = last.then(turn);
			const mine = last;
			await kept;
			await mine;
		},
		isOver: () => now() >= endsAt,
	};
}
