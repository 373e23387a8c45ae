import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type JobThread, workThrough } from "../../../tasks/job";
import { completeTask, failedAmong, getClaimedTask, progressTask } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import type { TimeSlices } from "../../../tasks/time-slices";
import { systemActor } from "../../access/rules.actors";
import { getVersionById } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import { selectBehind } from "./store";
import { moveToVersion } from "./version-change";

/** About as many rows as one time slice moves; reading them takes a small part of it. */
const readAtOnce = 20;

/** The stored request of a publication: the version that active subscriptions move to. */
export const MigrationPayload = Type.Object({ versionId: Type.String() }, { additionalProperties: false });
export type MigrationPayload = Static<typeof MigrationPayload>;

/**
 * Moves every active subscription on an older version to the published one, as many in each time slice as fit. The
 * moves and the task's progress are committed together, and moved subscriptions are no longer behind. So a job that is
 * killed or stopped starts from the front again, skips the subscriptions that it rejected before, and moves none twice.
 * A subscription that cannot be sold on the new terms stays as it is, with the reason in the task.
 */
export async function runMigration({ transactions, turns, isStopping }: JobThread, task: TaskRow): Promise<void> {
	const actor = systemActor(task.environmentId);
	const payload: unknown = task.payload;
	assert(Value.Check(MigrationPayload, payload), `the payload of migration ${task.id} is what was queued`);
	let afterId: string | undefined = "";
	while (afterId !== undefined) {
		await turns.next();
		if (isStopping()) return;
		const from: string = afterId;
		const step = transactions.write(actor, (work) => {
			work.cause.operation = task.type;
			return moveNext(work, task, { target: getVersionById(work, payload.versionId), afterId: from }, turns);
		});
		if (step.fault) throw step.fault.error;
		afterId = step.lastId;
	}
}

interface From {
	readonly target: VersionRow;
	/** The row id of the last subscription that was visited. */
	readonly afterId: string;
}

/**
 * Moves the subscriptions of one time slice. Returns the last visited row id; undefined after the last subscription.
 */
function moveNext(work: Work, { id }: TaskRow, { target, afterId }: From, turns: TimeSlices) {
	const task = getClaimedTask(work, id);
	const behind = selectBehind(work, target, afterId, readAtOnce);
	if (behind.length === 0) {
		completeTask(work, task);
		return {};
	}
	const refusedBefore = failedAmong(
		work,
		task,
		behind.map(({ refId }) => refId),
	);
	const fresh = behind.filter(({ refId }) => !refusedBefore.has(refId));
	const { doneCount, refused, fault } = workThrough(work, turns, fresh, (subscription) =>
		moveToVersion(work, subscription, target),
	);
	const errors = refused.map(({ item, refusal }) => ({
		id: item.refId,
		error: `${refusal.code}: ${refusal.message}`,
	}));
	// Subscriptions may have ended, or been restored by an import, since they were counted.
	progressTask(work, task, Math.min(task.doneCount + doneCount, task.totalCount), errors);
	const last = doneCount === fresh.length ? behind.at(-1) : fresh[doneCount - 1];
	return { lastId: last?.id ?? afterId, fault };
}
