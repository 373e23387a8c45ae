/** Our choice: how long a job works before whoever else waits is served. What a request waits for a job, at most. */
const turnMs = 4;

/**
 * How jobs share the thread that writes with requests, and with each other: a job does a few milliseconds' worth, in steps
 * that each write for themselves (`transactions.write`), and then waits for its next turn.
 */
export interface TimeSlices {
	/**
	 * Resolves when it is this job's turn: after the requests that wait, and after the other jobs have had theirs. Rejects
	 * when what the job has written in its last turn was not kept: nothing of that turn has happened.
	 */
	next(): Promise<void>;
	/** Asked between two small pieces of work: whether the turn that `next` began has lasted long enough. */
	isOver(): boolean;
}

export interface TimeSliceOptions {
	/** Resolves when what was written up to now is on disk. Left out where each write is a transaction by itself. */
	readonly committed?: () => Promise<void>;
	/** Running time in milliseconds. */
	readonly now?: () => number;
}

/** TimeSlices of one thread, for jobs that come one after the other or at the same time. */
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
