import type { Log } from "../http/log";
import { onceHere } from "../kernel/storage/failures";

/** The pause after a failed run, such as on a full disk. */
const restMs = 1000;

/** A job of a thread: it looks for work when it is woken or its timer fires, and runs one step at a time. */
export class JobLoop {
	readonly #run: () => Promise<number | undefined>;
	readonly #log: Log;
	#running: Promise<void> | undefined;
	#isWoken = false;
	#isStopped = false;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** `run` does the work and returns after how many milliseconds to look again; undefined if nothing waits. */
	constructor(run: () => Promise<number | undefined>, log: Log) {
		this.#run = run;
		this.#log = log;
	}

	wake(): void {
		this.#isWoken = true;
		if (!this.#isStopped) this.#running ??= this.#go();
	}

	/** Resolves when the current run has ended. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#running;
	}

	/** Logs a failure: it ends neither other jobs nor requests. */
	async #attempt(): Promise<number | undefined> {
		try {
			return await onceHere(() => this.#run());
		} catch (error) {
			this.#log.error({ err: error, restMs }, "a job failed; it is tried again shortly");
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
