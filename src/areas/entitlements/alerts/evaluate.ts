import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import { usageProgress } from "../../usage/operations";
import { type ChangedSubject, subjectsChanged } from "../../usage/operations.changed";
import { environmentsWithThresholds } from "../../webhooks/operations.subscribers";
import {
	findChangedBalance,
	findChangedEntitlements,
	lookAtChanged,
	lookAtChangedBalance,
	newlyReached,
	recordReachedAlert,
} from "./operations";
import { readCursor, selectAlertedEnvironments, writeCursor } from "./store";

/** Our choice: how soon after it was counted usage is held against its thresholds. */
const lookEveryMs = 250;

/** Our choice: a few milliseconds of the log. */
const eventsAtOnce = 2_560;

/**
 * Our choice: so much of the log may have to be looked at again after a crash. To write down at each look how far it is would
 * have every other thread forget what it remembers of the main file.
 */
const eventsUnwrittenMax = 1_000_000;
const unwrittenMsMax = 60_000;

/** No environment: the log is one for all of them. */
const everywhere = systemActor("");

/**
 * The job that holds counted usage against its thresholds: it looks at who is entitled to something else, follows the log as far
 * as it is counted, and looks at whose events came. What it looks at twice, after a crash, is recorded once (`reached_alerts_once`); it never looks too little.
 */
export class AlertEvaluation {
	readonly #thread: JobThread;
	/** Up to which event it has looked, and how far that is written down. */
	#evaluatedTo: number | undefined;
	#writtenTo = 0;
	#writeDueMs = 0;

	constructor(thread: JobThread) {
		this.#thread = thread;
	}

	/** Answers when to look again; undefined while there are no alerts. */
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
			if (this.#lookAtChanged() || this.#lookAtBalances()) continue;
			this.#goOn(cursor ?? counted);
			const after = this.#evaluatedTo ?? counted;
			if (after >= counted) return this.#writeDown(after);
			const { subjects, readTo } = transactions.read(everywhere, (work) =>
				subjectsChanged(work, { after, upTo: counted, eventsMax: eventsAtOnce }, environments),
			);
			for (const subject of subjects) {
				if (turns.isOver()) await turns.next();
				if (isStopping()) return undefined;
				this.#evaluate(subject);
			}
			this.#evaluatedTo = Math.max(readTo, after + 1);
			this.#writeDown(this.#evaluatedTo);
		}
	}

	/** Of those who are entitled to something else as many as fit in a turn; whether there may be more. */
	#lookAtChanged(): boolean {
		const { transactions, turns } = this.#thread;
		for (;;) {
			const changed = transactions.read(everywhere, findChangedEntitlements);
			if (!changed) return false;
			transactions.writeUsage(systemActor(changed.environmentId), (work) => lookAtChanged(work, changed));
			if (turns.isOver()) return true;
		}
	}

	/** The same of wallets whose credits have changed. */
	#lookAtBalances(): boolean {
		const { transactions, turns } = this.#thread;
		for (;;) {
			const changed = transactions.read(everywhere, findChangedBalance);
			if (!changed) return false;
			transactions.writeUsage(systemActor(changed.environmentId), (work) => lookAtChangedBalance(work, changed));
			if (turns.isOver()) return true;
		}
	}

	#goOn(cursor: number): void {
		if (this.#evaluatedTo !== undefined) return;
		this.#evaluatedTo = cursor;
		this.#writtenTo = cursor;
		this.#writeDueMs = performance.now() + unwrittenMsMax;
	}

	#evaluate({ environmentId, customerId, resourceRef }: ChangedSubject): void {
		const { transactions } = this.#thread;
		const actor = systemActor(environmentId);
		const reached = transactions.read(actor, (work) => newlyReached(work, customerId, resourceRef));
		if (reached.length > 0)
			transactions.write(actor, (work) => {
				work.cause.operation = "scheduler.ALERT";
				for (const one of reached) recordReachedAlert(work, one);
			});
	}

	#writeDown(evaluatedTo: number): number {
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
