import type { Log } from "./http/log";
import { descriptorsUsed } from "./kernel/storage/descriptors";

/** The descriptors for files: those of each thread, and those that SQLite opens for a moment. */
const reserved = 96;

/** One process cannot use more connections, whatever the system allows. */
const connectionsMax = 16_384;

/** Few descriptors are used up sooner, so they are counted more often. */
const lookEveryMs = (max: number): number => (max < 4096 ? 100 : 1000);

export interface ConnectionBoundOptions {
	/** The number of descriptors that the process may have. */
	readonly max: number;
	/** Answers started requests, then closes every connection. */
	readonly close: () => Promise<void>;
	/** Listens again, on the same port. */
	readonly listen: () => void;
	readonly log: Log;
}

/**
 * Bounds the number of connections, so that descriptors remain for files. The runtime closes a connection that is idle after a request,
 * but never one that has sent nothing, and has no limit of its own: without descriptors it would end the process. If there are too many
 * connections, Tollgate closes the port, answers started requests, closes all connections and opens the port again.
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

	/** Stops watching. Resolves when a closing in progress has ended. */
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
		log.warn({ descriptorsMax: max }, "too many connections: closing all of them");
		await close();
		while (!this.#isStopped) {
			try {
				return listen();
			} catch (error) {
				log.error({ err: error }, "the port cannot be opened again; trying again in a second");
				await Bun.sleep(1000);
			}
		}
	}
}
