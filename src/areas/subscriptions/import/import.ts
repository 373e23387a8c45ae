import { Value } from "@sinclair/typebox/value";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type JobThread, workThrough } from "../../../tasks/job";
import { completeTask, deletePayload, getClaimedTask, progressTask } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import type { TimeSlices } from "../../../tasks/time-slices";
import { systemActor } from "../../access/rules.actors";
import { importItem, salesOf } from "./item";
import { SubscriptionImport, type SubscriptionImportItem } from "./schema";

/**
 * Runs an import, as many items in each time slice as fit. The items and the task's progress are committed together, so
 * a job that is killed or stopped continues after the last commit, and no item is imported twice. A rejected item is
 * recorded with its index and skipped.
 */
export async function runImport({ transactions, turns, isStopping }: JobThread, task: TaskRow): Promise<void> {
	const actor = systemActor(task.environmentId);
	const payload: unknown = task.payload;
	assert(Value.Check(SubscriptionImport, payload), `the payload of import ${task.id} is what was queued`);
	for (let isDone = false; !isDone; ) {
		await turns.next();
		if (isStopping()) return;
		const step = transactions.write(actor, (work) => {
			work.cause.operation = task.type;
			return importNext(work, task, payload.subscriptions, turns);
		});
		if (step.fault) throw step.fault.error;
		isDone = step.isDone;
	}
}

/** Imports the items of one time slice. Returns whether it was the last. */
function importNext(work: Work, { id }: TaskRow, items: readonly SubscriptionImportItem[], turns: TimeSlices) {
	const task = getClaimedTask(work, id);
	const from = task.doneCount;
	const sell = salesOf(work);
	const { doneCount, refused, fault } = workThrough(work, turns, items.slice(from), (item) =>
		importItem(work, item, sell),
	);
	const errors = refused.map(({ item, at, refusal }) => ({
		id: item.id,
		error: `Item ${from + at}: ${refusal.code}: ${refusal.message}`,
	}));
	const current = progressTask(work, task, from + doneCount, errors);
	const isDone = current.doneCount === items.length;
	if (isDone) completeTask(work, deletePayload(work, current));
	return { isDone, fault };
}
