import { systemActor } from "../areas/access/rules.actors";
import { runElsewhere } from "../areas/privacy/erase-elsewhere";
import { type EraserOptions, EventEraser } from "../areas/usage/erasing/eraser";
import type { Log } from "../http/log";
import { foldBackWhole } from "../kernel/storage/checkpoints";
import type { Transactions } from "../kernel/work";
import { msUntilNext } from "../tasks/operations";
import type { Write } from "../writes";
import { isStopping } from "./entry";
import { JobLoop } from "./job-loop";
import { drainTasks } from "./task-thread";

const types = ["ERASE_EVENTS"] as const;
const queueActor = systemActor("");

export interface ErasingJobOptions extends EraserOptions {
	/** They read the main file. */
	readonly transactions: Transactions;
	readonly write: Write;
	readonly log: Log;
	/** Called before events are erased. */
	readonly onErasure: () => Promise<void>;
}

/** Erases usage events of customers, and at last folds the logs of the files back, in which what was erased still stands. */
export class ErasingJob {
	readonly #options: ErasingJobOptions;
	readonly #eraser: EventEraser;
	readonly #loop: JobLoop;
	#lookedAt: number | undefined;
	#hasReleased = false;

	constructor(options: ErasingJobOptions) {
		this.#options = options;
		this.#eraser = new EventEraser(options);
		this.#loop = new JobLoop(() => this.#run(), options.log.child({ job: "erasing events" }));
	}

	/** To be called often: it looks at the tasks when the main file has changed. */
	look(): void {
		const { transactions } = this.#options;
		const epoch = transactions.epoch();
		if (epoch === this.#lookedAt) return;
		this.#lookedAt = epoch;
		const isWaiting = transactions.read(queueActor, (work) => msUntilNext(work, types)) !== undefined;
		if (isWaiting || !this.#hasReleased) this.#loop.wake();
	}

	stop(): Promise<void> {
		return this.#loop.stop();
	}

	async #run(): Promise<number | undefined> {
		const { transactions, write, log, folder, onErasure } = this.#options;
		// What was claimed when the thread before this one died.
		if (!this.#hasReleased) await write(queueActor, "releaseTasks", types);
		this.#hasReleased = true;
		return await drainTasks(
			transactions,
			types,
			async (task) => {
				await onErasure();
				await runElsewhere({ transactions, write, isStopping }, task, "event_blocks", (customer, place, key) =>
					this.#eraser.step({ ...customer, key }, place),
				);
				if (!isStopping()) await foldBackWhole(folder);
			},
			log,
			write,
		);
	}
}
