import { findEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { type DueStep, dueEnvironments } from "../areas/subscriptions/lifecycle/operations.due";
import type { Log } from "../http/log";
import { type Instant, toIso } from "../kernel/clock";
import { DomainError } from "../kernel/errors";
import { isStorageTrouble } from "../kernel/storage";
import type { Doors, Work } from "../kernel/work";
import { sweep } from "./sweep";

/** Our choice: so many steps of one environment, then the others have theirs. */
const stepsAtOnce = 1000;

/** Our choice: an environment whose steps cannot even be begun is left alone for a minute; the others go on. */
const restMs = 60_000;

/** Our choice: a full disk, or a lock that was not to be had, is looked at again so soon. */
const storageRestMs = 500;

/** No environment: the look at all of them is the service's own, by the machine's time. */
const everywhere = systemActor("");

/** Environments on the wall clock that wait for something, the one that has waited longest first. */
const dueOnWallClock = (work: Work): Array<{ environmentId: string; dueAt: Instant }> =>
	dueEnvironments(work)
		.filter(({ environmentId }) => findEnvironment(work, environmentId)?.clockAt === null)
		.toSorted((one, other) => one.dueAt - other.dueAt);

/** When the first of them has something due, past or future; undefined when none waits. */
export const earliestOnWallClock = (work: Work): Instant | undefined => dueOnWallClock(work)[0]?.dueAt;

/** The body of the scheduler's thread. */
export class CatchUp {
	readonly #doors: Doors;
	readonly #log: Log;
	readonly #isStopping: () => boolean;
	/** Until when an environment is left alone, in running time: whatever becomes of the machine's clock. */
	readonly #resting = new Map<string, number>();
	/** The environments whose steps the disk does not take: told once, not at each look. */
	readonly #waitingForDisk = new Set<string>();

	constructor({ doors, log, isStopping }: { doors: Doors; log: Log; isStopping: () => boolean }) {
		this.#doors = doors;
		this.#log = log;
		this.#isStopping = isStopping;
	}

	/**
	 * Carries out all that is due by now in the environments that are on the wall clock, after a downtime of any length too:
	 * in each environment in order of due time. A step that fails, or an environment, holds up no other.
	 */
	async run(): Promise<void> {
		for (let steps = 1; steps > 0 && !this.#isStopping(); ) {
			steps = 0;
			for (const environmentId of this.#due()) steps += await this.#sweep(environmentId);
		}
	}

	#due(): string[] {
		return this.#doors.read(everywhere, (work) =>
			dueOnWallClock(work)
				.filter(({ environmentId, dueAt }) => dueAt <= work.now && !this.#rests(environmentId))
				.map(({ environmentId }) => environmentId),
		);
	}

	#rests(environmentId: string): boolean {
		return (this.#resting.get(environmentId) ?? 0) > performance.now();
	}

	async #sweep(environmentId: string): Promise<number> {
		const until = this.#doors.now(everywhere.environmentId);
		let steps = 0;
		try {
			await sweep({
				doors: this.#doors,
				actor: systemActor(environmentId),
				until,
				clock: "wall",
				stepsMax: stepsAtOnce,
				isStopping: this.#isStopping,
				onStep: (step) => {
					steps += 1;
					if (step.failure !== undefined) logFailure(this.#log, environmentId, step);
				},
			});
			if (this.#waitingForDisk.delete(environmentId))
				this.#log.info({ environmentId }, "the disk takes writes again: due steps are carried out");
		} catch (error) {
			this.#rest(environmentId, error);
		}
		return steps;
	}

	#rest(environmentId: string, error: unknown): void {
		const isDisk = isStorageTrouble(error);
		this.#resting.set(environmentId, performance.now() + (isDisk ? storageRestMs : restMs));
		if (!isDisk)
			this.#log.error({ environmentId, err: error }, "due steps could not be carried out; trying again in a minute");
		else if (!this.#waitingForDisk.has(environmentId)) {
			this.#waitingForDisk.add(environmentId);
			this.#log.error(
				{ environmentId, err: error },
				"the disk takes no writes: due steps wait, and are carried out as soon as it does",
			);
		}
	}
}

/** A refusal waits for somebody to change something; a fault is ours, and an alarm. */
export function logFailure(log: Log, environmentId: string, { at, subscriptionRef, failure, problem }: DueStep): void {
	const about = {
		environmentId,
		subscriptionId: subscriptionRef,
		dueAt: toIso(at),
		...(problem && { step: problem.kind, attempts: problem.attempts, retryAt: toIso(problem.retryAt) }),
		err: failure,
	};
	if (failure instanceof DomainError) log.warn(about, "a due step was refused; its subscription shows the problem");
	else log.error(about, "a due step failed; it is tried again within the hour");
}
