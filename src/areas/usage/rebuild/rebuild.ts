import { Value } from "@sinclair/typebox/value";
import type { Log } from "../../../http/log";
import { shownMessage } from "../../../kernel/errors";
import type { Transactions } from "../../../kernel/work";
import type { Write } from "../../../server/writer-calls";
import { msUntilNext } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import { systemActor } from "../../access/rules.actors";
import type { Aggregator } from "../counting/aggregator";
import { RebuildPayload } from "./schema";

const types = ["REBUILD_USAGE"] as const;
const queueActor = systemActor("");

/** Our choice: how often a task says how far it has come. */
const tellMs = 1000;

export interface RebuildsOptions {
	readonly aggregator: Pick<Aggregator, "rebuild" | "progressOf">;
	/** They read. */
	readonly transactions: Transactions;
	/** Asks the thread that writes the main file. */
	readonly write: Write;
	readonly log: Pick<Log, "error" | "warn">;
}

/**
 * The tasks by which usage is counted anew, one after the other. The counting itself is the aggregator's, in its own steps;
 * this begins it, tells how far it has come, and ends the task when all has taken its place.
 */
export class Rebuilds {
	readonly #options: RebuildsOptions;
	#task: TaskRow | undefined;
	#doneCount = 0;
	#lookAtMs = Number.NEGATIVE_INFINITY;
	#lookedAtEpoch: number | undefined;
	#hasReleased = false;

	constructor(options: RebuildsOptions) {
		this.#options = options;
	}

	/** Whether a task is being carried out. */
	get isBusy(): boolean {
		return this.#task !== undefined;
	}

	/** Whether a task is being carried out, or waits for that. */
	get hasTasks(): boolean {
		const { transactions } = this.#options;
		return this.isBusy || transactions.read(queueActor, (work) => msUntilNext(work, types)) !== undefined;
	}

	/** Looks after the tasks; to be called between two steps of counting. What the writer does not take now is told again later. */
	async look(): Promise<void> {
		if (performance.now() < this.#lookAtMs) return;
		try {
			if (this.#task) await this.#goOn(this.#task);
			else await this.#claim();
		} catch (error) {
			this.#options.log.warn({ err: error }, "the task that counts usage anew is looked at again shortly");
			this.#lookAtMs = performance.now() + tellMs;
		}
	}

	async #claim(): Promise<void> {
		const { transactions, write, aggregator, log } = this.#options;
		// What was claimed when the one before this died.
		if (!this.#hasReleased) await write(queueActor, "releaseTasks", types);
		this.#hasReleased = true;
		const epoch = transactions.epoch();
		if (epoch === this.#lookedAtEpoch) return;
		const dueInMs = transactions.read(queueActor, (work) => msUntilNext(work, types));
		// What was put off comes with no change of the file.
		this.#lookedAtEpoch = dueInMs === undefined ? epoch : undefined;
		if (dueInMs !== 0) {
			this.#lookAtMs = performance.now() + Math.min(tellMs, dueInMs ?? 0);
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

	async #goOn(task: TaskRow): Promise<void> {
		const { write, aggregator } = this.#options;
		const progress = aggregator.progressOf(task.id);
		if (!progress || progress.isDone) {
			await write(queueActor, "completeTask", task);
			this.#task = undefined;
			return;
		}
		// All of it is done only when it has taken its place.
		const doneCount = Math.min(progress.countedTo, task.totalCount - 1);
		if (doneCount > this.#doneCount) await write(queueActor, "progressTask", { task, doneCount });
		this.#doneCount = doneCount;
		this.#lookAtMs = performance.now() + tellMs;
	}
}
