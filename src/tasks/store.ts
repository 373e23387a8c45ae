import { and, asc, eq, inArray, lte } from "drizzle-orm";
import type { Work } from "../kernel/work";
import type { TaskType } from "./rules";
import { type TaskRow, tasks } from "./table";

export const findTask = (work: Work, id: string): TaskRow | undefined =>
	work.tx
		.select()
		.from(tasks)
		.where(and(eq(tasks.environmentId, work.actor.environmentId), eq(tasks.id, id)))
		.get();

export const findRunning = (work: Work, type: TaskType, dedupeKey: string): TaskRow | undefined =>
	work.tx
		.select()
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
): TaskRow =>
	work.tx
		.insert(tasks)
		.values({
			...task,
			id: work.newId(),
			environmentId: work.actor.environmentId,
			status: "PENDING",
			errors: [],
			createdAt: work.machineNow,
		})
		.returning()
		.get();

/** The queue is one for all environments: the threads serve every one, in order of due time. */
export const nextDue = (work: Work, types: readonly TaskType[]): TaskRow | undefined =>
	work.tx
		.select()
		.from(tasks)
		.where(and(inArray(tasks.type, [...types]), eq(tasks.status, "PENDING"), lte(tasks.dueAt, work.machineNow)))
		.orderBy(asc(tasks.dueAt), asc(tasks.id))
		.limit(1)
		.get();

export const changeTask = (work: Work, id: string, changes: Partial<TaskRow>): TaskRow =>
	work.tx.update(tasks).set(changes).where(eq(tasks.id, id)).returning().get();

/** Tasks that a thread had claimed when it died. */
export const inProgress = (work: Work, types: readonly TaskType[]): TaskRow[] =>
	work.tx
		.select()
		.from(tasks)
		.where(and(inArray(tasks.type, [...types]), eq(tasks.status, "IN_PROGRESS")))
		.all();

export const firstPending = (work: Work, types: readonly TaskType[]): TaskRow | undefined =>
	work.tx
		.select()
		.from(tasks)
		.where(and(inArray(tasks.type, [...types]), eq(tasks.status, "PENDING")))
		.orderBy(asc(tasks.dueAt))
		.limit(1)
		.get();
