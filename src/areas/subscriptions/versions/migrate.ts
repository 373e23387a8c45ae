import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { assert, DomainError } from "../../../kernel/errors";
import type { Doors, Work } from "../../../kernel/work";
import { completeTask, failedAmong, progressTask } from "../../../tasks/operations";
import { type IsStopping, neverStops, type TaskError } from "../../../tasks/rules";
import type { TaskRow } from "../../../tasks/table";
import { systemActor } from "../../access/rules.actors";
import { getVersionById } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import type { SubscriptionRow } from "../table";
import { selectBehind } from "./store";
import { moveToVersion } from "./version-change";

/** Our choice: short enough that no other writer waits for long. */
export const subscriptionsPerTransaction = 50;

/** What is kept of a publication: the version, of a plan or an addon, that running subscriptions follow to. */
export const MigrationPayload = Type.Object({ versionId: Type.String() }, { additionalProperties: false });
export type MigrationPayload = Static<typeof MigrationPayload>;

/**
 * Moves every running subscription that holds an older version to the published one. What a transaction has moved and how
 * far the task has come are committed together, and what is moved is no longer behind: so a job that was killed begins
 * again at the front, passes over what it has refused before, and does nothing twice; so does one that has seen a stop between
 * two transactions. A subscription that cannot be sold on the new terms stays where it is, and is recorded with the reason.
 */
export async function runMigration(doors: Doors, task: TaskRow, isStopping: IsStopping = neverStops): Promise<void> {
	const actor = systemActor(task.environmentId);
	const payload: unknown = task.payload;
	assert(Value.Check(MigrationPayload, payload), `the payload of migration ${task.id} is what was queued`);
	let step: Step | undefined = { task, afterId: "" };
	let last = task;
	while (step) {
		const from: Step = step;
		step = doors.write(actor, (work) => moveNext(work, getVersionById(work, payload.versionId), from));
		last = step?.task ?? last;
		// A gap between two transactions lets other writers in and the loop see a stop.
		await Bun.sleep(0);
		if (step && isStopping()) return;
	}
	doors.write(actor, (work) => completeTask(work, last));
}

interface Step {
	readonly task: TaskRow;
	/** The row id of the subscription that was looked at last. */
	readonly afterId: string;
}

/** One transaction's worth; undefined when nothing is behind any more. */
function moveNext(work: Work, target: VersionRow, { task, afterId }: Step): Step | undefined {
	const behind = selectBehind(work, target, afterId, subscriptionsPerTransaction);
	const last = behind.at(-1);
	if (!last) return undefined;
	const refusedBefore = failedAmong(
		work,
		task,
		behind.map(({ refId }) => refId),
	);
	const errors: TaskError[] = [];
	const fresh = behind.filter(({ refId }) => !refusedBefore.has(refId));
	for (const subscription of fresh) {
		const refusal = refusalOf(work, subscription, target);
		if (refusal) errors.push({ id: subscription.refId, error: `${refusal.code}: ${refusal.message}` });
	}
	// Subscriptions may have ended, or been revived by an import, since they were counted.
	const doneCount = Math.min(task.doneCount + fresh.length, task.totalCount);
	return { task: progressTask(work, task, doneCount, errors), afterId: last.id };
}

/** Each has a savepoint of its own: a refused one is left as it was, the others stay moved. */
function refusalOf(work: Work, subscription: SubscriptionRow, target: VersionRow): DomainError | undefined {
	try {
		work.tx.transaction(() => moveToVersion(work, subscription, target));
		return undefined;
	} catch (error) {
		if (error instanceof DomainError) return error;
		throw error;
	}
}
