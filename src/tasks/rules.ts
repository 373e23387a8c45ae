import type { Scope } from "../areas/access/rules.actors";
import type { WorkerName } from "../kernel/work";

/**
 * Each type of task, the thread that runs it, what a key needs to read it, and whether it stays when it has ended: what a
 * simulation has found is read by its task, for as long as the plan keeps it.
 */
export const taskTypes = {
	RENDER_INVOICE: { worker: "renderer", scope: "INVOICE:READ", stays: false },
	IMPORT_SUBSCRIPTIONS: { worker: "importer", scope: "SUBSCRIPTION:READ", stays: false },
	MIGRATE_SUBSCRIPTIONS: { worker: "importer", scope: "SUBSCRIPTION:READ", stays: false },
	SIMULATE_PLAN: { worker: "importer", scope: "CATALOG:READ", stays: true },
	ERASE_CUSTOMER: { worker: "importer", scope: "CUSTOMER:READ", stays: false },
	ERASE_PDFS: { worker: "renderer", scope: "CUSTOMER:READ", stays: false },
	ERASE_DELIVERIES: { worker: "deliverer", scope: "CUSTOMER:READ", stays: false },
	ERASE_EVENTS: { worker: "aggregator", scope: "CUSTOMER:READ", stays: false },
	REBUILD_USAGE: { worker: "aggregator", scope: "ENVIRONMENT:READ", stays: false },
	SEND_MAIL: { worker: "deliverer", scope: "MEMBER:READ", stays: false },
} as const satisfies Record<string, { worker: WorkerName; scope: Scope; stays: boolean }>;

export type TaskType = keyof typeof taskTypes;

/** Source: docs/interface/http.md. */
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

/** Our choice: a task that failed five times, and got no further, would do so for ever. */
export const attemptsMax = 5;

/**
 * Our choice: a machine may lose its power, or a supervisor may kill the process, several times while one task runs. A task during
 * which that happened so often, and which got no further, is taken for the cause.
 */
export const crashesMax = 20;

/** Our choice: a mail server may be away for two hours. */
const mailAttemptsMax = 12;

export const attemptsMaxOf = (type: TaskType): number => (type === "SEND_MAIL" ? mailAttemptsMax : attemptsMax);

/** Before it is tried again after so many attempts: a pause that doubles. */
export const retryPauseMs = (attempts: number): number => 1000 * 2 ** attempts;

/**
 * No task waits longer than this. One whose time lies further ahead was put off before the machine's clock was set back,
 * and is due.
 */
export const retryPauseMaxMs = retryPauseMs(mailAttemptsMax);

/** Our choice: a task that waits for others looks by itself whether they are still at it. */
export const waitMsMax = 10 * 60 * 1000;

/** Our choice: how long a task can be read after it has ended, 30 days. */
export const endedKeptMs = 30 * 24 * 60 * 60 * 1000;

/** Our choice: as many errors of one task as a person reads; `failedSubtasksCount` counts them all. */
export const errorsShownMax = 1000;

/** Where a task ends: all failed, some failed, none failed. */
export function endStatus(totalCount: number, errorCount: number): "COMPLETED" | "PARTIALLY_FAILED" | "FAILED" {
	if (errorCount === 0) return "COMPLETED";
	return errorCount >= totalCount ? "FAILED" : "PARTIALLY_FAILED";
}

/** Whole percent, cut: 100 means ended. */
export const progressPercent = ({ doneCount, totalCount }: { doneCount: number; totalCount: number }): number =>
	totalCount === 0 ? 0 : Math.floor((doneCount * 100) / totalCount);
