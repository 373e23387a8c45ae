import { and, asc, count, eq, getTableColumns, gt, inArray, lt, lte, max, or, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../kernel/clock";
import { assert } from "../kernel/errors";
import { insertRows } from "../kernel/storage/rows";
import type { Work } from "../kernel/work";
import { type TaskError, type TaskType, taskTypes } from "./rules";
import { type TaskRow, type TaskState, taskErrors, tasks } from "./table";

const { payload: _, ...stateColumns } = getTableColumns(tasks);

export const findTask = (work: Work, id: string): TaskState | undefined =>
	work.tx
		.select(stateColumns)
		.from(tasks)
		.where(and(eq(tasks.environmentId, work.actor.environmentId), eq(tasks.id, id)))
		.get();

/** Selects tasks of one type in one state, in the order of the index. */
export const selectListed = (
	work: Work,
	{ type, status }: Pick<TaskState, "type" | "status">,
	{ beyond, order, rowsMax }: { beyond: SQL | undefined; order: SQL; rowsMax: number },
): TaskState[] =>
	work.tx
		.select(stateColumns)
		.from(tasks)
		.where(
			and(eq(tasks.environmentId, work.actor.environmentId), eq(tasks.type, type), eq(tasks.status, status), beyond),
		)
		.orderBy(order)
		.limit(rowsMax)
		.all();

/** Finds a task of any environment, for the thread that has claimed it. */
export function getTaskState(work: Work, id: string): TaskState {
	const task = work.tx.select(stateColumns).from(tasks).where(eq(tasks.id, id)).get();
	assert(task, "a task that is worked off is not removed");
	return task;
}

export const selectPayload = (work: Work, id: string): unknown =>
	work.tx.select({ payload: tasks.payload }).from(tasks).where(eq(tasks.id, id)).get()?.payload;

export const findRunning = (work: Work, type: TaskType, dedupeKey: string): TaskState | undefined =>
	work.tx
		.select(stateColumns)
		.from(tasks)
		.where(
			and(
				eq(tasks.environmentId, work.actor.environmentId),
				eq(tasks.type, type),
				eq(tasks.dedupeKey, dedupeKey),
				inArray(tasks.status, ["PENDING", "IN_PROGRESS"]),
			),
		)
		.get();

export const insertTask = (
	work: Work,
	task: Pick<TaskRow, "type" | "dedupeKey" | "payload" | "totalCount" | "dueAt">,
): TaskState =>
	work.tx
		.insert(tasks)
		.values({
			...task,
			id: work.newId(),
			environmentId: work.actor.environmentId,
			status: "PENDING",
			createdAt: work.machineNow,
		})
		.returning(stateColumns)
		.get();

/**
 * Selects the next due task of all environments, in order of due time. A task with a time later than `aheadMaxMs` from now is due too.
 */
export const nextDue = (work: Work, types: readonly TaskType[], aheadMaxMs: number): TaskState | undefined =>
	work.tx
		.select(stateColumns)
		.from(tasks)
		.where(
			and(
				inArray(tasks.type, [...types]),
				eq(tasks.status, "PENDING"),
				or(lte(tasks.dueAt, work.machineNow), gt(tasks.dueAt, (work.machineNow + aheadMaxMs) as Instant)),
			),
		)
		.orderBy(asc(tasks.dueAt), asc(tasks.id))
		.limit(1)
		.get();

export function changeTask(work: Work, task: TaskState, changes: Partial<TaskRow>): TaskState {
	work.tx.update(tasks).set(changes).where(eq(tasks.id, task.id)).run();
	return { ...task, ...changes };
}

/** Selects claimed tasks. */
export const inProgress = (work: Work, types: readonly TaskType[]): TaskState[] =>
	work.tx
		.select(stateColumns)
		.from(tasks)
		.where(and(inArray(tasks.type, [...types]), eq(tasks.status, "IN_PROGRESS")))
		.all();

/** Selects the first due time. It runs at every change of the main file, so it does not read payloads, which may be megabytes. */
export const selectFirstDueAt = (work: Work, types: readonly TaskType[]): Instant | undefined =>
	work.tx
		.select({ dueAt: tasks.dueAt })
		.from(tasks)
		.where(and(inArray(tasks.type, [...types]), eq(tasks.status, "PENDING")))
		.orderBy(asc(tasks.dueAt))
		.limit(1)
		.get()?.dueAt;

export function insertErrors(work: Work, { id: taskId }: Pick<TaskState, "id">, errors: readonly TaskError[]): void {
	if (errors.length === 0) return;
	const last = work.tx
		.select({ position: max(taskErrors.position) })
		.from(taskErrors)
		.where(eq(taskErrors.taskId, taskId))
		.get();
	const next = (last?.position ?? -1) + 1;
	const rows = errors.map(({ id: itemId, error }, at) => ({ taskId, position: next + at, itemId, error }));
	insertRows(work, taskErrors, rows);
}

export const countErrors = (work: Work, { id }: Pick<TaskState, "id">): number =>
	work.tx.select({ rows: count() }).from(taskErrors).where(eq(taskErrors.taskId, id)).get()?.rows ?? 0;

export const selectErrors = (work: Work, { id }: Pick<TaskState, "id">, rowsMax: number): TaskError[] =>
	work.tx
		.select({ id: taskErrors.itemId, error: taskErrors.error })
		.from(taskErrors)
		.where(eq(taskErrors.taskId, id))
		.orderBy(asc(taskErrors.position))
		.limit(rowsMax)
		.all();

export const selectItemsAmong = (work: Work, { id }: Pick<TaskState, "id">, itemIds: readonly string[]): string[] =>
	work.tx
		.select({ itemId: taskErrors.itemId })
		.from(taskErrors)
		.where(and(eq(taskErrors.taskId, id), inArray(taskErrors.itemId, [...itemIds])))
		.all()
		.map(({ itemId }) => itemId);

const types = Object.keys(taskTypes) as TaskType[];
const passing = types.filter((type) => !taskTypes[type].stays);

/** Selects ended tasks of all environments, the earliest first. */
export const selectEndedBefore = (work: Work, before: Instant, rowsMax: number): string[] =>
	work.tx
		.select({ id: tasks.id })
		.from(tasks)
		.where(and(lt(tasks.endedAt, before), inArray(tasks.type, passing)))
		.orderBy(asc(tasks.endedAt))
		.limit(rowsMax)
		.all()
		.map(({ id }) => id);

/** Deletes tasks with their errors. Returns the number of rows. */
export function deleteErrors(work: Work, taskIds: readonly string[], rowsMax: number): number {
	const piece = work.tx
		.select({ rowid: sql`rowid` })
		.from(taskErrors)
		.where(inArray(taskErrors.taskId, [...taskIds]))
		.limit(rowsMax);
	return work.tx.delete(taskErrors).where(inArray(sql`rowid`, piece)).returning({ taskId: taskErrors.taskId }).all()
		.length;
}

export const deleteTasks = (work: Work, ids: readonly string[]): number =>
	work.tx
		.delete(tasks)
		.where(inArray(tasks.id, [...ids]))
		.returning({ id: tasks.id })
		.all().length;
