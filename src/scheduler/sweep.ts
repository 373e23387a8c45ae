import { changeEnvironment, getOwnEnvironment } from "../areas/access/operations";
import type { Instant } from "../kernel/clock";
import type { DueStep } from "../kernel/due";
import { onceHere } from "../kernel/storage/failures";
import type { Actor, Cause, Work } from "../kernel/work";
import type { JobThread } from "../tasks/job";
import { runNextDue } from "./sources";

export interface Sweep extends JobThread {
	/** The service itself, in the environment whose steps are due. */
	readonly actor: Actor;
	/** The actor that advances the clock. */
	readonly cause?: Cause;
	/**
	 * The target of a frozen clock, which advances with the steps, until a caller releases it. Without it, steps that are due by the
	 * environment's own time are carried out, and no clock is advanced.
	 */
	readonly turnTo?: Instant;
	readonly onStep: (step: DueStep) => void;
}

/**
 * Carries out due steps of an environment, in order of due time, for one turn and at most a number of steps: each at its own time and in one
 * transaction with its changes. A test clock advances in the same transactions, so that after any interruption nothing is lost or repeated:
 * another call continues. Returns whether nothing is left to do.
 */
export async function sweepTurn(sweep: Sweep, stepsMax = Number.POSITIVE_INFINITY): Promise<boolean> {
	const { transactions, turns, actor, isStopping, onStep } = sweep;
	await turns.next();
	if (isStopping()) return false;
	for (let steps = 0; steps < stepsMax; steps += 1) {
		const step = await onceHere(() => transactions.write(actor, (work) => takeStep(work, sweep)));
		if (!step) return true;
		onStep(step);
		if (turns.isOver()) return false;
	}
	return false;
}

/** Carries out the next step; undefined if none is due. Then a test clock has reached its target. */
function takeStep(work: Work, { turnTo, cause }: Sweep): DueStep | undefined {
	if (turnTo === undefined) return runNextDue(work, work.now);
	const { id, clockAt } = getOwnEnvironment(work);
	if (clockAt === null) return undefined;
	const step = runNextDue(work, turnTo);
	// Without a step, the clock itself advances.
	Object.assign(work.cause, step ? { requestId: cause?.requestId, address: cause?.address } : cause);
	// A step may have been due before the clock was frozen: the clock never goes back.
	const to = step ? step.at : turnTo;
	if (clockAt < to) changeEnvironment(work, id, { clockAt: to });
	return step;
}
