import { runElsewhere } from "../../areas/privacy/erase-elsewhere";
import type { Aggregator } from "../../areas/usage/counting/aggregator";
import { type EraserOptions, EventEraser } from "../../areas/usage/erasing/eraser";
import type { Log } from "../../http/log";
import { checkpointTruncate } from "../../kernel/storage/checkpoints";
import type { Transactions } from "../../kernel/work";
import type { Write } from "../../server/writer-calls";
import type { TaskType } from "../../tasks/rules";
import { isStopping } from "../entry";
import { drainTasks } from "../task-thread";

export interface ErasingOptions extends EraserOptions {
	/** They read the main file. */
	readonly aggregator: EraserOptions["aggregator"] & Pick<Aggregator, "rewriteFile">;
	readonly transactions: Transactions;
	readonly write: Write;
	readonly log: Log;
	/** Called before events are erased. */
	readonly onErasure: () => Promise<void>;
}

/** Carries out the tasks that erase usage events. The code is large and rarely needed, so `ErasingJob` loads it for the first task. */
export class ErasingTasks {
	readonly #options: ErasingOptions;
	readonly #eraser: EventEraser;

	constructor(options: ErasingOptions) {
		this.#options = options;
		this.#eraser = new EventEraser(options);
	}

	/** Runs until no task of these types is due. Answers after how many milliseconds the next one is. */
	run(types: readonly TaskType[]): Promise<number | undefined> {
		const { transactions, write, log, folder, aggregator, onErasure } = this.#options;
		return drainTasks(
			transactions,
			types,
			async (task) => {
				await onErasure();
				await runElsewhere(
					{ transactions, write, isStopping },
					task,
					"event_blocks",
					(customer, place, key) => this.#eraser.step({ ...customer, key }, place),
					() => aggregator.rewriteFile(),
				);
				// The write-ahead logs still contain what was erased.
				if (!isStopping()) await checkpointTruncate(folder);
			},
			log,
			write,
		);
	}
}
