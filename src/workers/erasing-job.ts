import { systemActor } from "../areas/access/rules.actors";
import { msUntilNext } from "../tasks/operations";
import type { ErasingOptions, ErasingTasks } from "./erasing-tasks";
import { JobLoop } from "./job-loop";

const types = ["ERASE_EVENTS"] as const;
const queueActor = systemActor("");

/** Erases usage events of customers, and at last folds the logs of the files back, in which what was erased still stands. */
export class ErasingJob {
	readonly #options: ErasingOptions;
	#tasks: Promise<ErasingTasks> | undefined;
	readonly #loop: JobLoop;
	#lookedAt: number | undefined;
	#hasReleased = false;

	constructor(options: ErasingOptions) {
		this.#options = options;
		this.#loop = new JobLoop(() => this.#run(), options.log.child({ job: "erasing events" }));
	}

	/** To be called often: it looks at the tasks when the main file has changed. */
	look(): void {
		const epoch = this.#options.transactions.epoch();
		if (epoch === this.#lookedAt) return;
		this.#lookedAt = epoch;
		if (!this.#hasReleased || this.#isWaiting()) this.#loop.wake();
	}

	stop(): Promise<void> {
		return this.#loop.stop();
	}

	async #run(): Promise<number | undefined> {
		// What was claimed when the thread before this one died.
		if (!this.#hasReleased) await this.#options.write(queueActor, "releaseTasks", types);
		this.#hasReleased = true;
		if (!this.#isWaiting()) return undefined;
		this.#tasks ??= import("./erasing-tasks").then(({ ErasingTasks }) => new ErasingTasks(this.#options));
		return await (await this.#tasks).run(types);
	}

	#isWaiting(): boolean {
		return this.#options.transactions.read(queueActor, (work) => msUntilNext(work, types)) !== undefined;
	}
}
