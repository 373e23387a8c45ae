import type { Scope, WorkerName } from "../kernel/work";

/** Each type of task, the thread that runs it, and what a key needs to read it. */
export const taskTypes = {
	RENDER_INVOICE: { worker: "renderer", scope: "INVOICE:READ" },
	IMPORT_SUBSCRIPTIONS: { worker: "importer", scope: "SUBSCRIPTION:READ" },
	MIGRATE_SUBSCRIPTIONS: { worker: "importer", scope: "SUBSCRIPTION:READ" },
	SIMULATE_PLAN: { worker: "importer", scope: "CATALOG:READ" },
} as const satisfies Record<string, { worker: WorkerName; scope: Scope }>;

export type TaskType = keyof typeof taskTypes;

/** Source: choices.md, imports; semantics-extra 20. */
export const taskStatuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "PARTIALLY_FAILED", "FAILED", "CANCELED"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** What failed inside a task: the id of the item, and why. */
export interface TaskError {
	readonly id: string;
	readonly error: string;
}

/** From each status, the ones that may follow. A claimed task goes back to PENDING when its thread died. */
export const taskTransitions: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
	PENDING: ["IN_PROGRESS", "FAILED", "CANCELED"],
	IN_PROGRESS: ["PENDING", "COMPLETED", "PARTIALLY_FAILED", "FAILED", "CANCELED"],
	COMPLETED: [],
	PARTIALLY_FAILED: [],
	FAILED: [],
	CANCELED: [],
};

/** Our choice: a task that brought its thread down five times would do so for ever. */
export const attemptsMax = 5;

/** Where a task ends: all failed, some failed, none failed. */
export function endStatus(totalCount: number, errorCount: number): "COMPLETED" | "PARTIALLY_FAILED" | "FAILED" {
	if (errorCount === 0) return "COMPLETED";
	return errorCount >= totalCount ? "FAILED" : "PARTIALLY_FAILED";
}

/** Whole percent, cut: 100 means ended. */
export const progressPercent = ({ doneCount, totalCount }: { doneCount: number; totalCount: number }): number =>
	totalCount === 0 ? 0 : Math.floor((doneCount * 100) / totalCount);
