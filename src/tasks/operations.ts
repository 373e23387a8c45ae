import type { Instant } from "../kernel/clock";
import { assert } from "../kernel/errors";
import type { Work } from "../kernel/work";
import {
	attemptsMax,
	endedKeptMs,
	endStatus,
	errorsShownMax,
	retryPauseMaxMs,
	retryPauseMs,
	type TaskError,
	type TaskStatus,
	type TaskType,
	taskTransitions,
	taskTypes,
} from "./rules";
import {
	changeTask,
	countErrors,
	deleteErrors,
	deleteTasks,
	findRunning,
	findTask,
	getTaskRow,
	inProgress,
	insertErrors,
	insertTask,
	nextDue,
	selectEndedBefore,
	selectErrors,
	selectFirstDueAt,
	selectItemsAmong,
} from "./store";
import type { TaskRow } from "./table";

export interface NewTask {
	readonly type: TaskType;
	/** Plain JSON that names what to do; read again by the job. */
	readonly payload: unknown;
	/** With a key, a task of the same type that waits or runs is found instead of a second one. */
	readonly dedupeKey?: string;
	/** How many subtasks there are; 1 when it is one piece. */
	readonly totalCount?: number;
}

/** Puts a task into the queue, in the caller's transaction, and wakes its thread once that is committed. */
export function enqueueTask(work: Work, { type, payload, dedupeKey, totalCount = 1 }: NewTask): TaskRow {
	const running = dedupeKey === undefined ? undefined : findRunning(work, type, dedupeKey);
	if (running) return running;
	work.wake(taskTypes[type].worker);
	return insertTask(work, { type, payload, dedupeKey: dedupeKey ?? null, totalCount, dueAt: work.machineNow });
}

/** The next task that is due, marked as taken. Undefined when there is nothing to do. */
export function claimTask(work: Work, types: readonly TaskType[]): TaskRow | undefined {
	const task = nextDue(work, types, retryPauseMaxMs);
	if (!task) return undefined;
	if (task.attempts >= attemptsMax) {
		endWith(work, task, "FAILED", { id: task.id, error: `Given up after ${attemptsMax} attempts; see the log.` });
		return claimTask(work, types);
	}
	return move(work, task, "IN_PROGRESS", { attempts: task.attempts + 1, startedAt: task.startedAt ?? work.machineNow });
}

/**
 * Records subtasks that have ended, in the same transaction as their effects: so none is ever done twice. A task that gets on
 * is never given up, however often its thread is stopped: the attempts are counted again.
 */
export function progressTask(work: Work, task: TaskRow, doneCount: number, errors: readonly TaskError[] = []): TaskRow {
	insertErrors(work, task, errors);
	return changeTask(work, task, { doneCount, ...(doneCount > task.doneCount && { attempts: 0 }) });
}

/** Ends a task by what has failed in it. */
export function completeTask(work: Work, task: TaskRow): TaskRow {
	return move(work, task, endStatus(task.totalCount, countErrors(work, task)), {
		doneCount: task.totalCount,
		endedAt: work.machineNow,
	});
}

/** Ends a task that has lost its purpose: nothing of it is tried again. */
export const cancelTask = (work: Work, task: TaskRow, why: TaskError): TaskRow => endWith(work, task, "CANCELED", why);

/** For a large payload, with the end of the task: an import's items are some megabytes that nobody reads again. */
export const forgetPayload = (work: Work, task: TaskRow): TaskRow => changeTask(work, task, { payload: {} });

/** A failed attempt: tried again after a pause that doubles, given up after `attemptsMax`. */
export function failTask(work: Work, { id }: TaskRow, error: string): TaskRow {
	// As it stands: the job may have got on before it failed.
	const task = getTaskRow(work, id);
	if (task.attempts >= attemptsMax) return endWith(work, task, "FAILED", { id, error });
	return move(work, task, "PENDING", { dueAt: (work.machineNow + retryPauseMs(task.attempts)) as Instant });
}

/** Its thread is being stopped: what is not ended goes back into the queue, and this was no attempt. */
export function putBackTask(work: Work, { id }: TaskRow): void {
	const task = getTaskRow(work, id);
	if (task.status === "IN_PROGRESS") move(work, task, "PENDING", { attempts: Math.max(0, task.attempts - 1) });
}

/** At the start, and after a thread died: what it had claimed is put back into the queue. */
export function releaseTasks(work: Work, types: readonly TaskType[]): number {
	const abandoned = inProgress(work, types);
	for (const task of abandoned) move(work, task, "PENDING", {});
	return abandoned.length;
}

/** Any server key that may read what the task is about may read the task. Unknown: 404 with code null is the route's. */
export function getTask(work: Work, id: string): TaskRow | undefined {
	return findTask(work, id);
}

/** How much of it failed, and what failed first: as many as are shown. */
export const failuresOf = (work: Work, task: TaskRow): { count: number; first: TaskError[] } => ({
	count: countErrors(work, task),
	first: selectErrors(work, task, errorsShownMax),
});

/** Those of the items that have failed in the task before. */
export const failedAmong = (work: Work, task: TaskRow, itemIds: readonly string[]): Set<string> =>
	new Set(selectItemsAmong(work, task, itemIds));

/** Forgets a piece of what ended long ago: at most so many rows. Answers how many that were; 0 when nothing is left. */
export function purgeTasks(work: Work, rowsMax: number): number {
	const ids = selectEndedBefore(work, (work.machineNow - endedKeptMs) as Instant, rowsMax);
	if (ids.length === 0) return 0;
	return deleteErrors(work, ids, rowsMax) || deleteTasks(work, ids);
}

function endWith(work: Work, task: TaskRow, to: "FAILED" | "CANCELED", why: TaskError): TaskRow {
	insertErrors(work, task, [why]);
	return move(work, task, to, { endedAt: work.machineNow });
}

function move(work: Work, task: TaskRow, to: TaskStatus, changes: Partial<TaskRow>): TaskRow {
	assert(taskTransitions[task.status].includes(to), `a task does not go from ${task.status} to ${to}`);
	return changeTask(work, task, { ...changes, status: to });
}

/** In how many milliseconds the next waiting task is due (0 when it is); undefined when none waits. */
export function msUntilNext(work: Work, types: readonly TaskType[]): number | undefined {
	const dueAt = selectFirstDueAt(work, types);
	if (dueAt === undefined) return undefined;
	const inMs = dueAt - work.machineNow;
	return inMs > retryPauseMaxMs ? 0 : Math.max(0, inMs);
}
