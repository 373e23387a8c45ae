import type { Scope } from "../areas/access/rules.actors";
import type { WorkerName } from "../kernel/work";

/**
 * The types of tasks: the thread that runs each, the scope to read it, and whether it stays after its end. The result of a simulation is read
 * by its task, as long as the plan keeps it.
 */
export const taskTypes = {
	RENDER_INVOICE: { worker: "renderer", scope: "INVOICE:READ", stays: false },
	IMPORT_SUBSCRIPTIONS: { worker: "importer", scope: "SUBSCRIPTION:READ", stays: false },
	MIGRATE_SUBSCRIPTIONS: { worker: "importer", scope: "SUBSCRIPTION:READ", stays: false },
	IMPORT_BANK_STATEMENTS: { worker: "importer", scope: "INVOICE:READ", stays: false },
	MAKE_DIRECT_DEBIT_FILE: { worker: "importer", scope: "INVOICE:READ", stays: false },
	SETTLE_DIRECT_DEBITS: { worker: "importer", scope: "INVOICE:READ", stays: false },
	SIMULATE_PLAN: { worker: "importer", scope: "CATALOG:READ", stays: true },
	ERASE_CUSTOMER: { worker: "importer", scope: "CUSTOMER:READ", stays: false },
	ERASE_PDFS: { worker: "renderer", scope: "CUSTOMER:READ", stays: false },
	ERASE_DELIVERIES: { worker: "deliverer", scope: "CUSTOMER:READ", stays: false },
	ERASE_EVENTS: { worker: "aggregator", scope: "CUSTOMER:READ", stays: false },
	REBUILD_USAGE: { worker: "aggregator", scope: "ENVIRONMENT:READ", stays: false },
	SEND_MAIL: { worker: "deliverer", scope: "MEMBER:READ", stays: false },
} as const satisfies Record<string, { worker: WorkerName; scope: Scope; stays: boolean }>;

export type TaskType = keyof typeof taskTypes;

/** Source: docs/interface/http.md#tasks. */
export const taskStatuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "PARTIALLY_FAILED", "FAILED", "CANCELED"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** An error of a task: the id of the item, and the reason. */
export interface TaskError {
	readonly id: string;
	readonly error: string;
}

/** The allowed transitions. A claimed task returns to PENDING when its thread dies. */
export const taskTransitions: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
	PENDING: ["IN_PROGRESS", "FAILED", "CANCELED"],
	IN_PROGRESS: ["PENDING", "COMPLETED", "PARTIALLY_FAILED", "FAILED", "CANCELED"],
	COMPLETED: [],
	PARTIALLY_FAILED: [],
	FAILED: [],
	CANCELED: [],
};

/** A task that failed five times without progress is abandoned, because it would always fail. */
export const attemptsMax = 5;

/**
 * A machine may lose power, or a supervisor may kill the process, several times during a task. A task without progress
 * after so many crashes is considered their cause.
 */
export const crashesMax = 20;

/** These attempts last two hours. A mail server may be down that long. */
const mailAttemptsMax = 12;

export const attemptsMaxOf = (type: TaskType): number => (type === "SEND_MAIL" ? mailAttemptsMax : attemptsMax);

/** Returns the pause after an attempt. It doubles with each attempt. */
export const retryPauseMs = (attempts: number): number => 1000 * 2 ** attempts;

/**
 * The longest wait of a task. A task with a later time was delayed before the machine's clock was set back, and is due.
 */
export const retryPauseMaxMs = retryPauseMs(mailAttemptsMax);

/** The longest interval between two checks of a task that waits for other work. */
export const waitMsMax = 10 * 60 * 1000;

/** Our choice (docs/interface/http.md#tasks): a task can be read for 30 days after its end. */
export const endedKeptMs = 30 * 24 * 60 * 60 * 1000;

/** The number of errors that a task shows; `failedSubtasksCount` counts them all. */
export const errorsShownMax = 1000;

/** Returns the final status: all, some or none of the subtasks failed. */
export function endStatus(totalCount: number, errorCount: number): "COMPLETED" | "PARTIALLY_FAILED" | "FAILED" {
	if (errorCount === 0) return "COMPLETED";
	return errorCount >= totalCount ? "FAILED" : "PARTIALLY_FAILED";
}

/** Returns the progress in whole percent, rounded down: 100 means ended. */
export const progressPercent = ({ doneCount, totalCount }: { doneCount: number; totalCount: number }): number =>
	totalCount === 0 ? 0 : Math.floor((doneCount * 100) / totalCount);
