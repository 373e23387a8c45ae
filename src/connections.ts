import type { Log } from "./http/log";
import { descriptorsUsed } from "./kernel/storage/descriptors";

/** Our choice: what connections leave to files: those that each thread opens, and what SQLite opens for a moment. */
const reserved = 96;

/** Our choice: more connections than this are of no use to one process, whatever the system allows. */
const connectionsMax = 16_384;

/** Our choice: where there are few descriptors they are gone sooner. */
const lookEveryMs = (max: number): number => (max < 4096 ? 100 : 1000);

export interface ConnectionBoundOptions {
	/** How many descriptors the process may have. */
	readonly max: number;
	/** Ends what has begun, then closes every connection. */
	readonly close: () => Promise<void>;
	/** Listens again, on the same port. */
	readonly listen: () => void;
	readonly log: Log;
}

/**
 * Keeps the connections below what the files need. The runtime closes a connection that is idle after a request, but never one
 * that has sent nothing, and has no bound of its own: without descriptors it would end the process. So when there are too
 * many, the port is closed, requests under way are answered, all connections end, and it is opened again.
 */
export class ConnectionBound {
	readonly #options: ConnectionBoundOptions;
	readonly #usedMax: number;
	readonly #looking: ReturnType<typeof setInterval> | undefined;
	#closing: Promise<void> | undefined;
	#isStopped = false;

	constructor(options: ConnectionBoundOptions) {
		this.#options = options;
		this.#usedMax = Math.min(options.max, connectionsMax) - reserved;
		if (Number.isFinite(options.max)) this.#looking = setInterval(() => this.#look(), lookEveryMs(options.max));
	}

	/** Watches no more; what it has begun is ended. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		clearInterval(this.#looking);
		await this.#closing;
	}

	#look(): void {
		if (this.#closing || descriptorsUsed() <= this.#usedMax) return;
		this.#closing = this.#closeAll().finally(() => {
			this.#closing = undefined;
		});
	}

	async #closeAll(): Promise<void> {
		const { max, close, listen, log } = this.#options;
		log.warn({ descriptorsMax: max }, "too many connections: all that are idle are closed");
		await close();
		while (!this.#isStopped) {
			try {
				return listen();
			} catch (error) {
				log.error({ err: error }, "the port cannot be opened again; trying once more in a second");
				await Bun.sleep(1000);
			}
		}
	}
}
