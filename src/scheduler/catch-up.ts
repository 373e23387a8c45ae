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

/** The pause of an environment whose steps cannot be started. The others continue. */
const restMs = 60_000;

/** The pause after a full disk or an unavailable lock. */
const storageRestMs = 500;

/** The actor that looks at all environments, at the machine's time. */
const everywhere = systemActor("");

/**
 * Returns the time of the next due step of all environments, past or future; undefined if there is none. It includes steps that are due by a
 * frozen clock, and excludes steps that wait until a frozen clock is advanced.
 */
export const nextDueByItself = (work: Work): Instant | undefined =>
	dueOfEach(work).find(({ clockAt, dueAt }) => clockAt === null || dueAt <= clockAt)?.dueAt;

const isDue = ({ clockAt, dueAt }: FirstDue, now: Instant): boolean => dueAt <= (clockAt ?? now);

/** The job that carries out due steps, by the wall clock or by a frozen clock. */
export class CatchUp {
	readonly #thread: JobThread;
	readonly #log: Log;
	/** The end of the pause of each environment, in running time, which does not depend on the machine's clock. */
	readonly #resting = new Map<string, number>();
	/** The environments whose steps wait until their usage is counted. */
	readonly #waits = new Map<string, UsageWait>();
	/** The environments whose steps wait for the disk or for old events. The log names each once. */
	readonly #waiting = new Map<string, "disk" | "events">();

	constructor({ log, ...thread }: JobThread & { readonly log: Log }) {
		this.#thread = thread;
		this.#log = log;
	}

	/**
	 * Carries out all due steps of every environment, also after a long downtime: in each environment in order of due time, and one turn of
	 * each in rotation, so that none waits for the backlog of another. A failed step, a failing environment, or one whose usage is still being
	 * counted blocks no other. A caller that advances a clock carries out the steps of that environment itself.
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

	/** Whether the totals contain the usage that was acknowledged when the environment's steps were found due. */
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

	/** Carries out one turn. Returns the number of steps. */
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
		// The file is being fetched.
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

/** Whether the log reports the end of a wait. */
const again = { disk: "the disk takes writes again", events: "old events can be read again" } as const;

/** Logs a failed step: a refusal needs a change by a person; a fault of the service is an alarm. */
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
