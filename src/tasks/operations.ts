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
	/** Plain JSON that describes the work; the job reads it. */
	readonly payload: unknown;
	/** With a key, a waiting or running task of the same type is returned instead of a second one. */
	readonly dedupeKey?: string;
	/** The number of subtasks; 1 for an undivided task. */
	readonly totalCount?: number;
}

/** Puts a task into the queue, in the caller's transaction, and wakes its thread once that is committed. */
export function enqueueTask(work: Work, { type, payload, dedupeKey, totalCount = 1 }: NewTask): TaskState {
	const running = dedupeKey === undefined ? undefined : findRunning(work, type, dedupeKey);
	if (running) return running;
	work.wake(taskTypes[type].worker);
	return insertTask(work, { type, payload, dedupeKey: dedupeKey ?? null, totalCount, dueAt: work.machineNow });
}

/** Claims the next due task and returns it with its payload. Undefined if none is due. */
export function claimTask(work: Work, types: readonly TaskType[]): TaskRow | undefined {
	for (let task = nextDue(work, types, retryPauseMaxMs); task; task = nextDue(work, types, retryPauseMaxMs)) {
		if (task.attempts < attemptsMaxOf(task.type) && task.crashes < crashesMax) return claimed(work, task);
		endWith(work, task, "FAILED", { id: task.id, error: abandonedBecause(task) });
	}
	return undefined;
}

const abandonedBecause = ({ attempts, crashes }: TaskState): string =>
	crashes < crashesMax
		? `Abandoned after ${attempts} attempts; see the log.`
		: `Abandoned: the process or its thread ended ${crashes} times while this task was running; see the log.`;

function claimed(work: Work, task: TaskState): TaskRow {
	const startedAt = task.startedAt ?? work.machineNow;
	const taken = move(work, task, "IN_PROGRESS", { attempts: task.attempts + 1, startedAt });
	return { ...taken, payload: selectPayload(work, task.id) };
}

/** Returns the current state of a claimed task: a job reads it in each step, so that it continues from the stored progress. */
export const getClaimedTask = (work: Work, id: string): TaskState => getTaskState(work, id);

/**
 * Records ended subtasks, in the transaction of their effects, so that none is done twice. A task with progress is never abandoned, however
 * often its thread is stopped: the attempts are counted from zero again.
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

/** Ends a task with the status that its errors imply. */
export function completeTask(work: Work, task: TaskState): TaskState {
	return move(work, task, endStatus(task.totalCount, countErrors(work, task)), {
		doneCount: task.totalCount,
		endedAt: work.machineNow,
	});
}

/** Ends a task that has lost its purpose. */
export const cancelTask = (work: Work, task: TaskState, why: TaskError): TaskState =>
	endWith(work, task, "CANCELED", why);

/** Deletes a large payload at the end of a task: the items of an import are some megabytes that nothing reads again. */
export const deletePayload = (work: Work, task: TaskState): TaskState => changeTask(work, task, { payload: {} });

/** Returns the payload of a task of any environment. */
export const payloadOf = (work: Work, id: string): unknown => selectPayload(work, id);

export const setPayload = (work: Work, task: TaskState, payload: object): TaskState =>
	changeTask(work, task, { payload });

/** Records a failed attempt. The next one follows after a pause that doubles; after `attemptsMaxOf` the task is abandoned. */
export function failTask(work: Work, { id }: Pick<TaskState, "id">, error: string): TaskState {
	// The current state: the job may have made progress before it failed.
	const task = getTaskState(work, id);
	if (task.attempts >= attemptsMaxOf(task.type)) return endWith(work, task, "FAILED", { id, error });
	return move(work, task, "PENDING", { dueAt: (work.machineNow + retryPauseMs(task.attempts)) as Instant });
}

/** Makes a task wait for other work, which resumes it; it also looks by itself after a while. This is not an attempt. */
export function waitForOthers(work: Work, { id }: Pick<TaskState, "id">): void {
	move(work, getTaskState(work, id), "PENDING", {
		attempts: 0,
		crashes: 0,
		dueAt: (work.machineNow + waitMsMax) as Instant,
	});
}

/** Resumes a task that waits for other work. */
export function goOn(work: Work, { id }: Pick<TaskState, "id">): void {
	const task = getTaskState(work, id);
	if (task.status !== "PENDING") return;
	changeTask(work, task, { dueAt: work.machineNow });
	work.wake(taskTypes[task.type].worker);
}

/** Puts an unfinished task back into the queue when its thread stops. This is not an attempt. */
export function putBackTask(work: Work, { id }: Pick<TaskState, "id">): void {
	const task = getTaskState(work, id);
	if (task.status === "IN_PROGRESS") move(work, task, "PENDING", { attempts: Math.max(0, task.attempts - 1) });
}

/** Whether tasks of these types are claimed. Before their thread starts, a dead thread had claimed them. */
export const isAnyClaimed = (work: Work, types: readonly TaskType[]): boolean => inProgress(work, types).length > 0;

/** Puts the claimed tasks of a dead thread back into the queue, also at a start. A kill is not a failed attempt. Returns their number. */
export function releaseTasks(work: Work, types: readonly TaskType[]): number {
	const abandoned = inProgress(work, types);
	for (const task of abandoned) {
		const { attempts, crashes } = task;
		move(work, task, "PENDING", { attempts: Math.max(0, attempts - 1), crashes: crashes + 1 });
	}
	return abandoned.length;
}

/** Returns a task that the caller may read; undefined if there is none. */
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

/** Returns the number of failures of a task, and the first ones, as many as a task shows. */
export const failuresOf = (work: Work, task: TaskState): { count: number; first: TaskError[] } => ({
	count: countErrors(work, task),
	first: selectErrors(work, task, errorsShownMax),
});

/** Returns the items that have failed in the task before. */
export const failedAmong = (work: Work, task: TaskState, itemIds: readonly string[]): Set<string> =>
	new Set(selectItemsAmong(work, task, itemIds));

/** Deletes a batch of tasks that ended long ago. Returns the number of deleted rows; 0 if none is left. */
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
	if (!taskTransitions[to].length) emitTaskEvent(work, moved);
	return moved;
}

/** Emits the event of an ended task, in its own environment: the queue has none. */
function emitTaskEvent(work: Work, { id, environmentId, type, status, totalCount, doneCount }: TaskState): void {
	// A task without an environment, such as a mail, emits no event.
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

/** Returns the milliseconds until the next waiting task is due, 0 if it is; undefined if none waits. */
export function msUntilNext(work: Work, types: readonly TaskType[]): number | undefined {
	const dueAt = selectFirstDueAt(work, types);
	if (dueAt === undefined) return undefined;
	const inMs = dueAt - work.machineNow;
	return inMs > retryPauseMaxMs ? 0 : Math.max(0, inMs);
}
