import { systemActor } from "../areas/access/rules.actors";
import type { EventIngest } from "../areas/usage/ingest/schema";
import { isAnyActive, isAnyForgettable } from "../areas/webhooks/operations";
import { nextDueByItself } from "../clocks/catch-up";
import type { Log } from "../http/log";
import type { Instant } from "../kernel/clock";
import { descriptorsUsed } from "../kernel/storage/descriptors";
import type { Transactions, WorkerName } from "../kernel/work";
import { msUntilNext } from "../tasks/operations";
import { type TaskType, taskTypes } from "../tasks/rules";
import { spawnThread } from "../threads";
import { openIngest } from "./ingest-link";
import type { LinkedTo } from "./links";
import type { WorkerSettings } from "./messages";
import { mainPulse, Pulses, PulseWatch } from "./pulse";
import { callerOf, Switchboard } from "./switchboard";
import { Thread, type ThreadOptions } from "./thread";
import { WriterClient } from "./writer-client";

export interface PoolOptions {
	/** They read. */
	readonly transactions: Transactions;
	/** What all threads are told; each gets its own place among the pulses. */
	readonly settings: Omit<WorkerSettings, "pulses" | "pulse">;
	readonly log: Log;
	/** A thread has met a disk that did not confirm a commit. */
	readonly onUnconfirmed: (cause: string) => void;
	/** How many files and connections the process may have open. */
	readonly descriptorsMax: number;
}

/** A thread that is there only while there is work gives its memory back when it has had nothing to do for a minute. */
const idleMs = 60_000;

/** Our choice: what a thread opens, and as much again. */
const threadDescriptors = 32;

/**
 * Our choice: with fewer descriptors every thread is started at once and stays, so that none has to open its files when
 * connections have taken what there was.
 */
const fewDescriptors = 4096;

/** Our choice: how soon a task or a due time is seen that another thread or process has set, such as the command line. */
const lookMs = 1000;

/** Our choice: how often what is past is forgotten. */
const purgeEveryMs = 15 * 60_000;

/** Our choice: the machine's clock and a running time that differ by more than this between two looks: it was set. */
const clockJumpMinMs = 5_000;

/** The tasks that a thread of their own works off; those of the writer look after themselves. */
const tasksOf = (worker: (typeof taskTypes)[TaskType]["worker"]): TaskType[] =>
	(Object.keys(taskTypes) as TaskType[]).filter((type) => taskTypes[type].worker === worker);
const onDemandTasks = { renderer: tasksOf("renderer"), deliverer: tasksOf("deliverer") } as const;
const writerTasks = tasksOf("importer");

const queueActor = systemActor("");

/**
 * The service's threads: the writers of main.db, of the event log and of the totals always, those that serve beside the main
 * one as many as are set, the renderer and the deliverer while there is work.
 */
export class Pool {
	/** The main thread's ways to those that write. */
	readonly writer = new WriterClient();
	readonly events: EventIngest;
	readonly #options: PoolOptions;
	readonly #transactions: Transactions;
	readonly #log: Log;
	readonly #pulses = new Pulses();
	readonly #watch: PulseWatch;
	readonly #switchboard = new Switchboard();
	readonly #always: Readonly<Record<"writer" | "ingester" | "aggregator", Thread>>;
	/** There while there is work for them. */
	readonly #onDemand: Readonly<Record<keyof typeof onDemandTasks, Thread>>;
	readonly #http: readonly Thread[];
	#port: number | undefined;
	#looking: ReturnType<typeof setInterval> | undefined;
	#purging: ReturnType<typeof setInterval> | undefined;
	/** The machine's time less the time that the process has run, as of the last look: constant, unless the clock is set. */
	#clockOffset: number | undefined;
	#lookedAt: number | undefined;
	/** When the next step of an environment on the wall clock is due, as of the last look. */
	#dueAt: Instant | undefined;
	#alarm: ReturnType<typeof setTimeout> | undefined;
	#isStarted = false;
	#told: string | undefined;
	#lastPulse = mainPulse;
	readonly #allStay: boolean;
	#stopBeating: () => void = () => {};

	constructor(options: PoolOptions) {
		const { transactions, settings, log, descriptorsMax } = options;
		this.#options = options;
		this.#transactions = transactions;
		this.#log = log;
		this.#allStay = descriptorsMax < fewDescriptors;
		this.#watch = new PulseWatch(this.#pulses, log);
		this.#always = {
			writer: this.#makeCalled("writer", ["ingester"]),
			ingester: this.#makeCalled("ingester", []),
			aggregator: this.#make("aggregator", spawnThread.aggregator, ["writer", "ingester"]),
		};
		this.#onDemand = {
			renderer: this.#makeOnDemand("renderer"),
			deliverer: this.#makeOnDemand("deliverer"),
		};
		this.#http = Array.from({ length: settings.http.threads - 1 }, (_, at) => this.#makeServing(`http-${at + 2}`));
		const { link, events } = openIngest();
		this.events = events;
		const links = { writer: this.writer.link, ingester: link };
		this.#switchboard.add({
			calls: ["writer", "ingester"],
			link: (to, port) => links[to].connect(port),
			unlink: (to) => links[to].disconnect(),
		});
	}

	/** A thread that calls the others named, once it is started. */
	#make(name: string, spawn: () => Worker, calls: readonly LinkedTo[], more: Partial<ThreadOptions> = {}): Thread {
		const { settings, log, onUnconfirmed, descriptorsMax } = this.#options;
		this.#lastPulse += 1;
		const pulse = this.#lastPulse;
		const thread: Thread = new Thread({
			name,
			spawn,
			settings: { ...settings, pulses: this.#pulses.memory, pulse },
			log,
			onUnconfirmed,
			mayStart: () => !Number.isFinite(descriptorsMax) || descriptorsUsed() + threadDescriptors <= descriptorsMax,
			onWake: (worker) => this.wake(worker),
			...more,
			onSpawn: () => {
				this.#switchboard.add(caller);
				more.onSpawn?.();
			},
			onReady: () => {
				this.#watch.watch(name, pulse);
				more.onReady?.();
			},
			onEnd: () => {
				this.#watch.leave(name);
				this.#switchboard.remove(caller);
			},
		});
		const caller = callerOf(thread, calls);
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
				// It knows nothing yet of what the others have been told.
				this.#told = undefined;
				if (this.#port !== undefined) thread.tell({ kind: "listen", port: this.#port });
			},
		});
		return thread;
	}

	/**
	 * Starts the threads. Resolves when they can be called, and the totals have caught up with the log: they are never behind
	 * after a restart (docs/interface/usage.md). What threads that come and go had claimed when the last process ended goes back
	 * into the queue before they are there; the writer does that for its own tasks.
	 */
	async start(): Promise<void> {
		const threads = [...Object.values(this.#always), ...this.#http];
		const started = Promise.all(threads.map((thread) => thread.start()));
		await this.#release(Object.values(onDemandTasks).flat());
		if (this.#allStay) await Promise.all(Object.values(this.#onDemand).map((thread) => thread.start()));
		this.#look();
		this.#looking = setInterval(() => this.#look(), lookMs);
		this.#purging = setInterval(() => this.#wakePurge(), purgeEveryMs);
		await started;
		// From now on it does nothing that takes long.
		this.#stopBeating = this.#pulses.beat(mainPulse);
		// What is due is billed by totals that have caught up.
		this.#isStarted = true;
		this.#setAlarm();
		this.#tellState();
	}

	wake(worker: WorkerName): void {
		switch (worker) {
			case "renderer":
			case "deliverer":
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

	/** The further threads that serve open this port too. */
	listen(port: number): void {
		this.#port = port;
		for (const thread of this.#http) thread.tell({ kind: "listen", port });
	}

	/** They close it once what has begun there is answered. */
	async close(): Promise<void> {
		this.#port = undefined;
		await Promise.all(this.#http.map((thread) => thread.close()));
	}

	/**
	 * Who calls goes before who is called: threads that serve, those that come and go, the writer with its jobs, then the event log's
	 * writer, so that the aggregator counts what that wrote last.
	 */
	async stop(): Promise<void> {
		clearInterval(this.#looking);
		clearInterval(this.#purging);
		clearTimeout(this.#alarm);
		this.#isStarted = false;
		const { writer, ingester, aggregator } = this.#always;
		await Promise.all([...this.#http, ...Object.values(this.#onDemand)].map((thread) => thread.stop()));
		for (const thread of [writer, ingester, aggregator]) await thread.stop();
		this.#switchboard.died("writer");
		this.#switchboard.died("ingester");
		this.#watch.stop();
		this.#stopBeating();
	}

	/** Wakes who has something to do, or will have soon. Asks again when the main file has changed since the last look. */
	#look(): void {
		this.#watchClock();
		const epoch = this.#transactions.epoch();
		if (epoch !== this.#lookedAt) {
			this.#lookedAt = epoch;
			const isWaiting = (types: readonly TaskType[]) =>
				this.#transactions.read(queueActor, (work) => msUntilNext(work, types)) !== undefined;
			if (isWaiting(onDemandTasks.renderer)) this.wake("renderer");
			if (isWaiting(writerTasks)) this.wake("importer");
			if (isWaiting(onDemandTasks.deliverer) || this.#transactions.read(queueActor, isAnyActive))
				this.wake("deliverer");
			this.#dueAt = this.#transactions.read(queueActor, nextDueByItself);
		}
		this.#setAlarm();
		this.#tellState();
	}

	/** What `/readyz` says is the same on every thread that serves. */
	#tellState(): void {
		const notReady = this.notReady();
		if (this.#told === notReady.join()) return;
		this.#told = notReady.join();
		for (const thread of this.#http) thread.tell({ kind: "state", notReady });
	}

	/** Nothing waits for longer because of it, but who reads times in the log or on invoices should know. */
	#watchClock(): void {
		const offset = this.#transactions.now(queueActor.environmentId) - performance.now();
		const jumpMs = Math.round(offset - (this.#clockOffset ?? offset));
		this.#clockOffset = offset;
		if (Math.abs(jumpMs) >= clockJumpMinMs)
			this.#log.warn({ jumpMs }, `the machine's clock was set ${jumpMs < 0 ? "back" : "forward"}`);
	}

	/** Only for what is due before the look after next: a timer of over 24 days fires at once, and a machine's clock is set. */
	#setAlarm(): void {
		if (this.#dueAt === undefined || !this.#isStarted) return;
		const inMs = this.#dueAt - this.#transactions.now(queueActor.environmentId);
		if (inMs > 2 * lookMs) return;
		clearTimeout(this.#alarm);
		// A timer may fire a moment early.
		this.#alarm = setTimeout(() => this.wake("scheduler"), Math.max(0, inMs + 1));
	}

	/** Each file is purged by the thread that writes it. */
	#wakePurge(): void {
		const { webhooksKeepDays } = this.#options.settings;
		this.wake("scheduler");
		if (this.#transactions.read(queueActor, (work) => isAnyForgettable(work, webhooksKeepDays))) this.wake("deliverer");
	}

	/** What was claimed by a thread that has died goes back into the queue. */
	async #release(tasks: readonly TaskType[]): Promise<void> {
		try {
			await this.writer.write(queueActor, "releaseTasks", tasks);
		} catch (error) {
			this.#log.error({ err: error, tasks }, "what was being done is tried again at the next start");
		}
	}
}
