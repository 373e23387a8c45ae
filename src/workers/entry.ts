import { systemActor } from "../areas/access/rules.actors";
import { useStorage } from "../areas/usage/archive/operations.storage";
import { openReading } from "../files";
import { type Log, openLog } from "../http/log";
import { ToldOnce } from "../http/told-once";
import { openFile } from "../kernel/db";
import { Epochs } from "../kernel/epochs";
import { shownMessage } from "../kernel/errors";
import { isAwaited, isFailedSync, onceHere } from "../kernel/storage";
import type { Database, Transactions, WorkerName } from "../kernel/work";
import { msUntilNext } from "../tasks/operations";
import type { TaskType } from "../tasks/rules";
import type { TaskRow } from "../tasks/table";
import { type Write, writesBy } from "../writes";
import type { Link, LinkedTo, Port } from "./links";
import type { FromWorker, ToWorker, WorkerSettings } from "./messages";
import { Pulses } from "./pulse";
import { WriterClient } from "./writer-client";

declare const self: Worker;

/** What a thread does with what it is told. Every method may take its time; they are called one after the other. */
export interface WorkerBody {
	/** Look for work, and do it. Answers after how many milliseconds to look again; undefined when nothing waits. */
	wake(): Promise<number | undefined> | number | undefined;
	/** Look for this one's work: for a thread that has several. Not queued behind `wake`. */
	wakeJob?(worker: WorkerName): void;
	/** A call by a link, of the thread's own kind; `answer` is the same for all calls of a link. Not queued behind `wake`. */
	request?(request: unknown, answer: (answer: unknown) => void): void;
	/** Takes the calls of a link itself. */
	connect?(port: Port): void;
	/** Its own ways to other threads. */
	readonly links?: Partial<Record<LinkedTo, Link>>;
	/** The parts of the service that are not up now. */
	state?(notReady: readonly string[]): void;
	/** Serve at this port; and close it once what has begun is answered. */
	listen?(port: number): void;
	close?(): Promise<void>;
	/** Finish what is begun, close the files. */
	stop(): Promise<void> | void;
}

export const tell = (message: FromWorker): void => self.postMessage(message);

/** Ends the process by way of the main thread: a thread that exits ends only itself. */
export const tellUnconfirmed = (cause: unknown): void => tell({ kind: "unconfirmed", cause: String(cause) });

/** Whether this thread has been told to stop: what is begun is finished, nothing more is taken up. */
let stopping = false;
export const isStopping = (): boolean => stopping;

/** The life of a thread: opened by "start", woken, stopped. An uncaught error ends it, and the pool starts another. */
export function runWorker(
	name: string,
	open: (settings: WorkerSettings, log: Log) => WorkerBody | Promise<WorkerBody>,
): void {
	let body: WorkerBody | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	// One after the other: a wake that comes during another starts when that one has ended, and several are one.
	let queue: Promise<void> = Promise.resolve();
	let wakePending = false;
	/** What fails here ends the thread; what the disk did not confirm ends the process. */
	const next = (step: () => Promise<void>): void => {
		queue = queue.then(step).catch((error) => {
			if (isFailedSync(error)) tellUnconfirmed(error);
			throw error;
		});
	};
	/** At once, unless the files are still being opened. */
	const whenOpen = (step: (opened: WorkerBody) => void): void => {
		if (body) step(body);
		else queue = queue.then(() => body && step(body));
	};

	const wake = (): void => {
		if (wakePending) return;
		wakePending = true;
		next(async () => {
			wakePending = false;
			clearTimeout(timer);
			const againMs = await body?.wake();
			if (againMs !== undefined) timer = setTimeout(wake, againMs);
			else if (!wakePending) tell({ kind: "idle" });
		});
	};

	self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
		switch (data.kind) {
			case "start":
				new Pulses(data.settings.pulses).beat(data.settings.pulse);
				useStorage(data.settings.folder, data.settings.storage);
				next(async () => {
					body = await open(data.settings, openLog(data.settings.logLevel).child({ worker: name }));
					tell({ kind: "ready" });
				});
				return;
			case "wake": {
				const { worker } = data;
				return worker === undefined ? wake() : whenOpen((opened) => opened.wakeJob?.(worker));
			}
			case "connect":
				return whenOpen((opened) => connect(opened, data.port));
			case "link":
				return whenOpen(({ links }) => links?.[data.to]?.connect(data.port));
			case "unlink":
				return whenOpen(({ links }) => links?.[data.to]?.disconnect());
			case "state":
				return whenOpen((opened) => opened.state?.(data.notReady));
			case "listen":
				return whenOpen((opened) => opened.listen?.(data.port));
			case "close":
				return whenOpen((opened) => void opened.close?.().then(() => tell({ kind: "closed" })));
			case "stop":
				stopping = true;
				clearTimeout(timer);
				next(async () => {
					await body?.stop();
					tell({ kind: "stopped" });
				});
		}
	};
}

function connect(body: WorkerBody, port: Port): void {
	if (body.connect) body.connect(port);
	else {
		const answer = (told: unknown): void => port.postMessage(told);
		port.onmessage = ({ data }) => body.request?.(data, answer);
	}
}

export interface JobContext {
	readonly transactions: Transactions;
	readonly write: Write;
	readonly settings: WorkerSettings;
	readonly log: Log;
}

/**
 * One claimed task, done to its end by its own short transactions; it calls `completeTask` in the last one. When it sees a
 * stop it returns before that, and what it has left is put back into the queue.
 */
export type Job = (task: TaskRow) => void | Promise<void>;

/** No environment: the queue is one for all, and its times are the machine's. */
const queueActor = systemActor("");

/**
 * Takes one task after the other until none is due. Answers after how many milliseconds the next one is. `write` is for
 * threads that do not write the main file themselves.
 */
export async function drainTasks(
	transactions: Transactions,
	types: readonly TaskType[],
	job: Job,
	log: Log,
	write: Write = writesBy(transactions),
): Promise<number | undefined> {
	while (!stopping) {
		const task = await write(queueActor, "claimTask", types);
		if (!task) break;
		try {
			await carryOut(job, task, log);
		} catch (error) {
			log.error({ taskId: task.id, type: task.type, err: error }, "task failed");
			await write(queueActor, "failTask", { task, error: shownMessage(error, task.id) });
		}
		if (stopping) await write(queueActor, "putBackTask", task);
		// A gap between two tasks lets the loop see a stop, and the write-ahead log be folded back.
		await Bun.sleep(0);
	}
	return transactions.read(queueActor, (work) => msUntilNext(work, types));
}

/** Our choices: how soon it is looked again whether a file that a task needs can be had, at growing pauses. */
const waitMsMin = 500;
const waitMsMax = 30_000;

/** A task waits for a file that is out of reach, told once, and that is no failed attempt; it goes on from what it has kept. */
async function carryOut(job: Job, task: TaskRow, log: Log): Promise<void> {
	const told = new ToldOnce();
	for (let waitMs = waitMsMin; ; waitMs = Math.min(waitMsMax, 2 * waitMs)) {
		try {
			await onceHere(() => job(task));
			return;
		} catch (error) {
			if (!isAwaited(error)) throw error;
			if (told.isNews(error))
				log.warn(
					{ taskId: task.id, type: task.type, err: error },
					"a task waits for old events that cannot be read now",
				);
			for (const end = performance.now() + waitMs; performance.now() < end && !stopping; ) await Bun.sleep(50);
			if (stopping) return;
		}
	}
}

/** A thread's own connection to the main file, which it reads. */
export function openMain(
	{ folder, epochs }: Pick<WorkerSettings, "folder" | "epochs">,
	readAlso: Parameters<typeof openFile>[2],
): { db: Database; transactions: Transactions } {
	const db = openFile(folder, "main", readAlso);
	db.$client.run("PRAGMA query_only = ON");
	return { db, transactions: openReading(db, new Epochs(epochs)) };
}

/** A thread that works off tasks of the main file, whose states the writer keeps. */
export function runTaskWorker(
	name: string,
	types: readonly TaskType[],
	readAlso: Parameters<typeof openFile>[2],
	open: (context: JobContext) => { job: Job; close: () => void },
): void {
	runWorker(name, (settings, log) => {
		const { db, transactions } = openMain(settings, readAlso);
		const writer = new WriterClient();
		const { job, close } = open({ transactions, write: writer.write, settings, log });
		return {
			wake: () => drainTasks(transactions, types, job, log, writer.write),
			links: { writer: writer.link },
			stop: () => {
				close();
				db.$client.close();
			},
		};
	});
}
