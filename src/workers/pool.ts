import type { EventIngest } from "../areas/usage/schema.ingest";
import type { Log } from "../http/log";
import { onSuspected } from "../kernel/storage/damage";
import { descriptorsUsed } from "../kernel/storage/descriptors";
import type { Transactions, WorkerName } from "../kernel/work";
import { isAnyClaimed } from "../tasks/operations";
import type { TaskType } from "../tasks/rules";
import { spawnThread } from "../threads";
import { DamageWatch, type DamageWatchOptions } from "./damage-watch";
import { HeartbeatMonitor, Heartbeats, mainHeartbeat } from "./heartbeat";
import { openIngest } from "./ingest-link";
import type { LinkedTo } from "./links";
import { Measuring } from "./measuring";
import type { WorkerSettings } from "./messages";
import { callerOf, Switchboard } from "./switchboard";
import { Thread, type ThreadOptions } from "./thread";
import type { Measured } from "./thread-meter";
import { onDemandTasks, queueActor, WorkWatch } from "./work-watch";
import { WriterClient } from "./writer-client";

export interface PoolOptions {
	/** The settings of all threads. Each thread gets its own place among the heartbeats. */
	readonly settings: Omit<WorkerSettings, "heartbeats" | "heartbeat">;
	readonly log: Log;
	/** Called when the disk did not confirm a commit of a thread. */
	readonly onUnconfirmed: (cause: string) => void;
	/** Called for a damaged file that a new start rebuilds. */
	readonly onDamaged: DamageWatchOptions["onDamaged"];
	/** The meter of the main thread; omitted if no metrics are served. */
	readonly measured?: Measured | undefined;
	/** The number of files and connections that the process may have open. */
	readonly descriptorsMax: number;
}

/** An on-demand thread ends after this time without work, and its memory is released. */
const idleMs = 60_000;

/** Twice the descriptors that a thread opens. */
const threadDescriptors = 32;

/**
 * With fewer descriptors every thread starts at once and stays. None has to open its files later, when connections may
 * have used all descriptors.
 */
const fewDescriptors = 4096;

/**
 * The threads of the service. The writer, the ingester and the aggregator always run, and as many further HTTP threads as are set. The
 * renderer, the deliverer and the collector run while there is work.
 */
export class Pool {
	/** The main thread's links to the threads that write. */
	readonly writer = new WriterClient();
	readonly events: EventIngest;
	readonly #options: PoolOptions;
	readonly #log: Log;
	readonly #heartbeats = new Heartbeats();
	readonly #watch: HeartbeatMonitor;
	readonly #damage: DamageWatch;
	readonly #switchboard = new Switchboard();
	readonly #always: Readonly<Record<"writer" | "ingester" | "aggregator", Thread>>;
	/** The threads that run while they have work. */
	readonly #onDemand: Readonly<Record<keyof typeof onDemandTasks, Thread>>;
	readonly #http: readonly Thread[];
	/** Serves the metrics, if a port is set. */
	readonly #monitor: Thread | undefined;
	/** Makes scheduled backups, if they are set. */
	readonly #backups: Thread | undefined;
	readonly #measuring: Measuring | undefined;
	/** The threads that answer at once, by name. */
	readonly threads = new Map<string, Thread>();
	#work: WorkWatch | undefined;
	#port: number | undefined;
	#sentState: string | undefined;
	#lastHeartbeat = mainHeartbeat;
	readonly #allStay: boolean;
	#stopBeating: () => void = () => {};
	#isStopped = false;

	constructor(options: PoolOptions) {
		const { settings, log, descriptorsMax, measured } = options;
		const meter = measured?.meter;
		this.#options = options;
		this.#log = log;
		this.#allStay = descriptorsMax < fewDescriptors;
		this.#watch = new HeartbeatMonitor(this.#heartbeats, log, (thread) =>
			meter?.counter("tollgate_thread_stalls_total", { thread }).add(),
		);
		this.#damage = new DamageWatch({ folder: settings.folder, log, onDamaged: options.onDamaged });
		onSuspected(this.#damage.suspect);
		this.#always = {
			writer: this.#makeCalled("writer", ["ingester"]),
			ingester: this.#makeCalled("ingester", []),
			aggregator: this.#make("aggregator", spawnThread.aggregator, ["writer", "ingester"]),
		};
		this.#onDemand = {
			renderer: this.#makeOnDemand("renderer"),
			deliverer: this.#makeOnDemand("deliverer"),
			collector: this.#makeOnDemand("collector"),
		};
		this.#http = Array.from({ length: settings.http.threads - 1 }, (_, at) => this.#makeServing(`http-${at + 2}`));
		meter?.read("tollgate_due_oldest_seconds", {}, () => this.#work?.secondsLate() ?? 0);
		this.#measuring = meter && new Measuring(meter, this.threads);
		this.#monitor = meter && this.#makeMonitor();
		this.#backups = settings.backups && this.#make("backups", spawnThread.backups, [], { isBlocking: true });
		const { link, events } = openIngest();
		this.events = events;
		const links = { writer: this.writer.link, ingester: link };
		this.#switchboard.add({
			calls: ["writer", "ingester"],
			link: (to, port) => links[to].connect(port),
			unlink: (to) => links[to].disconnect(),
		});
	}

	/** Makes a thread with links to the threads named. */
	#make(name: string, spawn: () => Worker, calls: readonly LinkedTo[], more: Partial<ThreadOptions> = {}): Thread {
		const { settings, log, onUnconfirmed, descriptorsMax } = this.#options;
		this.#lastHeartbeat += 1;
		const heartbeat = this.#lastHeartbeat;
		const thread: Thread = new Thread({
			name,
			spawn,
			settings: { ...settings, heartbeats: this.#heartbeats.memory, heartbeat },
			log,
			onUnconfirmed,
			onSuspected: this.#damage.suspect,
			mayStart: () => !Number.isFinite(descriptorsMax) || descriptorsUsed() + threadDescriptors <= descriptorsMax,
			onWake: (worker) => this.wake(worker),
			onDue: (at) => this.#work?.setDue(at),
			...more,
			onSpawn: () => {
				this.#switchboard.add(caller);
				more.onSpawn?.();
			},
			onReady: () => {
				if (!more.isBlocking) this.#watch.watch(name, heartbeat);
				more.onReady?.();
			},
			onDeath: () => {
				this.#options.measured?.meter.counter("tollgate_thread_deaths_total", { thread: name }).add();
				more.onDeath?.();
			},
			onEnd: () => {
				this.#measuring?.ended(name);
				this.#watch.leave(name);
				this.#switchboard.remove(caller);
			},
		});
		const caller = callerOf(thread, calls);
		// A thread that may block for minutes would look as if it hung.
		if (!more.isBlocking) this.threads.set(name, thread);
		return thread;
	}

	#makeCalled(name: LinkedTo, calls: readonly LinkedTo[]): Thread {
		const thread: Thread = this.#make(name, spawnThread[name], calls, {
			onSpawn: () => this.#switchboard.spawned(name, thread),
			onDeath: () => this.#switchboard.died(name),
		});
		return thread;
	}

	#makeOnDemand(name: keyof typeof onDemandTasks): Thread {
		return this.#make(name, spawnThread[name], ["writer"], {
			...(this.#allStay ? {} : { idleMs }),
			onDeath: () => void this.#release(onDemandTasks[name]),
		});
	}

	#makeServing(name: string): Thread {
		const thread: Thread = this.#make(name, spawnThread.http, ["writer", "ingester"], {
			onReady: () => {
				// The new thread has not received the state.
				this.#sentState = undefined;
				if (this.#port !== undefined) thread.tell({ kind: "listen", port: this.#port });
			},
		});
		return thread;
	}

	#makeMonitor(): Thread {
		const thread: Thread = this.#make("monitor", spawnThread.monitor, [], {
			onCollect: () => void this.#measuring?.collect().then((figures) => thread.tell({ kind: "collected", figures })),
		});
		return thread;
	}

	/** Makes the threads load their modules, before there is a folder that they can open. */
	load(): void {
		for (const thread of [...Object.values(this.#always), ...this.#http]) thread.load();
	}

	/**
	 * Starts the threads. Resolves when they can be called and the totals have caught up with the log: they are never behind after a
	 * restart (docs/interface/usage.md). First it releases the tasks that on-demand threads of the last process had claimed; the writer
	 * does that for its own tasks.
	 */
	async start(transactions: Transactions): Promise<void> {
		const threads = [...Object.values(this.#always), ...this.#http];
		const started = Promise.all(threads.map((thread) => thread.start()));
		const onDemand = Object.values(onDemandTasks).flat();
		if (transactions.read(queueActor, (work) => isAnyClaimed(work, onDemand))) await this.#release(onDemand);
		if (this.#isStopped) return;
		if (this.#allStay) await Promise.all(Object.values(this.#onDemand).map((thread) => thread.start()));
		const { log, settings } = this.#options;
		const work = new WorkWatch({
			...{ transactions, log, webhooksKeepDays: settings.webhooksKeepDays },
			wake: (worker) => this.wake(worker),
			onLook: () => this.#sendState(),
		});
		this.#work = work;
		work.start();
		await started;
		if (this.#isStopped) return;
		// No caller of the API waits for it.
		void this.#monitor?.start();
		void this.#backups?.start();
		// From then on the main thread does nothing that takes long.
		this.#stopBeating = this.#heartbeats.beat(mainHeartbeat, this.#options.measured?.onBeat);
		work.startBilling();
		this.#sendState();
	}

	wake(worker: WorkerName): void {
		switch (worker) {
			case "renderer":
			case "deliverer":
			case "collector":
				this.#onDemand[worker].wake();
				break;
			case "aggregator":
				this.#always.aggregator.wake();
				break;
			default:
				this.#always.writer.wake(worker);
		}
	}

	/** The threads that must be up and are not. */
	notReady(): string[] {
		const http = this.#http.map((thread, at) => [`http-${at + 2}`, thread] as const);
		return [...Object.entries(this.#always), ...http].flatMap(([name, thread]) => (thread.isReady ? [] : [name]));
	}

	/** Lets the further HTTP threads open this port too. */
	listen(port: number): void {
		this.#port = port;
		for (const thread of this.#http) thread.tell({ kind: "listen", port });
	}

	/** Closes the port of the further HTTP threads once their started requests are answered. */
	async close(): Promise<void> {
		this.#port = undefined;
		await Promise.all(this.#http.map((thread) => thread.close()));
	}

	/**
	 * Stops callers before the threads that they call: HTTP threads and on-demand threads, the writer with its jobs, then the ingester, so
	 * that the aggregator counts the last events.
	 */
	async stop(): Promise<void> {
		this.#isStopped = true;
		this.#work?.stop();
		const callers = [
			...this.#http,
			...Object.values(this.#onDemand),
			...[this.#monitor, this.#backups].filter((thread) => thread !== undefined),
		];
		await Promise.all(callers.map((thread) => thread.end()));
		for (const name of ["writer", "ingester"] as const) {
			await this.#always[name].end();
			// The aggregator would wait for an answer to a call that arrived too late.
			this.#switchboard.died(name);
		}
		await this.#always.aggregator.end();
		this.#watch.stop();
		this.#damage.stop();
		this.#stopBeating();
	}

	/** Sends the state to the HTTP threads: `/readyz` answers the same on each of them. */
	#sendState(): void {
		const notReady = this.notReady();
		if (this.#sentState === notReady.join()) return;
		this.#sentState = notReady.join();
		for (const thread of this.#http) thread.tell({ kind: "state", notReady });
	}

	/** Puts the tasks that a dead thread had claimed back into the queue. */
	async #release(tasks: readonly TaskType[]): Promise<void> {
		if (tasks.length === 0) return;
		try {
			await this.writer.write(queueActor, "releaseTasks", tasks);
		} catch (error) {
			this.#log.error({ err: error, tasks }, "the tasks of a thread that died are tried again at the next start");
		}
	}
}
