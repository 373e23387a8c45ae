/** Our choice: how long a job works before whoever else waits is served. What a request waits for a job, at most. */
const turnMs = 4;

/**
 * How jobs share the thread that writes with requests, and with each other: a job does a few milliseconds' worth, in steps
 * that each write for themselves (`doors.write`), and then waits for its next turn.
 */
export interface Turns {
	/** Resolves when it is this job's turn: after the requests that wait, and after the other jobs have had theirs. */
	next(): Promise<void>;
	/** Asked between two small pieces of work: whether the turn that `next` began has lasted long enough. */
	isOver(): boolean;
}

/** Turns of one thread, for jobs that come one after the other or at the same time. */
export function takeTurns(now: () => number = () => performance.now()): Turns {
	let last = Promise.resolve();
	let endsAt = 0;
	return {
		next: () => {
			last = last.then(async () => {
				await new Promise((resolve) => setImmediate(resolve));
				endsAt = now() + turnMs;
			});
			return last;
		},
		isOver: () => now() >= endsAt,
	};
}
