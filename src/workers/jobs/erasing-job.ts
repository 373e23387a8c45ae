import { systemActor } from "../../areas/access/rules.actors";
import { msUntilNext } from "../../tasks/operations";
import { JobLoop } from "../job-loop";
import type { ErasingOptions, ErasingTasks } from "./erasing-tasks";

const types = ["ERASE_EVENTS"] as const;
const queueActor = systemActor("");

/** Erases usage events of customers, then truncates the write-ahead logs, which still hold the erased data. */
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

	/** Looks at the tasks if the main file has changed since the last call. */
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
		// Releases tasks that a dead thread had claimed.
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
