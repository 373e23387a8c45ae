import { randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import {
	enqueueTask,
	getClaimedTask,
	goOn,
	payloadOf,
	progressTask,
	setPayload,
	waitForOthers,
} from "../../tasks/operations";
import type { TaskState } from "../../tasks/table";
import { getCustomerById } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { erasureSteps, type StepElsewhere, stepsElsewhere } from "./rules.erasure";
import { changeErasure, getErasure } from "./store.erasures";
import type { ErasureRow } from "./table";

/** The result of one batch of a step. */
export interface ErasedPiece {
	readonly changed: number;
	/** The start of the next batch; undefined when the step is done. */
	readonly next: string | undefined;
}

/** Records the progress of an erasure in the transaction of the batch. */
export function keepPiece(work: Work, erasure: ErasureRow, task: TaskState, { changed, next }: ErasedPiece): void {
	const { erased, step } = erasure;
	const at = stepIndex(erasure);
	changeErasure(work, erasure, {
		...(next === undefined ? { step: erasureSteps[at + 1] ?? "done", place: "" } : { place: next }),
		...(changed > 0 && { erased: { ...erased, [step]: (erased[step] ?? 0) + changed } }),
	});
	progressTask(work, task, next === undefined ? at + 1 : at);
}

/** A former release may have stopped at a step that no longer exists. Then all steps run again, which is harmless. */
export const stepIndex = ({ step }: ErasureRow): number => Math.max(0, erasureSteps.indexOf(step));

/** Creates a task for another thread, which carries out a step in its own file. The erasure's task waits for it. */
export function leaveToOthers(work: Work, erasure: ErasureRow, task: TaskState, step: StepElsewhere): void {
	if (keyOf(work, erasure.id) === undefined) setPayload(work, task, { key: randomBytes(32).toString("base64url") });
	enqueueTask(work, { type: stepsElsewhere[step], payload: { erasureId: erasure.id }, dedupeKey: erasure.id });
	waitForOthers(work, task);
}

const ErasurePayload = Type.Object({ key: Type.Optional(Type.String()) });

/**
 * Returns the random key from which tokens derive. It is deleted at the end of the task, so that nobody can test
 * guesses of erased values.
 */
function keyOf(work: Work, taskId: string): string | undefined {
	const payload = payloadOf(work, taskId);
	return Value.Check(ErasurePayload, payload) ? payload.key : undefined;
}

/** Returns where a step of another thread continues, and the customer; undefined when the step is done. */
export function findPlace(
	work: Work,
	erasureId: string,
	step: StepElsewhere,
): { readonly customer: CustomerRow; readonly place: string; readonly key: string } | undefined {
	const erasure = getErasure(work, erasureId);
	if (erasure.step !== step) return undefined;
	const key = keyOf(work, erasureId);
	assert(key !== undefined, "an erasure under way has its key");
	return { customer: getCustomerById(work, erasure.customerId), place: erasure.place, key };
}

/** The result of a batch that another thread has erased in its own file. */
export interface ErasedElsewhere extends ErasedPiece {
	readonly erasureId: string;
	readonly step: StepElsewhere;
	/** The start of the batch. Reporting the same batch twice has no further effect. */
	readonly place: string;
}

/** Records the result of another thread. After the last batch, the erasure's task continues. */
export function keepErased(work: Work, { erasureId, step, place, ...piece }: ErasedElsewhere): void {
	const erasure = getErasure(work, erasureId);
	if (erasure.step !== step || erasure.place !== place) return;
	const task = getClaimedTask(work, erasureId);
	keepPiece(work, erasure, task, piece);
	if (piece.next === undefined) goOn(work, task);
}
