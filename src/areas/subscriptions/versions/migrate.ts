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

/** Our choice: as many rows as are read in well under a turn, and about as many as are moved in one. */
const readAtOnce = 20;

/** What is kept of a publication: the version, of a plan or an addon, that running subscriptions follow to. */
export const MigrationPayload = Type.Object({ versionId: Type.String() }, { additionalProperties: false });
export type MigrationPayload = Static<typeof MigrationPayload>;

/**
 * Moves every running subscription that holds an older version to the published one, each turn as many as fit. What a turn
 * has moved and how far the task has come are committed together, and what is moved is no longer behind: so a job that was
 * killed begins again at the front, passes over what it has refused before, and does nothing twice; so does one that has
 * seen a stop between two turns. A subscription that cannot be sold on the new terms stays where it is, and is recorded with
 * the reason.
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
	/** The row id of the subscription that was looked at last. */
	readonly afterId: string;
}

/** One turn's worth. Answers the row id that was looked at last; undefined when nothing was behind any more. */
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
	// Subscriptions may have ended, or been revived by an import, since they were counted.
	progressTask(work, task, Math.min(task.doneCount + doneCount, task.totalCount), errors);
	const last = doneCount === fresh.length ? behind.at(-1) : fresh[doneCount - 1];
	return { lastId: last?.id ?? afterId, fault };
}
