/** The files whose commits other threads are told of, each with its place in the shared memory; and the main file's of usage alone. */
const places = { main: 0, usage: 1, reports: 2 } as const;

export type CountedFile = "main" | "usage";

const counters = Object.keys(places).length;

/**
 * Our choice: 256 KiB of counters for the usage of customers, after those of the files and one for the usage of all. Customers
 * share them: what one has used may have another's answers made anew.
 */
const customersPlaces = 65_536;
const allPlace = counters;
/** Where changes of a customer (its row id) are counted. */
export const placeOf = (customerId: string): number => allPlace + 1 + (Bun.hash.xxHash32(customerId) % customersPlaces);

export type ChangedPlaces = () => {
	/** Whether it may be anybody's: then look at all, at those of the places first. */
	readonly isAll: boolean;
	readonly places: readonly number[];
};

/**
 * How often each file has been committed by this process, in memory that all its threads share: the thread that writes a
 * file counts after the commit and before anybody is answered, so that who got an answer sees what it tells, whichever
 * thread is asked next. What another process commits is not counted here (versions.ts asks SQLite for it).
 */
export class Epochs {
	/** To be sent to other threads, which open it again. */
	readonly memory: SharedArrayBuffer;
	readonly #counts: Int32Array;

	constructor(memory = new SharedArrayBuffer((counters + 1 + customersPlaces) * Int32Array.BYTES_PER_ELEMENT)) {
		this.memory = memory;
		this.#counts = new Int32Array(memory);
	}

	/** The counter wraps around after four thousand million commits: it is only ever compared for being another. */
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

	/** As `of`, of the commits of the main file that hold nothing but usage; odd while one is under way. */
	ofReports(): number {
		return Atomics.load(this.#counts, places.reports);
	}

	/** Commits what is usage alone. It is counted before and after: others may see the commit before this is told that it is done. */
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
			// It is counted after the places are: most looks find nothing, and need not look through them.
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

	/** What was counted for these customers can be read. */
	counted(customers: Iterable<string> | "all"): void {
		// First of all: who sees that a customer's has changed looks at the file again.
		this.committed("usage");
		if (customers === "all") Atomics.add(this.#counts, allPlace, 1);
		else for (const customerId of customers) Atomics.add(this.#counts, placeOf(customerId), 1);
	}

	/** A commit of the file is on disk. */
	committed(file: CountedFile): void {
		Atomics.add(this.#counts, places[file], 1);
	}
}
