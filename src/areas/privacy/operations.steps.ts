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

/** What a piece of a step has done. */
export interface ErasedPiece {
	readonly changed: number;
	/** Where the step goes on; undefined when it is done. */
	readonly next: string | undefined;
}

/** Writes down how far an erasure is, in the transaction of what was done. */
export function keepPiece(work: Work, erasure: ErasureRow, task: TaskState, { changed, next }: ErasedPiece): void {
	const { erased, step } = erasure;
	const at = stepIndex(erasure);
	changeErasure(work, erasure, {
		...(next === undefined ? { step: erasureSteps[at + 1] ?? "done", place: "" } : { place: next }),
		...(changed > 0 && { erased: { ...erased, [step]: (erased[step] ?? 0) + changed } }),
	});
	progressTask(work, task, next === undefined ? at + 1 : at);
}

/** One that a former release was at is no step any more: all are gone through once more, which does no harm. */
export const stepIndex = ({ step }: ErasureRow): number => Math.max(0, erasureSteps.indexOf(step));

/** Has another thread carry out a step, in the file that it writes, while the erasure's own task waits for it. */
export function leaveToOthers(work: Work, erasure: ErasureRow, task: TaskState, step: StepElsewhere): void {
	if (keyOf(work, erasure.id) === undefined) setPayload(work, task, { key: randomBytes(32).toString("base64url") });
	enqueueTask(work, { type: stepsElsewhere[step], payload: { erasureId: erasure.id }, dedupeKey: erasure.id });
	waitForOthers(work, task);
}

const ErasurePayload = Type.Object({ key: Type.Optional(Type.String()) });

/** By which tokens are made of values: random, and forgotten with the end of the task, so that nobody can try what was erased. */
function keyOf(work: Work, taskId: string): string | undefined {
	const payload = payloadOf(work, taskId);
	return Value.Check(ErasurePayload, payload) ? payload.key : undefined;
}

/** Where a step elsewhere goes on, and whose data it erases; undefined when it is done. */
export function findPlace(
	work: Work,
	erasureId: string,
	step: StepElsewhere,
): { readonly customer: CustomerRow; readonly place: string; readonly key: string } | undefined {
	const erasure = getErasure(work, erasureId);
	if (erasure.step !== step) return undefined;
	const key = keyOf(work, erasureId);
	assert(key !== undefined, "an erasure has its key as long as it is under way");
	return { customer: getCustomerById(work, erasure.customerId), place: erasure.place, key };
}

/** A piece that another thread has done in its own file. */
export interface ErasedElsewhere extends ErasedPiece {
	readonly erasureId: string;
	readonly step: StepElsewhere;
	/** Where it began: what is told a second time changes nothing. */
	readonly place: string;
}

/** Writes down what another thread has done; with the last of it the erasure's own task goes on. */
export function keepErased(work: Work, { erasureId, step, place, ...piece }: ErasedElsewhere): void {
	const erasure = getErasure(work, erasureId);
	if (erasure.step !== step || erasure.place !== place) return;
	const task = getClaimedTask(work, erasureId);
	keepPiece(work, erasure, task, piece);
	if (piece.next === undefined) goOn(work, task);
}
