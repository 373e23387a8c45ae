import type { Database as SqliteFile } from "bun:sqlite";
import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import type { Clock } from "../../src/kernel/clock";
import { closeAtEndOfFile } from "./folders";

export interface CountingOptions {
	/** The data folder. */
	readonly folder: string;
	readonly clock: Clock;
	/** A connection of the folder. */
	readonly sqlite: SqliteFile;
}

/** Counts the usage of a world without a thread. It keeps its aggregator: to open one takes longer than to count. */
export class Counting {
	readonly #options: CountingOptions;
	#aggregator: Aggregator | undefined;
	/** The state of the totals after the last run. */
	#left = "";

	constructor(options: CountingOptions) {
		this.#options = options;
	}

	run(): void {
		// An aggregator that the test has opened itself has counted meanwhile, or the totals were restored.
		if (this.#aggregator && this.#state() !== this.#left) {
			this.#aggregator.close();
			this.#aggregator = undefined;
		}
		this.#aggregator ??= this.#open();
		this.#aggregator.run();
		this.#left = this.#state();
	}

	#open(): Aggregator {
		const { folder, clock } = this.#options;
		const aggregator = new Aggregator({ folder, clock });
		closeAtEndOfFile(aggregator);
		return aggregator;
	}

	#state(): string {
		return JSON.stringify(this.#options.sqlite.query("SELECT * FROM usage.usage_cursor").all());
	}
}
