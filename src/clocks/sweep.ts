import { changeEnvironment, getOwnEnvironment } from "../areas/access/operations";
import { type DueStep, runNextDue } from "../areas/subscriptions/lifecycle/operations.due";
import { usageProgress } from "../areas/usage/operations";
import type { Instant } from "../kernel/clock";
import type { Actor, Doors, Work } from "../kernel/work";

/** Our choice: how long steps follow each other before the thread's other business is looked after. */
const sliceMs = 5;

/** Our choice: when the totals have not grown for so long, nobody counts, and billing does not wait for them. */
const totalsWaitMs = 10_000;

export interface Sweep {
	readonly doors: Doors;
	/** The service itself, in the environment whose steps are due. */
	readonly actor: Actor;
	readonly until: Instant;
	/** Which clock the environment must be on: it is left alone as soon as somebody has changed that. */
	readonly clock: "wall" | "test";
	/** How many steps at most. */
	readonly stepsMax?: number;
	/** Asked between two steps. */
	readonly isStopping: () => boolean;
	readonly onStep: (step: DueStep) => void;
}

/**
 * Carries out what falls due in an environment until `until`, in order of due time: each step at its own time and in one
 * transaction with what it changes. A test clock goes along in the same transactions, so that whatever way this ends,
 * nothing is lost and nothing happens twice: going on is calling it again. Answers whether nothing is left to do.
 */
export async function sweep(options: Sweep): Promise<boolean> {
	const { doors, actor, stepsMax = Number.POSITIVE_INFINITY, isStopping, onStep } = options;
	await totalsCaughtUp(doors, actor, isStopping);
	let sliceEnd = performance.now() + sliceMs;
	for (let steps = 0; steps < stepsMax && !isStopping(); steps += 1) {
		const step = doors.write(actor, (work) => takeStep(work, options));
		if (!step) return true;
		onStep(step);
		if (performance.now() < sliceEnd) continue;
		await Bun.sleep(0);
		sliceEnd = performance.now() + sliceMs;
	}
	return false;
}

/** The next step; undefined when none is due. Then a test clock has arrived. */
function takeStep(work: Work, { until, clock }: Sweep): DueStep | undefined {
	if (isFrozen(work) !== (clock === "test")) return undefined;
	const step = runNextDue(work, until);
	if (clock === "test") moveClock(work, step ? step.at : until);
	return step;
}

const isFrozen = (work: Work): boolean => getOwnEnvironment(work).clockAt !== null;

/** A step may have been due before the clock was frozen: the clock never goes back. */
function moveClock(work: Work, to: Instant): void {
	const { id, clockAt } = getOwnEnvironment(work);
	if (clockAt !== null && clockAt < to) changeEnvironment(work, id, { clockAt: to });
}

/**
 * Until the totals hold every event that was acknowledged before this call: what is billed for usage counts them. (That they
 * lag behind nothing at all may never be, while events keep coming.)
 */
async function totalsCaughtUp(doors: Doors, actor: Actor, isStopping: () => boolean): Promise<void> {
	const { written } = doors.read(actor, usageProgress);
	let end = performance.now() + totalsWaitMs;
	for (let before = -1; !isStopping() && performance.now() < end; await Bun.sleep(5)) {
		const { counted } = doors.read(actor, usageProgress);
		if (counted >= written) return;
		// A long log may be counted anew; as long as it goes on, it is waited for.
		if (counted > before) end = performance.now() + totalsWaitMs;
		before = counted;
	}
}
