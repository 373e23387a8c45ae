import type { Instant } from "../kernel/clock";
import { assert } from "../kernel/errors";
import type { Work } from "../kernel/work";
import {
	attemptsMax,
	endStatus,
	type TaskError,
	type TaskStatus,
	type TaskType,
	taskTransitions,
	taskTypes,
} from "./rules";
import { changeTask, findRunning, findTask, firstPending, inProgress, insertTask, nextDue } from "./store";
import type { TaskRow } from "./table";

export interface NewTask {
	readonly type: TaskType;
	/** Plain JSON that names what to do; read again by the job. */
	readonly payload: unknown;
	/** With a key, a task of the same type that waits or runs is found instead of a second one. */
	readonly dedupeKey?: string;
	/** How many subtasks there are; 1 when it is one piece. */
	readonly totalCount?: number;
	/** Not before this time; now when it is not given. */
	readonly dueAt?: Instant;
}

/** Puts a task into the queue, in the caller's transaction, and wakes its thread once that is committed. */
export function enqueueTask(
	work: Work,
	{ type, payload, dedupeKey, totalCount = 1, dueAt = work.machineNow }: NewTask,
): TaskRow {
	const running = dedupeKey === undefined ? undefined : findRunning(work, type, dedupeKey);
	if (running) return running;
	work.wake(taskTypes[type].worker);
	return insertTask(work, { type, payload, dedupeKey: dedupeKey ?? null, totalCount, dueAt });
}

/** The next task that is due, marked as taken. Undefined when there is nothing to do. */
export function claimTask(work: Work, types: readonly TaskType[]): TaskRow | undefined {
	const task = nextDue(work, types);
	if (!task) return undefined;
	if (task.attempts >= attemptsMax) {
		move(work, task, "FAILED", {
			errors: [...task.errors, { id: task.id, error: `Given up after ${attemptsMax} attempts; see the log.` }],
			endedAt: work.machineNow,
		});
		return claimTask(work, types);
	}
	return move(work, task, "IN_PROGRESS", { attempts: task.attempts + 1, startedAt: task.startedAt ?? work.machineNow });
}

/** Records subtasks that have ended, in the same transaction as their effects: so none is ever done twice. */
export function progressTask(work: Work, task: TaskRow, doneCount: number, errors: readonly TaskError[] = []): TaskRow {
	return changeTask(work, task.id, { doneCount, errors: [...task.errors, ...errors] });
}

/** Ends a task by what has failed in it. */
export function completeTask(work: Work, task: TaskRow): TaskRow {
	return move(work, task, endStatus(task.totalCount, task.errors.length), {
		doneCount: task.totalCount,
		endedAt: work.machineNow,
	});
}

/** Ends a task that has lost its purpose: nothing of it is tried again. */
export const cancelTask = (work: Work, task: TaskRow, why: TaskError): TaskRow =>
	move(work, task, "CANCELED", { errors: [...task.errors, why], endedAt: work.machineNow });

/** For a large payload, with the end of the task: an import's items are some megabytes that nobody reads again. */
export const forgetPayload = (work: Work, task: TaskRow): TaskRow => changeTask(work, task.id, { payload: {} });

/** A failed attempt: tried again after a pause that doubles, given up after `attemptsMax`. */
export function failTask(work: Work, task: TaskRow, error: string): TaskRow {
	if (task.attempts >= attemptsMax)
		return move(work, task, "FAILED", { errors: [...task.errors, { id: task.id, error }], endedAt: work.machineNow });
	return move(work, task, "PENDING", { dueAt: (work.machineNow + 1000 * 2 ** task.attempts) as Instant });
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

function move(work: Work, task: TaskRow, to: TaskStatus, changes: Partial<TaskRow>): TaskRow {
	assert(taskTransitions[task.status].includes(to), `a task does not go from ${task.status} to ${to}`);
	return changeTask(work, task.id, { ...changes, status: to });
}

/** In how many milliseconds the next waiting task is due (0 when it is); undefined when none waits. */
export function msUntilNext(work: Work, types: readonly TaskType[]): number | undefined {
	const task = firstPending(work, types);
	return task && Math.max(0, task.dueAt - work.machineNow);
}
