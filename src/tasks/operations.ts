import { allows } from "../areas/access/rules";
import { writeEvent } from "../areas/outbox/operations";
import type { Instant } from "../kernel/clock";
import { assert } from "../kernel/errors";
import { type Page, readPage } from "../kernel/page";
import { queryValues } from "../kernel/query";
import type { Work } from "../kernel/work";
import {
	attemptsMaxOf,
	crashesMax,
	endedKeptMs,
	endStatus,
	errorsShownMax,
	retryPauseMaxMs,
	retryPauseMs,
	type TaskError,
	type TaskStatus,
	type TaskType,
	taskStatuses,
	taskTransitions,
	taskTypes,
	waitMsMax,
} from "./rules";
import type { TaskListQuery } from "./schema";
import {
	changeTask,
	countErrors,
	deleteErrors,
	deleteTasks,
	findRunning,
	findTask,
	getTaskState,
	inProgress,
	insertErrors,
	insertTask,
	nextDue,
	selectEndedBefore,
	selectErrors,
	selectFirstDueAt,
	selectItemsAmong,
	selectListed,
	selectPayload,
} from "./store";
import { type TaskRow, type TaskState, tasks } from "./table";

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
export function enqueueTask(work: Work, { type, payload, dedupeKey, totalCount = 1 }: NewTask): TaskState {
	const running = dedupeKey === undefined ? undefined : findRunning(work, type, dedupeKey);
	if (running) return running;
	work.wake(taskTypes[type].worker);
	return insertTask(work, { type, payload, dedupeKey: dedupeKey ?? null, totalCount, dueAt: work.machineNow });
}

/** The next task that is due, marked as taken, with its payload. Undefined when there is nothing to do. */
export function claimTask(work: Work, types: readonly TaskType[]): TaskRow | undefined {
	for (let task = nextDue(work, types, retryPauseMaxMs); task; task = nextDue(work, types, retryPauseMaxMs)) {
		if (task.attempts < attemptsMaxOf(task.type) && task.crashes < crashesMax) return claimed(work, task);
		endWith(work, task, "FAILED", { id: task.id, error: abandonedBecause(task) });
	}
	return undefined;
}

const abandonedBecause = ({ attempts, crashes }: TaskState): string =>
	crashes < crashesMax
		? `Given up after ${attempts} attempts; see the log.`
		: `Given up: the process or its thread ended ${crashes} times while this task was running; see the log.`;

function claimed(work: Work, task: TaskState): TaskRow {
	const startedAt = task.startedAt ?? work.machineNow;
	const taken = move(work, task, "IN_PROGRESS", { attempts: task.attempts + 1, startedAt });
	return { ...taken, payload: selectPayload(work, task.id) };
}

/** A claimed task as it stands: a job asks in each step, so that it always goes on from what was kept. */
export const getClaimedTask = (work: Work, id: string): TaskState => getTaskState(work, id);

/**
 * Records subtasks that have ended, in the same transaction as their effects: so none is ever done twice. A task that gets on
 * is never given up, however often its thread is stopped: the attempts are counted again.
 */
export function progressTask(
	work: Work,
	task: TaskState,
	doneCount: number,
	errors: readonly TaskError[] = [],
): TaskState {
	insertErrors(work, task, errors);
	return changeTask(work, task, { doneCount, ...(doneCount > task.doneCount && { attempts: 0, crashes: 0 }) });
}

/** Ends a task by what has failed in it. */
export function completeTask(work: Work, task: TaskState): TaskState {
	return move(work, task, endStatus(task.totalCount, countErrors(work, task)), {
		doneCount: task.totalCount,
		endedAt: work.machineNow,
	});
}

/** Ends a task that has lost its purpose: nothing of it is tried again. */
export const cancelTask = (work: Work, task: TaskState, why: TaskError): TaskState =>
	endWith(work, task, "CANCELED", why);

/** For a large payload, with the end of the task: an import's items are some megabytes that nobody reads again. */
export const forgetPayload = (work: Work, task: TaskState): TaskState => changeTask(work, task, { payload: {} });

/** What a task names, of any environment. */
export const payloadOf = (work: Work, id: string): unknown => selectPayload(work, id);

export const setPayload = (work: Work, task: TaskState, payload: object): TaskState =>
	changeTask(work, task, { payload });

/** A failed attempt: tried again after a pause that doubles, given up after `attemptsMaxOf`. */
export function failTask(work: Work, { id }: Pick<TaskState, "id">, error: string): TaskState {
	// As it stands: the job may have got on before it failed.
	const task = getTaskState(work, id);
	if (task.attempts >= attemptsMaxOf(task.type)) return endWith(work, task, "FAILED", { id, error });
	return move(work, task, "PENDING", { dueAt: (work.machineNow + retryPauseMs(task.attempts)) as Instant });
}

/** It waits for others, who have it wait no longer; it looks by itself after a while. That was no attempt. */
export function waitForOthers(work: Work, { id }: Pick<TaskState, "id">): void {
	move(work, getTaskState(work, id), "PENDING", {
		attempts: 0,
		crashes: 0,
		dueAt: (work.machineNow + waitMsMax) as Instant,
	});
}

/** A task that waits for others goes on. */
export function goOn(work: Work, { id }: Pick<TaskState, "id">): void {
	const task = getTaskState(work, id);
	if (task.status !== "PENDING") return;
	changeTask(work, task, { dueAt: work.machineNow });
	work.wake(taskTypes[task.type].worker);
}

/** Its thread is being stopped: what is not ended goes back into the queue, and this was no attempt. */
export function putBackTask(work: Work, { id }: Pick<TaskState, "id">): void {
	const task = getTaskState(work, id);
	if (task.status === "IN_PROGRESS") move(work, task, "PENDING", { attempts: Math.max(0, task.attempts - 1) });
}

/** Whether a thread has claimed a task of these types. Before a thread starts, it is one that has died. */
export const isAnyClaimed = (work: Work, types: readonly TaskType[]): boolean => inProgress(work, types).length > 0;

/** At the start, and after a thread died: what it had claimed is put back into the queue. A kill is no failed attempt. */
export function releaseTasks(work: Work, types: readonly TaskType[]): number {
	const abandoned = inProgress(work, types);
	for (const task of abandoned) {
		const { attempts, crashes } = task;
		move(work, task, "PENDING", { attempts: Math.max(0, attempts - 1), crashes: crashes + 1 });
	}
	return abandoned.length;
}

/** Any server key that may read what the task is about may read the task. Unknown: 404 with code null is the route's. */
export function getTask(work: Work, id: string): TaskState | undefined {
	return findTask(work, id);
}

/** Newest first, of the types that the caller may read: each type and state is read no further than the page. */
export function listTasks(work: Work, query: TaskListQuery): Page<TaskState> {
	const types = (Object.keys(taskTypes) as TaskType[]).filter((type) =>
		allows(work.actor.scopes, taskTypes[type].scope),
	);
	const statuses = queryValues(query.status) ?? taskStatuses;
	const isBackward = query.before !== undefined;
	const exists = (cursor: string) => findTask(work, cursor) !== undefined;
	return readPage(query, tasks.id, exists, (beyond, order, rowsMax) =>
		types
			.flatMap((type) => statuses.flatMap((status) => selectListed(work, { type, status }, { beyond, order, rowsMax })))
			.sort((one, other) => (one.id < other.id === isBackward ? -1 : 1))
			.slice(0, rowsMax),
	);
}

/** How much of it failed, and what failed first: as many as are shown. */
export const failuresOf = (work: Work, task: TaskState): { count: number; first: TaskError[] } => ({
	count: countErrors(work, task),
	first: selectErrors(work, task, errorsShownMax),
});

/** Those of the items that have failed in the task before. */
export const failedAmong = (work: Work, task: TaskState, itemIds: readonly string[]): Set<string> =>
	new Set(selectItemsAmong(work, task, itemIds));

/** Forgets a piece of what ended long ago: at most so many rows. Answers how many that were; 0 when nothing is left. */
export function purgeTasks(work: Work, rowsMax: number): number {
	const ids = selectEndedBefore(work, (work.machineNow - endedKeptMs) as Instant, rowsMax);
	if (ids.length === 0) return 0;
	return deleteErrors(work, ids, rowsMax) || deleteTasks(work, ids);
}

function endWith(work: Work, task: TaskState, to: "FAILED" | "CANCELED", why: TaskError): TaskState {
	insertErrors(work, task, [why]);
	return move(work, task, to, { endedAt: work.machineNow });
}

function move(work: Work, task: TaskState, to: TaskStatus, changes: Partial<TaskRow>): TaskState {
	assert(taskTransitions[task.status].includes(to), `a task does not go from ${task.status} to ${to}`);
	const moved = changeTask(work, task, { ...changes, status: to });
	if (!taskTransitions[to].length) taskTold(work, moved);
	return moved;
}

/** How it ended, in its own environment: the queue has none. */
function taskTold(work: Work, { id, environmentId, type, status, totalCount, doneCount }: TaskState): void {
	// What belongs to no environment, such as a mail, is told to nobody outside.
	if (environmentId === "") return;
	const payload = { id, entityId: id, taskType: type, status };
	writeEvent(
		work,
		status === "FAILED" ? "task.failed" : "task.completed",
		id,
		{ ...payload, totalSubtasksCount: totalCount, completedSubtasksCount: doneCount },
		environmentId,
	);
}

/** In how many milliseconds the next waiting task is due (0 when it is); undefined when none waits. */
export function msUntilNext(work: Work, types: readonly TaskType[]): number | undefined {
	const dueAt = selectFirstDueAt(work, types);
	if (dueAt === undefined) return undefined;
	const inMs = dueAt - work.machineNow;
	return inMs > retryPauseMaxMs ? 0 : Math.max(0, inMs);
}
