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
	/** Of whoever turns the clock. */
	readonly cause?: Cause;
	/**
	 * Where a frozen clock is turned to, along with the steps; it is left alone as soon as somebody has released it. Left out:
	 * what is due by the environment's own time is carried out, whichever clock that is, and no clock is turned.
	 */
	readonly turnTo?: Instant;
	readonly onStep: (step: DueStep) => void;
}

/**
 * Carries out what falls due in an environment, in order of due time, for one turn and at most so many steps:
 * each at its own time and in one transaction with what it changes. A test clock goes along in the same transactions, so
 * that whatever way this ends, nothing is lost and nothing happens twice: going on is calling it again. Answers whether
 * nothing is left to do.
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

/** The next step; undefined when none is due. Then a test clock has arrived. */
function takeStep(work: Work, { turnTo, cause }: Sweep): DueStep | undefined {
	if (turnTo === undefined) return runNextDue(work, work.now);
	const { id, clockAt } = getOwnEnvironment(work);
	if (clockAt === null) return undefined;
	const step = runNextDue(work, turnTo);
	// Without a step it is the turning itself.
	Object.assign(work.cause, step ? { requestId: cause?.requestId, address: cause?.address } : cause);
	// A step may have been due before the clock was frozen: the clock never goes back.
	const to = step ? step.at : turnTo;
	if (clockAt < to) changeEnvironment(work, id, { clockAt: to });
	return step;
}
