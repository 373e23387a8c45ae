import type { Log } from "../http/log";
import type { ReplaceableFile } from "../kernel/storage/damage";
import type { WorkerName } from "../kernel/work";
import type { FromWorker, ToWorker, WorkerSettings } from "./messages";

export interface ThreadOptions {
	readonly name: string;
	/** Makes the thread (threads.ts). */
	readonly spawn: () => Worker;
	readonly settings: WorkerSettings;
	readonly log: Log;
	/** Called when a thread died of an uncaught error, before the next one starts. */
	readonly onDeath?: () => void;
	/** Called when a thread was made, before it has opened its files: it hears what it is told once it has. */
	readonly onSpawn?: () => void;
	readonly onReady?: () => void;
	/** Called when a thread is no more, or about to be ended, whatever the reason. */
	readonly onEnd?: () => void;
	/** Something is committed that another thread should look at. */
	readonly onWake?: (worker: WorkerName) => void;
	/** The thread has met a disk that did not confirm a commit. */
	readonly onUnconfirmed?: (cause: string) => void;
	/** The thread has met damage that may be in these files. */
	readonly onSuspected?: (files: readonly ReplaceableFile[]) => void;
	/** Whether there is room for what it opens; a thread that were started without would end the process. */
	readonly mayStart?: () => boolean;
	/** Ends the thread when it has had nothing to do for so long; the next wake starts it again. */
	readonly idleMs?: number;
}

/** Our choice: a thread that dies at once is started again after a pause that doubles up to this. */
const respawnPauseMaxMs = 5_000;

/** How long a stop waits for a thread to finish what it has begun. */
const stopMs = 10_000;

/** One worker thread, kept alive: started when asked, restarted when it dies, drained when it is stopped. */
export class Thread {
	readonly #options: ThreadOptions;
	#worker: Worker | undefined;
	#ready: PromiseWithResolvers<void> = Promise.withResolvers();
	#stopping: PromiseWithResolvers<void> | undefined;
	#closing: PromiseWithResolvers<void> | undefined;
	/** Whether the thread may open its files. */
	#isStarted = false;
	#isReady = false;
	#deaths = 0;
	#idleTimer: ReturnType<typeof setTimeout> | undefined;
	#startTimer: ReturnType<typeof setTimeout> | undefined;
	#wokenAtStop = false;

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

	/** Tells the thread to look for work, or for one kind of it; starts it when it does not run. */
	wake(worker?: WorkerName): void {
		clearTimeout(this.#idleTimer);
		if (this.#stopping) this.#wokenAtStop = true;
		else if (this.#isStarted) this.#post(worker === undefined ? { kind: "wake" } : { kind: "wake", worker });
		else if (this.#spawn()) this.#post({ kind: "wake" });
	}

	/** Messages keep their order. False when there is no thread to take it. */
	tell(message: ToWorker): boolean {
		if (!this.#isStarted || this.#stopping) return false;
		this.#post(message);
		return true;
	}

	/** For a thread that serves: takes no new connection, and resolves when what has begun is answered. */
	async close(): Promise<void> {
		if (!this.#isReady) return;
		this.#closing ??= Promise.withResolvers();
		this.tell({ kind: "close" });
		await this.#closing.promise;
	}

	/** Lets the thread finish what it has begun, then ends it. */
	async stop(): Promise<void> {
		clearTimeout(this.#idleTimer);
		clearTimeout(this.#startTimer);
		if (!this.#worker) return;
		this.#stopping ??= Promise.withResolvers();
		this.#wokenAtStop = false;
		this.#post({ kind: "stop" });
		const giveUp = setTimeout(() => this.#stopping?.resolve(), stopMs);
		await this.#stopping.promise;
		clearTimeout(giveUp);
		this.#end();
		this.#stopping = undefined;
	}

	#post(message: ToWorker): void {
		this.#worker?.postMessage(message, "port" in message && typeof message.port === "object" ? [message.port] : []);
	}

	/** Returns whether the thread could be started. */
	#spawn(): boolean {
		clearTimeout(this.#startTimer);
		const { name, settings, log, mayStart = () => true } = this.#options;
		if (!mayStart()) {
			log.error({ worker: name, pauseMs: this.#startLater() }, "too few descriptors to start a worker; trying again");
			return false;
		}
		this.#worker ??= this.#makeWorker();
		this.#isStarted = true;
		this.#post({ kind: "start", settings });
		this.#options.onSpawn?.();
		return true;
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
			case "closed":
				this.#closing?.resolve();
				this.#closing = undefined;
				break;
			case "wake":
				this.#options.onWake?.(message.worker);
				break;
		}
	}

	#rest(): void {
		const { idleMs } = this.#options;
		// A thread may say so while it is being stopped; a timer would then keep the process alive.
		if (idleMs === undefined || this.#stopping) return;
		clearTimeout(this.#idleTimer);
		this.#idleTimer = setTimeout(async () => {
			await this.stop();
			// Work that came while the thread was ending would otherwise wait for the next wake.
			if (this.#wokenAtStop) this.wake();
		}, idleMs);
	}

	#die(worker: Worker, message: string): void {
		// A death is reported by two events; a stop is no death.
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

	/** After a pause that doubles until it is ready; answers the pause. */
	#startLater(): number {
		const pauseMs = Math.min(respawnPauseMaxMs, 50 * 2 ** this.#deaths);
		this.#deaths += 1;
		this.#startTimer = setTimeout(() => this.wake(), pauseMs);
		return pauseMs;
	}

	#end(): void {
		const worker = this.#worker;
		this.#worker = undefined;
		this.#isStarted = false;
		this.#options.onEnd?.();
		// Who waits for a thread that died before it was ready goes on waiting for the next one.
		if (this.#isReady) this.#ready = Promise.withResolvers();
		this.#isReady = false;
		this.#closing?.resolve();
		this.#closing = undefined;
		worker?.terminate();
	}
}
