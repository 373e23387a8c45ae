import { systemActor } from "../areas/access/rules.actors";
import type { Log } from "../http/log";
import { type Instant, toIso } from "../kernel/clock";
import type { DueStep, FirstDue } from "../kernel/due";
import { DomainError } from "../kernel/errors";
import { FileNotHere, FileUnreadable, isStorageTrouble } from "../kernel/storage/failures";
import type { Work } from "../kernel/work";
import type { JobThread } from "../tasks/job";
import { isBeingTurned } from "../test-clocks/operations";
import { dueOfEach } from "./sources";
import { sweepTurn } from "./sweep";
import { UsageWait, usageLookMs } from "./usage-wait";

/** Our choice: an environment whose steps cannot even be begun is left alone for a minute; the others go on. */
const restMs = 60_000;

/** Our choice: a full disk, or a lock that was not to be had, is looked at again so soon. */
const storageRestMs = 500;

/** No environment: the look at all of them is the service's own, by the machine's time. */
const everywhere = systemActor("");

/**
 * When something is due next by itself, past or future; undefined when nothing is. What waits for a frozen clock to be turned
 * is not; what is due by that clock already is.
 */
export const nextDueByItself = (work: Work): Instant | undefined =>
	dueOfEach(work).find(({ clockAt, dueAt }) => clockAt === null || dueAt <= clockAt)?.dueAt;

const isDue = ({ clockAt, dueAt }: FirstDue, now: Instant): boolean => dueAt <= (clockAt ?? now);

/** The job that carries out what falls due by itself, by the wall clock or by a clock that stands still. */
export class CatchUp {
	readonly #thread: JobThread;
	readonly #log: Log;
	/** Until when an environment is left alone, in running time: whatever becomes of the machine's clock. */
	readonly #resting = new Map<string, number>();
	/** The environments whose steps wait until their usage is counted. */
	readonly #waits = new Map<string, UsageWait>();
	/** The environments whose steps wait for the disk, or for old events: told once, not at each look. */
	readonly #waiting = new Map<string, "disk" | "events">();

	constructor({ log, ...thread }: JobThread & { readonly log: Log }) {
		this.#thread = thread;
		this.#log = log;
	}

	/**
	 * Carries out all that is due by now in every environment, after a downtime of any length too: in each in order of due time,
	 * and one turn of each after the other, so that none waits for another's backlog. A step that fails, or an environment,
	 * holds up no other, nor does an environment whose usage is still being counted. Who turns a clock carries out what is due there.
	 */
	async run(): Promise<void> {
		for (let isLeft = true; isLeft && !this.#thread.isStopping(); ) {
			const due = this.#due();
			const counted = due.filter((environmentId) => this.#isCounted(environmentId));
			let steps = 0;
			for (const environmentId of counted) steps += await this.#sweep(environmentId);
			const isWaiting = counted.length < due.length;
			if (steps === 0 && isWaiting) await Bun.sleep(usageLookMs);
			isLeft = steps > 0 || isWaiting;
		}
	}

	/** Whether the totals hold the usage that was acknowledged when an environment's steps were found to be due. */
	#isCounted(environmentId: string): boolean {
		const { transactions } = this.#thread;
		const wait = this.#waits.get(environmentId) ?? new UsageWait(transactions, systemActor(environmentId));
		const isOver = wait.isOver();
		if (isOver) this.#waits.delete(environmentId);
		else this.#waits.set(environmentId, wait);
		return isOver;
	}

	#due(): string[] {
		return this.#thread.transactions.read(everywhere, (work) =>
			dueOfEach(work)
				.filter((due) => isDue(due, work.now))
				.map(({ environmentId }) => environmentId)
				.filter((environmentId) => !this.#rests(environmentId) && !isBeingTurned(environmentId)),
		);
	}

	#rests(environmentId: string): boolean {
		return (this.#resting.get(environmentId) ?? 0) > performance.now();
	}

	/** One turn; answers how many steps that were. */
	async #sweep(environmentId: string): Promise<number> {
		let steps = 0;
		try {
			await sweepTurn({
				...this.#thread,
				actor: systemActor(environmentId),
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
export function logFailure(log: Log, environmentId: string, { at, subject, failure, retry }: DueStep): void {
	const about = {
		environmentId,
		...subject,
		dueAt: toIso(at),
		...(retry && { step: retry.step, attempts: retry.attempts, retryAt: toIso(retry.retryAt) }),
		err: failure,
	};
	if (failure instanceof DomainError) log.warn(about, "a due step was refused; it is tried again later");
	else log.error(about, "a due step failed; it is tried again within the hour");
}
