import { systemActor } from "../areas/access/rules.actors";
import { IngestClient } from "../areas/usage/ingest-client";
import type { IngesterAnswer } from "../areas/usage/messages";
import type { EventIngest } from "../areas/usage/schema.ingest";
import { earliestOnWallClock } from "../clocks/catch-up";
import type { Log } from "../http/log";
import type { Instant } from "../kernel/clock";
import { descriptorsUsed } from "../kernel/descriptors";
import type { Doors, WorkerName } from "../kernel/work";
import { msUntilNext, releaseTasks } from "../tasks/operations";
import { type TaskType, taskTypes } from "../tasks/rules";
import { spawnThread } from "../threads";
import type { WorkerSettings } from "./messages";
import { Thread, type ThreadOptions } from "./thread";

export interface PoolOptions {
	readonly doors: Doors;
	readonly settings: WorkerSettings;
	readonly log: Log;
	/** A thread has met a disk that did not confirm a commit. */
	readonly onUnconfirmed: (cause: string) => void;
	/** How many files and connections the process may have open. */
	readonly descriptorsMax: number;
}

/** A thread that works off tasks or due steps gives its memory back when it has had nothing to do for a minute. */
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

/** The threads that work off tasks. */
const taskWorkers = ["renderer", "importer"] as const;

const queueActor = systemActor("");

const typesOf = (worker: WorkerName): TaskType[] =>
	(Object.keys(taskTypes) as TaskType[]).filter((type) => taskTypes[type].worker === worker);

/** The service's threads: the event log's writer and the aggregator always, the others while there is work. */
export class Pool {
	readonly #doors: Doors;
	readonly #ingester: Thread;
	readonly #threads: Record<WorkerName, Thread>;
	readonly #client: IngestClient;
	readonly #log: Log;
	#looking: ReturnType<typeof setInterval> | undefined;
	#purging: ReturnType<typeof setInterval> | undefined;
	/** The machine's time less the time that the process has run, as of the last look: constant, unless the clock is set. */
	#clockOffset: number | undefined;
	#lookedAt = "";
	/** When the next step of an environment on the wall clock is due, as of the last look. */
	#dueAt: Instant | undefined;
	#alarm: ReturnType<typeof setTimeout> | undefined;
	#isStarted = false;
	readonly #allStay: boolean;

	constructor({ doors, settings, log, onUnconfirmed, descriptorsMax }: PoolOptions) {
		this.#doors = doors;
		this.#log = log;
		this.#allStay = descriptorsMax < fewDescriptors;
		const resting = this.#allStay ? {} : { idleMs };
		const mayStart = () => !Number.isFinite(descriptorsMax) || descriptorsUsed() + threadDescriptors <= descriptorsMax;
		const thread = (name: string, spawn: () => Worker, more: Partial<ThreadOptions> = {}) =>
			new Thread({ name, spawn, settings, log, onUnconfirmed, mayStart, ...more });
		const taskThread = (name: WorkerName, spawn: () => Worker) =>
			thread(name, spawn, { ...resting, onDeath: () => this.#release(name) });
		this.#ingester = thread("ingester", spawnThread.ingester, {
			onAnswer: (answer) => this.#client.hear(answer as IngesterAnswer),
			onDeath: () => this.#client.died(),
		});
		this.#threads = {
			aggregator: thread("aggregator", spawnThread.aggregator),
			renderer: taskThread("renderer", spawnThread.renderer),
			importer: taskThread("importer", spawnThread.importer),
			scheduler: thread("scheduler", spawnThread.scheduler, resting),
		};
		this.#client = new IngestClient({
			post: (request) => {
				// Between the death of a thread and the start of the next nobody would ever answer.
				if (!this.#ingester.request(request)) this.#client.died();
			},
			onGrown: () => this.wake("aggregator"),
		});
	}

	get events(): EventIngest {
		return this.#client;
	}

	/**
	 * What was claimed when the last process ended goes back into the queue, then the threads start. Resolves when the log
	 * can be written and the totals have caught up with it: they are never behind after a restart (docs/interface/usage.md).
	 */
	async start(): Promise<void> {
		for (const worker of taskWorkers) this.#release(worker);
		this.#look();
		this.#looking = setInterval(() => this.#look(), lookMs);
		this.#purging = setInterval(() => this.wake("scheduler"), purgeEveryMs);
		const first = this.#allStay ? Object.values(this.#threads) : [this.#threads.aggregator];
		await Promise.all([this.#ingester.start(), ...first.map((thread) => thread.start())]);
		// What is due is billed by totals that have caught up.
		this.#isStarted = true;
		this.#setAlarm();
	}

	wake(worker: WorkerName): void {
		this.#threads[worker].wake();
	}

	/** The threads that must be up and are not. */
	notReady(): string[] {
		const always = { ingester: this.#ingester, aggregator: this.#threads.aggregator };
		return Object.entries(always).flatMap(([name, thread]) => (thread.isReady ? [] : [name]));
	}

	/** The writer first, so that the aggregator counts what it wrote last. */
	async stop(): Promise<void> {
		clearInterval(this.#looking);
		clearInterval(this.#purging);
		clearTimeout(this.#alarm);
		this.#isStarted = false;
		await this.#ingester.stop();
		await Promise.all(Object.values(this.#threads).map((thread) => thread.stop()));
	}

	/** Wakes who has something to do, or will have soon. Asks again when the main file has changed since the last look. */
	#look(): void {
		this.#watchClock();
		const epoch = this.#doors.epoch();
		if (epoch !== this.#lookedAt) {
			this.#lookedAt = epoch;
			for (const worker of taskWorkers)
				if (this.#doors.read(queueActor, (work) => msUntilNext(work, typesOf(worker))) !== undefined) this.wake(worker);
			this.#dueAt = this.#doors.read(queueActor, earliestOnWallClock);
		}
		this.#setAlarm();
	}

	/** Nothing waits for longer because of it, but who reads times in the log or on invoices should know. */
	#watchClock(): void {
		const offset = this.#doors.now(queueActor.environmentId) - performance.now();
		const jumpMs = Math.round(offset - (this.#clockOffset ?? offset));
		this.#clockOffset = offset;
		if (Math.abs(jumpMs) >= clockJumpMinMs)
			this.#log.warn({ jumpMs }, `the machine's clock was set ${jumpMs < 0 ? "back" : "forward"}`);
	}

	/** Only for what is due before the look after next: a timer of over 24 days fires at once, and a machine's clock is set. */
	#setAlarm(): void {
		if (this.#dueAt === undefined || !this.#isStarted) return;
		const inMs = this.#dueAt - this.#doors.now(queueActor.environmentId);
		if (inMs > 2 * lookMs) return;
		// Opened ahead, so that the step is not late by a thread's start.
		void this.#threads.scheduler.start();
		clearTimeout(this.#alarm);
		// A timer may fire a moment early.
		this.#alarm = setTimeout(() => this.wake("scheduler"), Math.max(0, inMs + 1));
	}

	#release(worker: WorkerName): void {
		this.#doors.write(queueActor, (work) => {
			releaseTasks(work, typesOf(worker));
		});
	}
}
