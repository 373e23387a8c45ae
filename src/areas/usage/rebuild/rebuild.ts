import { Value } from "@sinclair/typebox/value";
import type { Log } from "../../../http/log";
import { shownMessage } from "../../../kernel/errors";
import { msUntilNext } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import { systemActor } from "../../access/rules.actors";
import type { Aggregator } from "../counting/aggregator";
import { type BudgetRepairOptions, repairBudgets } from "./budgets";
import { RebuildPayload } from "./schema";

const types = ["REBUILD_USAGE"] as const;
const queueActor = systemActor("");

/** The interval between reports of a task's progress. */
const reportMs = 1000;

/** `write` sends calls to the thread that writes the main file. */
export interface RebuildsOptions extends BudgetRepairOptions {
	readonly aggregator: Pick<Aggregator, "rebuild" | "progressOf">;
	readonly log: Pick<Log, "error" | "warn">;
}

/**
 * Runs the rebuild tasks, one after the other. The aggregator counts in its own steps; this class begins a task,
 * reports its progress, and ends it when the rebuilt totals have taken over and the budgets are repaired.
 */
export class Rebuilds {
	readonly #options: RebuildsOptions;
	#task: TaskRow | undefined;
	#doneCount = 0;
	#nextLookMs = Number.NEGATIVE_INFINITY;
	#readEpoch: number | undefined;
	#hasReleased = false;

	constructor(options: RebuildsOptions) {
		this.#options = options;
	}

	/** Whether a task is running. */
	get isBusy(): boolean {
		return this.#task !== undefined;
	}

	/** Whether a task is running or waits to run. */
	get hasTasks(): boolean {
		const { transactions } = this.#options;
		return this.isBusy || transactions.read(queueActor, (work) => msUntilNext(work, types)) !== undefined;
	}

	/** Advances the tasks, between two steps of counting. Calls that the writer rejects are repeated later. */
	async look(): Promise<void> {
		if (performance.now() < this.#nextLookMs) return;
		try {
			if (this.#task) await this.#advance(this.#task);
			else await this.#claim();
		} catch (error) {
			this.#options.log.warn({ err: error }, "cannot advance the task that rebuilds usage; retrying");
			this.#nextLookMs = performance.now() + reportMs;
		}
	}

	async #claim(): Promise<void> {
		const { transactions, write, aggregator, log } = this.#options;
		// Tasks that a crashed process had claimed.
		if (!this.#hasReleased) await write(queueActor, "releaseTasks", types);
		this.#hasReleased = true;
		const epoch = transactions.epoch();
		if (epoch === this.#readEpoch) return;
		const dueInMs = transactions.read(queueActor, (work) => msUntilNext(work, types));
		// A postponed task becomes due without a change of the file.
		this.#readEpoch = dueInMs === undefined ? epoch : undefined;
		if (dueInMs !== 0) {
			this.#nextLookMs = performance.now() + Math.min(reportMs, dueInMs ?? 0);
			return;
		}
		const task = await write(queueActor, "claimTask", types);
		if (!task) return;
		try {
			const { featureId } = Value.Parse(RebuildPayload, task.payload);
			aggregator.rebuild({ taskId: task.id, environmentId: task.environmentId || null, featureId });
			this.#task = task;
			this.#doneCount = task.doneCount;
		} catch (error) {
			log.error({ taskId: task.id, type: task.type, err: error }, "task failed");
			await write(queueActor, "failTask", { task, error: shownMessage(error, task.id) });
		}
	}

	async #advance(task: TaskRow): Promise<void> {
		const { write, aggregator } = this.#options;
		const progress = aggregator.progressOf(task.id);
		if (!progress || progress.isDone) {
			await repairBudgets(this.#options, task.environmentId || null);
			await write(queueActor, "completeTask", task);
			this.#task = undefined;
			return;
		}
		// The last event counts as done only after the takeover.
		const doneCount = Math.min(progress.countedTo, task.totalCount - 1);
		if (doneCount > this.#doneCount) await write(queueActor, "progressTask", { task, doneCount });
		this.#doneCount = doneCount;
		this.#nextLookMs = performance.now() + reportMs;
	}
}
