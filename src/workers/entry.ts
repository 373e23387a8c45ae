import { testClocksIn } from "../areas/access/operations.clocks";
import { systemActor } from "../areas/access/rules.actors";
import { type Log, openLog } from "../http/log";
import { wallClock } from "../kernel/clock";
import { openFile } from "../kernel/db";
import { openDoors } from "../kernel/doors";
import { shownMessage } from "../kernel/errors";
import { newUuidV7 } from "../kernel/ids";
import { isFailedSync } from "../kernel/storage";
import type { Database, Doors } from "../kernel/work";
import { claimTask, failTask, msUntilNext, putBackTask } from "../tasks/operations";
import type { TaskType } from "../tasks/rules";
import type { TaskRow } from "../tasks/table";
import type { FromWorker, ToWorker, WorkerSettings } from "./messages";

declare const self: Worker;

/** What a thread does with what it is told. Every method may take its time; they are called one after the other. */
export interface WorkerBody {
	/** Look for work, and do it. Answers after how many milliseconds to look again; undefined when nothing waits. */
	wake(): Promise<number | undefined> | number | undefined;
	/** A request of the thread's own kind; it answers by `answer`. Not queued behind `wake`. */
	request?(request: unknown): void;
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
				next(async () => {
					body = await open(data.settings, openLog(data.settings.logLevel).child({ worker: name }));
					tell({ kind: "ready" });
				});
				return wake();
			case "wake":
				return wake();
			case "request":
				if (body) return body.request?.(data.request);
				// It came while the files were being opened.
				queue = queue.then(() => body?.request?.(data.request));
				return;
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

export interface JobContext {
	readonly doors: Doors;
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

/** Takes one task after the other until none is due. Answers after how many milliseconds the next one is. */
export async function drainTasks(
	doors: Doors,
	types: readonly TaskType[],
	job: Job,
	log: Log,
): Promise<number | undefined> {
	while (!stopping) {
		const task = doors.write(queueActor, (work) => claimTask(work, types));
		if (!task) break;
		try {
			await job(task);
		} catch (error) {
			log.error({ taskId: task.id, type: task.type, err: error }, "task failed");
			doors.write(queueActor, (work) => failTask(work, task, shownMessage(error, task.id)));
		}
		if (stopping) doors.write(queueActor, (work) => putBackTask(work, task));
		// A gap between two tasks lets the loop see a stop, and the write-ahead log be folded back.
		await Bun.sleep(0);
	}
	return doors.read(queueActor, (work) => msUntilNext(work, types));
}

/** A thread's own connection to the main file. Nobody is woken from here: the pool looks by itself. */
export function openMain(folder: string, readAlso: Parameters<typeof openFile>[2]): { db: Database; doors: Doors } {
	const db = openFile(folder, "main", readAlso);
	return {
		db,
		doors: openDoors({
			db,
			clock: wallClock,
			testClocks: testClocksIn,
			newId: newUuidV7,
			wake: () => {},
			onUnconfirmed: tellUnconfirmed,
		}),
	};
}

/** A thread that works off tasks of the main file. */
export function runTaskWorker(
	name: string,
	types: readonly TaskType[],
	readAlso: Parameters<typeof openFile>[2],
	open: (context: JobContext) => { job: Job; close: () => void },
): void {
	runWorker(name, (settings, log) => {
		const { db, doors } = openMain(settings.folder, readAlso);
		const { job, close } = open({ doors, settings, log });
		return {
			wake: () => drainTasks(doors, types, job, log),
			stop: () => {
				close();
				db.$client.close();
			},
		};
	});
}
