import type { Log } from "../http/log";
import { onceHere } from "../kernel/storage/failures";

/** Our choice: what cannot be done now, on a full disk for one, is looked at again so soon. */
const restMs = 1000;

/** One of the writer's jobs: it looks for work when it is woken or its time has come, and does one thing after the other. */
export class JobLoop {
	readonly #run: () => Promise<number | undefined>;
	readonly #log: Log;
	#running: Promise<void> | undefined;
	#isWoken = false;
	#isStopped = false;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** `run` does what there is to do, and answers after how many milliseconds to look again; undefined when nothing waits. */
	constructor(run: () => Promise<number | undefined>, log: Log) {
		this.#run = run;
		this.#log = log;
	}

	wake(): void {
		this.#isWoken = true;
		if (!this.#isStopped) this.#running ??= this.#go();
	}

	/** Resolves when what runs has come to its end. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#running;
	}

	/** What one job fails at ends neither the others nor the requests. */
	async #attempt(): Promise<number | undefined> {
		try {
			return await onceHere(() => this.#run());
		} catch (error) {
			this.#log.error({ err: error, restMs }, "a job failed; it goes on shortly");
			return restMs;
		}
	}

	async #go(): Promise<void> {
		let againMs: number | undefined;
		while (this.#isWoken && !this.#isStopped) {
			this.#isWoken = false;
			clearTimeout(this.#timer);
			againMs = await this.#attempt();
		}
		this.#running = undefined;
		if (againMs !== undefined && !this.#isStopped) this.#timer = setTimeout(() => this.wake(), againMs);
	}
}
