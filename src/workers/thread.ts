import type { Log } from "../http/log";
import type { Instant } from "../kernel/clock";
import type { Figure } from "../kernel/metrics/meter";
import type { ReplaceableFile } from "../kernel/storage/damage";
import type { WorkerName } from "../kernel/work";
import type { Inspected, InspectionOrder } from "./inspection";
import type { FromWorker, ToWorker, WorkerSettings } from "./messages";

export interface ThreadOptions {
	readonly name: string;
	/** Makes the thread (threads.ts). */
	readonly spawn: () => Worker;
	readonly settings: WorkerSettings;
	readonly log: Log;
	/** Called when a thread died of an uncaught error, before the next one starts. */
	readonly onDeath?: () => void;
	/** Called when the thread was started. It receives messages once it has opened its files. */
	readonly onSpawn?: () => void;
	readonly onReady?: () => void;
	/** Called when a thread has ended or is about to, for any reason. */
	readonly onEnd?: () => void;
	/** Called when a commit has work for another thread. */
	readonly onWake?: (worker: WorkerName) => void;
	/** Called with the time of the next due step. */
	readonly onDue?: (at: Instant | undefined) => void;
	/** Called when the disk did not confirm a commit of the thread. */
	readonly onUnconfirmed?: (cause: string) => void;
	/** Called when the thread met damage that may be in these files. */
	readonly onSuspected?: (files: readonly ReplaceableFile[]) => void;
	/** Called when the thread asks for the figures of all threads. */
	readonly onCollect?: () => void;
	/** Whether there are descriptors for the files of the thread. Without them, a start would end the process. */
	readonly mayStart?: () => boolean;
	/** Whether the thread may block for minutes. Nothing waits for it, and nobody measures its delay. */
	readonly isBlocking?: boolean;
	/** Ends the thread after this time without work. The next wake starts it again. */
	readonly idleMs?: number;
}

/** The longest pause before a restart. The pause doubles while the thread dies at once. */
const respawnPauseMaxMs = 5_000;

/** The time that a stop waits for a thread to finish its work. */
const stopMs = 10_000;

/** A supervised worker thread: started on request, restarted when it dies, drained when it is stopped. */
export class Thread {
	readonly #options: ThreadOptions;
	#worker: Worker | undefined;
	#ready: PromiseWithResolvers<void> = Promise.withResolvers();
	#stopping: PromiseWithResolvers<void> | undefined;
	#closing: PromiseWithResolvers<void> | undefined;
	#measuring: PromiseWithResolvers<readonly Figure[] | undefined> | undefined;
	#inspecting: PromiseWithResolvers<Inspected | undefined> | undefined;
	/** Whether the thread may open its files. */
	#isStarted = false;
	#isReady = false;
	#deaths = 0;
	#idleTimer: ReturnType<typeof setTimeout> | undefined;
	#startTimer: ReturnType<typeof setTimeout> | undefined;
	#wokenAtStop = false;
	#isEnded = false;

	constructor(options: ThreadOptions) {
		this.#options = options;
	}

	get isReady(): boolean {
		return this.#isReady;
	}

	/** Makes the thread load its modules, before the caller has the folder that `start` lets it open. */
	load(): void {
		this.#worker ??= this.#makeWorker();
	}

	/** Resolves when the thread has opened its files. */
	start(): Promise<void> {
		if (!this.#isStarted && !this.#stopping) this.#spawn();
		return this.#ready.promise;
	}

	/** Makes the thread look for work, or for the work of one job. Starts it if it does not run. */
	wake(worker?: WorkerName): void {
		clearTimeout(this.#idleTimer);
		if (this.#stopping) this.#wokenAtStop = true;
		else if (this.#isStarted) this.#post(worker === undefined ? { kind: "wake" } : { kind: "wake", worker });
		else this.#spawn();
	}

	/** Sends a message; messages keep their order. Returns false if there is no thread to receive it. */
	tell(message: ToWorker): boolean {
		if (!this.#isStarted || this.#stopping) return false;
		this.#post(message);
		return true;
	}

	/** Closes the port of an HTTP thread. Resolves when its started requests are answered. */
	async close(): Promise<void> {
		if (!this.#isReady) return;
		this.#closing ??= Promise.withResolvers();
		this.tell({ kind: "close" });
		await this.#closing.promise;
	}

	/** Returns what the thread has counted; undefined if it ends before it answers. */
	measure(): Promise<readonly Figure[] | undefined> {
		if (!this.tell({ kind: "measure" })) return Promise.resolve(undefined);
		this.#measuring ??= Promise.withResolvers();
		return this.#measuring.promise;
	}

	/** Makes the thread profile itself or describe its memory, one order at a time. Returns undefined if it ends before it answers. */
	inspect(order: InspectionOrder): Promise<Inspected | undefined> {
		if (!this.tell({ kind: "inspect", order })) return Promise.resolve(undefined);
		this.#inspecting = Promise.withResolvers();
		return this.#inspecting.promise;
	}

	/** Stops the thread for good: a wake that arrives later does not start it again. */
	end(): Promise<void> {
		this.#isEnded = true;
		return this.stop();
	}

	/** Lets the thread finish its work, then ends it. The next wake starts it again. */
	async stop(): Promise<void> {
		clearTimeout(this.#idleTimer);
		clearTimeout(this.#startTimer);
		if (!this.#worker) return;
		this.#stopping ??= Promise.withResolvers();
		this.#wokenAtStop = false;
		this.#post({ kind: "stop" });
		const timeout = setTimeout(() => this.#stopping?.resolve(), stopMs);
		await this.#stopping.promise;
		clearTimeout(timeout);
		this.#end();
		this.#stopping = undefined;
	}

	#post(message: ToWorker): void {
		this.#worker?.postMessage(message, "port" in message && typeof message.port === "object" ? [message.port] : []);
	}

	#spawn(): void {
		clearTimeout(this.#startTimer);
		if (this.#isEnded) return;
		const { name, settings, log, mayStart = () => true } = this.#options;
		if (!mayStart()) {
			log.error({ worker: name, pauseMs: this.#startLater() }, "too few descriptors to start a worker; trying again");
			return;
		}
		this.#worker ??= this.#makeWorker();
		this.#isStarted = true;
		this.#post({ kind: "start", settings });
		this.#options.onSpawn?.();
		// The thread has its links by then.
		this.#post({ kind: "wake" });
	}

	#makeWorker(): Worker {
		const worker = this.#options.spawn();
		worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
		worker.onerror = ({ message }) => this.#die(worker, message);
		worker.addEventListener("close", () => this.#die(worker, "closed"));
		return worker;
	}

	#hear(message: FromWorker): void {
		switch (message.kind) {
			case "ready":
				this.#isReady = true;
				this.#deaths = 0;
				this.#ready.resolve();
				this.#options.onReady?.();
				break;
			case "idle":
				this.#rest();
				break;
			case "stopped":
				this.#stopping?.resolve();
				break;
			case "unconfirmed":
				this.#options.onUnconfirmed?.(message.cause);
				break;
			case "suspect":
				this.#options.onSuspected?.(message.files);
				break;
			case "measured":
				this.#measuring?.resolve(message.figures);
				this.#measuring = undefined;
				break;
			case "inspected":
				this.#inspecting?.resolve(message.inspected);
				break;
			case "collect":
				this.#options.onCollect?.();
				break;
			case "closed":
				this.#closing?.resolve();
				this.#closing = undefined;
				break;
			case "wake":
				this.#options.onWake?.(message.worker);
				break;
			case "due":
				this.#options.onDue?.(message.at);
				break;
		}
	}

	#rest(): void {
		const { idleMs } = this.#options;
		// A thread may report idleness while it is being stopped. A timer would then keep the process alive.
		if (idleMs === undefined || this.#stopping) return;
		clearTimeout(this.#idleTimer);
		this.#idleTimer = setTimeout(async () => {
			await this.stop();
			// Work that arrived while the thread was ending would otherwise wait for the next wake.
			if (this.#wokenAtStop) this.wake();
		}, idleMs);
	}

	#die(worker: Worker, message: string): void {
		// Two events report a death. A stop is not a death.
		if (worker !== this.#worker) return;
		if (this.#stopping) {
			this.#stopping.resolve();
			return;
		}
		// `start` makes another one, which fails in the same way if the modules cannot be loaded.
		if (!this.#isStarted) {
			this.#worker = undefined;
			return;
		}
		this.#end();
		const { name, log, onDeath } = this.#options;
		log.error({ worker: name, message, pauseMs: this.#startLater() }, "worker died; starting another");
		onDeath?.();
	}

	/** Starts the thread after a pause, which it returns. The pause doubles until a thread is ready. */
	#startLater(): number {
		const pauseMs = Math.min(respawnPauseMaxMs, 50 * 2 ** this.#deaths);
		this.#deaths += 1;
		this.#startTimer = setTimeout(() => void this.start(), pauseMs);
		return pauseMs;
	}

	#end(): void {
		const worker = this.#worker;
		this.#worker = undefined;
		this.#isStarted = false;
		this.#options.onEnd?.();
		// Callers that wait for a thread that died before it was ready wait for the next one.
		if (this.#isReady) this.#ready = Promise.withResolvers();
		this.#isReady = false;
		this.#closing?.resolve();
		this.#closing = undefined;
		this.#measuring?.resolve(undefined);
		this.#measuring = undefined;
		this.#inspecting?.resolve(undefined);
		worker?.terminate();
	}
}
