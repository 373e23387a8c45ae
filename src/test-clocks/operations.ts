import { changeEnvironment, getOwnEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import type { EnvironmentRow } from "../areas/access/table";
import { type Instant, toIso, toIsoOrNull } from "../kernel/clock";
import type { DueStep, DueSubject } from "../kernel/due";
import { fail, shownMessage } from "../kernel/errors";
import type { Actor, Cause, Work } from "../kernel/work";
import { nextDueAt } from "../scheduler/sources";
import { type Sweep, sweepTurn } from "../scheduler/sweep";
import { UsageWait, usageLookMs } from "../scheduler/usage-wait";
import type { JobThread } from "../tasks/job";
import { assertForward, assertMayBeReleased, assertMayBeTurned, targetOf } from "./rules";
import type { ClockBody, ClockView, TurnedClockView } from "./schema";
import { hasHappenedAfter } from "./store";

/** Some minutes of work for one call, which can be repeated; and the number of failures that it returns. */
const stepsMax = 1_000_000;
const failuresMax = 100;

/** Returns the clock of the caller's environment. */
export const showClock = (work: Work): ClockView => ({
	environmentId: work.actor.environmentId,
	now: toIso(work.now),
	isFrozen: getOwnEnvironment(work).clockAt !== null,
	nextDueAt: toIsoOrNull(nextDueAt(work)),
});

/** The environments whose clock this process is advancing. */
const turning = new Set<string>();

export const isBeingTurned = (environmentId: string): boolean => turning.has(environmentId);

export interface Turning extends JobThread {
	/** The actor that advances the clock. The service itself carries out due steps. */
	readonly actor: Actor;
	/** The cause of the request; a command has set its own. */
	readonly cause?: Cause;
	/** Called for every failed step. */
	readonly onFailure: (step: DueStep) => void;
}

/**
 * * Freezes the clock of the environment, or advances the frozen clock: all steps that become due are carried out at once, in
 * order. After an interruption, by a crash or after very many steps, the clock keeps the time that it reached, and another call
 * continues from there. Throws InvalidArgumentError for a production environment and for a time before the clock's;
 * ObjectAlreadyBeingUsedByAnotherRequestError while it is being advanced.
 */
export async function advanceClock(
	{ actor, cause = {}, onFailure, ...thread }: Turning,
	change: ClockBody,
): Promise<TurnedClockView> {
	const { transactions, isStopping } = thread;
	const { environmentId, accountId } = actor;
	assertNotTurning(environmentId);
	turning.add(environmentId);
	try {
		const turnTo = transactions.write(actor, (work) => {
			Object.assign(work.cause, cause);
			return freeze(work, change);
		});
		const failures: Array<DueSubject & { error: string }> = [];
		let steps = 0;
		const onStep = (step: DueStep): void => {
			steps += 1;
			if (step.failure === undefined) return;
			onFailure(step);
			if (failures.length < failuresMax)
				failures.push({
					...step.subject,
					error: shownMessage(step.failure, Object.values(step.subject).join(", ")),
				});
		};
		const service = systemActor(environmentId, accountId);
		const wait = new UsageWait(transactions, service);
		while (!isStopping() && !wait.isOver()) await Bun.sleep(usageLookMs);
		const sweep: Sweep = { ...thread, actor: service, cause: { ...cause, actor }, turnTo, onStep };
		while (steps < stepsMax && !isStopping()) if (await sweepTurn(sweep, stepsMax - steps)) break;
		// The response follows when the changes are on disk.
		await thread.turns.next();
		const clock = transactions.read(actor, showClock);
		return { ...clock, steps, ...(failures.length > 0 && { failures }) };
	} finally {
		turning.delete(environmentId);
	}
}

/** Freezes the clock at its time, or at the requested time if nothing is later. Returns the target of the advance. */
function freeze(work: Work, change: ClockBody): Instant {
	const environment = getOwnEnvironment(work);
	assertMayBeTurned(environment);
	const target = targetOf(change, work.now);
	if (environment.clockAt !== null) assertForward(target, environment.clockAt);
	else startAt(work, environment, target);
	return target;
}

function startAt(work: Work, { id }: EnvironmentRow, target: Instant): void {
	if (target < work.now && hasHappenedAfter(work, target))
		throw fail(
			"InvalidArgumentError",
			`Customers, subscriptions, credits, contracts or invoices of this environment have changed after ${toIso(target)}; freeze the clock at a later time, or in a new environment.`,
		);
	changeEnvironment(work, id, { clockAt: Math.min(target, work.now) as Instant });
}

/** Returns the environment to the wall clock, if it has a frozen one. Throws InvalidArgumentError while the frozen clock is ahead of it. */
export function releaseClock(work: Work): ClockView {
	const { id, clockAt } = getOwnEnvironment(work);
	assertNotTurning(id);
	if (clockAt === null) return showClock(work);
	assertMayBeReleased(clockAt, work.machineNow);
	changeEnvironment(work, id, { clockAt: null });
	return { ...showClock(work), now: toIso(work.machineNow) };
}

function assertNotTurning(environmentId: string): void {
	if (turning.has(environmentId))
		throw fail(
			"ObjectAlreadyBeingUsedByAnotherRequestError",
			"The clock of this environment is being turned by another request; try again when that has ended.",
		);
}
