import { systemActor } from "../areas/access/rules.actors";
import { type DueStep, dueOnWallClock } from "../areas/subscriptions/lifecycle/operations.due";
import type { Log } from "../http/log";
import { type Instant, toIso } from "../kernel/clock";
import { DomainError } from "../kernel/errors";
import { FileNotHere, FileUnreadable, isStorageTrouble } from "../kernel/storage";
import type { Work } from "../kernel/work";
import type { JobThread } from "../tasks/job";
import { sweepTurn, totalsCaughtUp } from "./sweep";

/** Our choice: an environment whose steps cannot even be begun is left alone for a minute; the others go on. */
const restMs = 60_000;

/** Our choice: a full disk, or a lock that was not to be had, is looked at again so soon. */
const storageRestMs = 500;

/** No environment: the look at all of them is the service's own, by the machine's time. */
const everywhere = systemActor("");

/** When the first of the environments on the wall clock has something due, past or future; undefined when none waits. */
export const earliestOnWallClock = (work: Work): Instant | undefined => dueOnWallClock(work)[0]?.dueAt;

/** The job that carries out what falls due on the wall clock. */
export class CatchUp {
	readonly #thread: JobThread;
	readonly #log: Log;
	/** Until when an environment is left alone, in running time: whatever becomes of the machine's clock. */
	readonly #resting = new Map<string, number>();
	/** The environments whose steps wait for the disk, or for old events: told once, not at each look. */
	readonly #waiting = new Map<string, "disk" | "events">();

	constructor({ log, ...thread }: JobThread & { readonly log: Log }) {
		this.#thread = thread;
		this.#log = log;
	}

	/**
	 * Carries out all that is due by now in the environments that are on the wall clock, after a downtime of any length too:
	 * in each environment in order of due time, and one turn of each after the other, so that none waits for another's backlog.
	 * A step that fails, or an environment, holds up no other.
	 */
	async run(): Promise<void> {
		for (let steps = 1; steps > 0 && !this.#thread.isStopping(); ) {
			const due = this.#due();
			if (due.length > 0) await totalsCaughtUp(this.#thread, everywhere);
			steps = 0;
			for (const environmentId of due) steps += await this.#sweep(environmentId);
		}
	}

	#due(): string[] {
		return this.#thread.transactions.read(everywhere, (work) =>
			dueOnWallClock(work)
				.filter(({ environmentId, dueAt }) => dueAt <= work.now && !this.#rests(environmentId))
				.map(({ environmentId }) => environmentId),
		);
	}

	#rests(environmentId: string): boolean {
		return (this.#resting.get(environmentId) ?? 0) > performance.now();
	}

	/** One turn; answers how many steps that were. */
	async #sweep(environmentId: string): Promise<number> {
		const { transactions } = this.#thread;
		let steps = 0;
		try {
			await sweepTurn({
				...this.#thread,
				actor: systemActor(environmentId),
				until: transactions.now(everywhere.environmentId),
				clock: "wall",
				onStep: (step) => {
					steps += 1;
					if (step.failure !== undefined) logFailure(this.#log, environmentId, step);
				},
			});
			const waitedFor = this.#waiting.get(environmentId);
			if (waitedFor) this.#log.info({ environmentId }, `${again[waitedFor]}: due steps are carried out`);
			this.#waiting.delete(environmentId);
		} catch (error) {
			this.#rest(environmentId, error);
		}
		return steps;
	}

	#tellWaiting(environmentId: string, error: unknown): void {
		const waitsFor = error instanceof FileUnreadable ? "events" : "disk";
		// What is being brought comes by itself.
		if (error instanceof FileNotHere || this.#waiting.get(environmentId) === waitsFor) return;
		this.#waiting.set(environmentId, waitsFor);
		this.#log.error(
			{ environmentId, err: error },
			waitsFor === "disk"
				? "the disk takes no writes: due steps wait, and are carried out as soon as it does"
				: "old events cannot be read: due steps that need them wait, and are carried out as soon as they can",
		);
	}

	#rest(environmentId: string, error: unknown): void {
		const isDisk = isStorageTrouble(error);
		this.#resting.set(environmentId, performance.now() + (isDisk ? storageRestMs : restMs));
		if (!isDisk)
			this.#log.error({ environmentId, err: error }, "due steps could not be carried out; trying again in a minute");
		else this.#tellWaiting(environmentId, error);
	}
}

/** What is said when it is over. */
const again = { disk: "the disk takes writes again", events: "old events can be read again" } as const;

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
