import { repeatably } from "../../../kernel/storage/failures";
import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import { usageProgress } from "../../usage/operations";
import { type ChangedSubject, subjectsChanged } from "../../usage/operations.changed";
import { environmentsWithThresholds } from "../../webhooks/operations.subscribers";
import {
	examineChangedBalance,
	examineChangedEntitlements,
	findChangedBalance,
	findChangedEntitlements,
	newlyReached,
	recordReachedAlert,
} from "./operations";
import { readCursor, selectAlertedEnvironments, writeCursor } from "./store";

/** The pause before the job looks for newly counted usage. */
const lookEveryMs = 250;

/** A few milliseconds of reading. */
const eventsAtOnce = 2_560;

/**
 * After a crash, at most this part of the log is examined again. Storing the cursor more often would clear the caches of every other
 * thread, because each write changes the main file.
 */
const eventsUnwrittenMax = 1_000_000;
const unwrittenMsMax = 60_000;

/** Not of one environment: all share one log. */
const everywhere = systemActor("");

/**
 * The job that compares counted usage with thresholds. It examines customers with changed entitlements and customers with newly
 * counted events. After a crash it may examine some twice; the index `reached_alerts_once` prevents duplicate alerts.
 */
export class AlertEvaluation {
	readonly #thread: JobThread;
	/** The position of the last examined event, and the stored position. */
	#evaluatedTo: number | undefined;
	#writtenTo = 0;
	#writeDueMs = 0;

	constructor(thread: JobThread) {
		this.#thread = thread;
	}

	/** Returns the pause until the next run; undefined while there are no alerts. */
	async run(): Promise<number | undefined> {
		const { transactions, turns, isStopping } = this.#thread;
		for (;;) {
			await turns.next();
			if (isStopping()) return undefined;
			const { environments, counted, cursor } = transactions.read(everywhere, (work) => ({
				environments: new Set([...selectAlertedEnvironments(work), ...environmentsWithThresholds(work)]),
				counted: usageProgress(work).counted,
				cursor: readCursor(work),
			}));
			if (environments.size === 0) {
				this.#evaluatedTo = undefined;
				return undefined;
			}
			if (this.#examineEntitlements() || this.#examineBalances()) continue;
			this.#begin(cursor ?? counted);
			const after = this.#evaluatedTo ?? counted;
			if (after >= counted) return this.#storeCursor(after);
			const { subjects, readTo } = transactions.read(everywhere, (work) =>
				subjectsChanged(work, { after, upTo: counted, eventsMax: eventsAtOnce }, environments),
			);
			for (const subject of subjects) {
				if (turns.isOver()) await turns.next();
				if (isStopping()) return undefined;
				this.#evaluate(subject);
			}
			this.#evaluatedTo = Math.max(readTo, after + 1);
			this.#storeCursor(this.#evaluatedTo);
		}
	}

	/** Examines customers with changed entitlements for one time slice. Returns whether there may be more. */
	#examineEntitlements(): boolean {
		const { transactions, turns } = this.#thread;
		for (;;) {
			const changed = transactions.read(everywhere, findChangedEntitlements);
			if (!changed) return false;
			// The job is repeated.
			repeatably(() =>
				transactions.writeUsage(systemActor(changed.environmentId), (work) =>
					examineChangedEntitlements(work, changed),
				),
			);
			if (turns.isOver()) return true;
		}
	}

	/** Examines wallets with changed credits for one time slice. Returns whether there may be more. */
	#examineBalances(): boolean {
		const { transactions, turns } = this.#thread;
		for (;;) {
			const changed = transactions.read(everywhere, findChangedBalance);
			if (!changed) return false;
			transactions.writeUsage(systemActor(changed.environmentId), (work) => examineChangedBalance(work, changed));
			if (turns.isOver()) return true;
		}
	}

	#begin(cursor: number): void {
		if (this.#evaluatedTo !== undefined) return;
		this.#evaluatedTo = cursor;
		this.#writtenTo = cursor;
		this.#writeDueMs = performance.now() + unwrittenMsMax;
	}

	#evaluate({ environmentId, customerId, resourceRef }: ChangedSubject): void {
		const { transactions } = this.#thread;
		const actor = systemActor(environmentId);
		const reached = repeatably(() => transactions.read(actor, (work) => newlyReached(work, customerId, resourceRef)));
		if (reached.length > 0)
			transactions.write(actor, (work) => {
				work.cause.operation = "scheduler.ALERT";
				for (const one of reached) recordReachedAlert(work, one);
			});
	}

	#storeCursor(evaluatedTo: number): number {
		const unwritten = evaluatedTo - this.#writtenTo;
		const isDue = unwritten >= eventsUnwrittenMax || (unwritten > 0 && performance.now() >= this.#writeDueMs);
		if (isDue) {
			this.#thread.transactions.write(everywhere, (work) => writeCursor(work, evaluatedTo));
			this.#writtenTo = evaluatedTo;
			this.#writeDueMs = performance.now() + unwrittenMsMax;
		}
		return lookEveryMs;
	}
}
