/** The counters of commits in the shared memory: one for each file, and one for commits of the main file that contain only usage. */
const places = { main: 0, usage: 1, reports: 2 } as const;

export type CountedFile = "main" | "usage";

const counters = Object.keys(places).length;

/**
 * 256 KiB of counters for the usage of customers, after those of the files and one for all customers. Customers share
 * counters: usage of one may invalidate cached answers of another.
 */
const customersPlaces = 65_536;
const allPlace = counters;
/** Returns the place of the counter of a customer (its row id). */
export const placeOf = (customerId: string): number => allPlace + 1 + (Bun.hash.xxHash32(customerId) % customersPlaces);

export type ChangedPlaces = () => {
	/** Whether any customer may have changed: then check all, those of the places first. */
	readonly isAll: boolean;
	readonly places: readonly number[];
};

/**
 * Counts the commits of each file by this process, in memory that its threads share. The thread that writes a file counts after the commit
 * and before it answers, so that a caller with an answer sees its effect on every thread. Commits of other processes are not counted here
 * (versions.ts reads them from SQLite).
 */
export class Epochs {
	/** The memory to send to other threads, which open it again. */
	readonly memory: SharedArrayBuffer;
	readonly #counts: Int32Array;

	constructor(memory = new SharedArrayBuffer((counters + 1 + customersPlaces) * Int32Array.BYTES_PER_ELEMENT)) {
		this.memory = memory;
		this.#counts = new Int32Array(memory);
	}

	/** Returns a counter. It wraps around after four billion commits, so callers only compare it for equality. */
	of(file: CountedFile): number {
		return Atomics.load(this.#counts, places[file]);
	}

	/** Whether the usage of a customer was counted as changed since this was called. See `Work.watchUsage`. */
	watchUsage(customerId: string): () => boolean {
		const counts = this.#counts;
		const place = placeOf(customerId);
		const count = () => Atomics.load(counts, allPlace) + Atomics.load(counts, place);
		const before = count();
		return () => count() !== before;
	}

	/** Returns the counter of commits of the main file that contain only usage; odd during such a commit. */
	ofReports(): number {
		return Atomics.load(this.#counts, places.reports);
	}

	/** Commits usage only. It counts before and after the commit: other threads may see the commit before this thread returns from it. */
	reporting<T>(commit: () => T): T {
		Atomics.add(this.#counts, places.reports, 1);
		try {
			return commit();
		} finally {
			Atomics.add(this.#counts, places.reports, 1);
		}
	}

	/** See `Transactions.changedPlaces`. */
	changedPlaces(): ChangedPlaces {
		let usage = this.of("usage");
		const seen = this.#counts.slice(allPlace);
		return () => {
			const places: number[] = [];
			// This counter changes after the places: most calls find no change and skip the places.
			const current = this.of("usage");
			if (current === usage) return { isAll: false, places };
			usage = current;
			const isAll = this.#counts[allPlace] !== seen[0];
			for (let at = 0; at < seen.length; at += 1) {
				const count = this.#counts[allPlace + at] ?? 0;
				if (count === seen[at]) continue;
				seen[at] = count;
				places.push(allPlace + at);
			}
			return { isAll, places };
		};
	}

	/** Marks customers whose counted usage can be read. */
	counted(customers: Iterable<string> | "all"): void {
		// First of all: a thread that sees the change of a customer reads the file again.
		this.committed("usage");
		if (customers === "all") Atomics.add(this.#counts, allPlace, 1);
		else for (const customerId of customers) Atomics.add(this.#counts, placeOf(customerId), 1);
	}

	/** Counts a commit that is on disk. */
	committed(file: CountedFile): void {
		Atomics.add(this.#counts, places[file], 1);
	}
}
