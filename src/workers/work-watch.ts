import { systemActor } from "../areas/access/rules.actors";
import { msUntilCollection } from "../areas/collection/operations.due";
import { hasExpiredDeliveries, isAnyActive } from "../areas/webhooks/operations";
import type { Log } from "../http/log";
import type { Instant } from "../kernel/clock";
import type { Transactions, WorkerName } from "../kernel/work";
import { msUntilNext } from "../tasks/operations";
import { type TaskType, taskTypes } from "../tasks/rules";

export interface WorkWatchOptions {
	readonly transactions: Transactions;
	readonly log: Log;
	readonly webhooksKeepDays: number;
	readonly wake: (worker: WorkerName) => void;
	/** Called with each look at the tables. */
	readonly onLook: () => void;
}

/** The delay until a task or a due time of another thread or process, such as the command line, is seen. */
const lookMs = 1000;

/** The interval between two deletions of expired data. */
const purgeEveryMs = 15 * 60_000;

/** The machine's clock was set if it differs from the running time by more than this between two looks. */
const clockJumpMinMs = 5_000;

/** Returns the types of the tasks that a thread carries out. */
const tasksOf = (worker: (typeof taskTypes)[TaskType]["worker"]): TaskType[] =>
	(Object.keys(taskTypes) as TaskType[]).filter((type) => taskTypes[type].worker === worker);
export const onDemandTasks = {
	renderer: tasksOf("renderer"),
	deliverer: tasksOf("deliverer"),
	// Its queue is tables of payments.
	collector: [],
} as const;
const writerTasks = tasksOf("importer");

/** The actor of the queue, which belongs to no environment. */
export const queueActor = systemActor("");

/** Wakes threads that have work, now or soon. The tables are the queues, and other processes write them too. */
export class WorkWatch {
	readonly #options: WorkWatchOptions;
	readonly #transactions: Transactions;
	#looking: ReturnType<typeof setInterval> | undefined;
	#purging: ReturnType<typeof setInterval> | undefined;
	/** The machine's time less the time that the process has run, as of the last look: constant, unless the clock is set. */
	#clockOffset: number | undefined;
	#lookedAt: number | undefined;
	/** The time of the next due step of all environments on the wall clock, as the writer has last looked it up. */
	#dueAt: Instant | undefined;
	#alarm: ReturnType<typeof setTimeout> | undefined;
	#mayBill = false;

	constructor(options: WorkWatchOptions) {
		this.#options = options;
		this.#transactions = options.transactions;
	}

	start(): void {
		this.#look();
		this.#looking = setInterval(() => this.#look(), lookMs);
		this.#purging = setInterval(() => this.#wakePurge(), purgeEveryMs);
	}

	/** Enables due steps: the totals have caught up. */
	startBilling(): void {
		this.#mayBill = true;
		this.#options.wake("next-due");
	}

	/** Receives the time of the next due step; undefined if there is none. */
	setDue(at: Instant | undefined): void {
		this.#dueAt = at;
		this.#setAlarm();
	}

	/** Returns the time since the first step became due, in seconds; 0 if none is late. */
	secondsLate(): number {
		if (this.#dueAt === undefined) return 0;
		return Math.max(0, this.#transactions.now(queueActor.environmentId) - this.#dueAt) / 1000;
	}

	stop(): void {
		clearInterval(this.#looking);
		clearInterval(this.#purging);
		clearTimeout(this.#alarm);
		this.#mayBill = false;
	}

	/** Reads the tables if the main file has changed since the last look. */
	#look(): void {
		this.#watchClock();
		const epoch = this.#transactions.epoch();
		if (epoch !== this.#lookedAt) {
			this.#lookedAt = epoch;
			const { wake } = this.#options;
			// The writer wakes it after its own commits; this commit may be of another process.
			wake("aggregator");
			const isWaiting = (types: readonly TaskType[]) =>
				this.#transactions.read(queueActor, (work) => msUntilNext(work, types)) !== undefined;
			if (isWaiting(onDemandTasks.renderer)) wake("renderer");
			if (isWaiting(writerTasks)) wake("importer");
			if (isWaiting(onDemandTasks.deliverer) || this.#transactions.read(queueActor, isAnyActive)) wake("deliverer");
			if (this.#transactions.read(queueActor, msUntilCollection) !== undefined) wake("collector");
			// The writer has the modules of all due steps.
			if (this.#mayBill) wake("next-due");
		}
		this.#setAlarm();
		this.#options.onLook();
	}

	/** Warns of a clock that was set: no step waits longer, but times in the log and on invoices are affected. */
	#watchClock(): void {
		const offset = this.#transactions.now(queueActor.environmentId) - performance.now();
		const jumpMs = Math.round(offset - (this.#clockOffset ?? offset));
		this.#clockOffset = offset;
		if (Math.abs(jumpMs) >= clockJumpMinMs)
			this.#options.log.warn({ jumpMs }, `the machine's clock was set ${jumpMs < 0 ? "back" : "forward"}`);
	}

	/** Sets a timer for a step that is due within two looks. A timer of over 24 days fires at once, and a machine's clock may be set. */
	#setAlarm(): void {
		if (this.#dueAt === undefined || !this.#mayBill) return;
		const inMs = this.#dueAt - this.#transactions.now(queueActor.environmentId);
		if (inMs > 2 * lookMs) return;
		clearTimeout(this.#alarm);
		// A timer may fire slightly early.
		this.#alarm = setTimeout(() => this.#options.wake("scheduler"), Math.max(0, inMs + 1));
	}

	/** Wakes the threads that purge: each file is purged by the thread that writes it. */
	#wakePurge(): void {
		const { wake, webhooksKeepDays } = this.#options;
		wake("scheduler");
		if (this.#transactions.read(queueActor, (work) => hasExpiredDeliveries(work, webhooksKeepDays))) wake("deliverer");
	}
}
