/** The files whose commits other threads are told of, each with its place in the shared memory. */
const places = { main: 0, usage: 1 } as const;

export type CountedFile = keyof typeof places;

const counters = Object.keys(places).length;

/**
 * How often each file has been committed by this process, in memory that all its threads share: the thread that writes a
 * file counts after the commit and before anybody is answered, so that who got an answer sees what it tells, whichever
 * thread is asked next. What another process commits is not counted here (doors.ts asks SQLite for it).
 */
export class Epochs {
	/** To be sent to other threads, which open it again. */
	readonly memory: SharedArrayBuffer;
	readonly #counts: Int32Array;

	constructor(memory = new SharedArrayBuffer(counters * Int32Array.BYTES_PER_ELEMENT)) {
		this.memory = memory;
		this.#counts = new Int32Array(memory);
	}

	/** The counter wraps around after four thousand million commits: it is only ever compared for being another. */
	of(file: CountedFile): number {
		return Atomics.load(this.#counts, places[file]);
	}

	/** A commit of the file is on disk. */
	committed(file: CountedFile): void {
		Atomics.add(this.#counts, places[file], 1);
	}
}
