import { systemActor } from "../areas/access/rules.actors";
import type { Log } from "../http/log";
import { shownMessage } from "../kernel/errors";
import type { openFile } from "../kernel/storage/db";
import { isAwaited, onceHere } from "../kernel/storage/failures";
import type { Transactions } from "../kernel/work";
import { type Write, writesBy } from "../server/writer-calls";
import { msUntilNext } from "../tasks/operations";
import type { TaskType } from "../tasks/rules";
import type { TaskRow } from "../tasks/table";
import { isStopping, runWorker } from "./entry";
import { openMain } from "./main-file";
import type { WorkerSettings } from "./messages";
import { WriterClient } from "./writer-client";

export interface JobContext {
	readonly transactions: Transactions;
	readonly write: Write;
	readonly settings: WorkerSettings;
	readonly log: Log;
}

/**
 * Carries out a claimed task in short transactions and calls `completeTask` in the last one. On a stop it returns before that, and the
 * task goes back into the queue.
 */
export type Job = (task: TaskRow) => void | Promise<void>;

/** The actor of the queue. It has no environment: all environments share the queue, and its times are the machine's. */
const queueActor = systemActor("");

/**
 * Carries out tasks until none is due. Returns after how many milliseconds the next one is due. Threads that do not write the main file
 * pass `write`.
 */
export async function drainTasks(
	transactions: Transactions,
	types: readonly TaskType[],
	job: Job,
	log: Log,
	write: Write = writesBy(transactions),
): Promise<number | undefined> {
	while (!isStopping()) {
		const task = await write(queueActor, "claimTask", types);
		if (!task) break;
		try {
			await carryOut(job, task, log);
		} catch (error) {
			log.error({ taskId: task.id, type: task.type, err: error }, "task failed");
			await write(queueActor, "failTask", { task, error: shownMessage(error, task.id) });
		}
		if (isStopping()) await write(queueActor, "putBackTask", task);
		// The gap lets the thread see a stop, and lets the write-ahead log be checkpointed.
		await Bun.sleep(0);
	}
	return transactions.read(queueActor, (work) => msUntilNext(work, types));
}

/** The growing pauses until a task tries again to read a missing file. */
const waitMsMin = 500;
const waitMsMax = 30_000;

/** Waits while a file is out of reach, which is not a failed attempt. The task continues from its stored progress. */
async function carryOut(job: Job, task: TaskRow, log: Log): Promise<void> {
	for (let waitMs = waitMsMin; ; waitMs = Math.min(waitMsMax, 2 * waitMs)) {
		try {
			await onceHere(() => job(task));
			return;
		} catch (error) {
			if (!isAwaited(error)) throw error;
			log.warn({ taskId: task.id, type: task.type, err: error }, "a task waits for old events that cannot be read now");
			for (const end = performance.now() + waitMs; performance.now() < end && !isStopping(); ) await Bun.sleep(50);
			if (isStopping()) return;
		}
	}
}

/** Runs a thread that carries out tasks of the main file. The writer stores their states. */
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
