import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import { noticeUsage, type RecordThresholds } from "../notices/operations";
import { followCounters, followDue, type Observe } from "./operations.update";
import { hasTree, readTreeCursor, selectDue, selectEntriesAfter, treeEnvironments, writeTreeCursor } from "./store";

/** The usage of the tree lags by about this time. */
const lookEveryMs = 1_000;

/** The pause while there are no budgets. */
const lookIdleMs = 10_000;

/** The job rests this many times longer than it works, so that counting has priority. */
const restFactor = 20;

/** Each about a millisecond. */
const entriesAtOnce = 500;
const countersAtOnce = 20;
const dueAtOnce = 20;

/** How many counters, and how many entries, are collected before their counters are followed. Bounds the memory. */
const countersMax = 10_000;
const entriesMax = 200_000;

const everywhere = systemActor("");

/**
 * The job that follows the entries of budgets and the ends of windows. It writes the usage of budgets into the rows of the tree, and
 * compares it with limits and thresholds, which emits events.
 */
export class TreeUsage {
	readonly #thread: JobThread;
	readonly #observe: Observe;
	constructor(thread: JobThread, record: RecordThresholds) {
		this.#thread = thread;
		this.#observe = (work, counted) => noticeUsage(work, counted, record);
	}

	/** Returns the pause until the next run, in milliseconds. */
	async run(): Promise<number | undefined> {
		const { transactions, turns, isStopping } = this.#thread;
		const steps = this.#steps();
		let workedMs = 0;
		for (let isDone = false; !isDone; ) {
			await turns.next();
			if (isStopping()) return undefined;
			const beganAt = performance.now();
			do isDone = steps.next().done === true;
			while (!isDone && !turns.isOver());
			workedMs += performance.now() - beganAt;
		}
		const isAny = transactions.read(everywhere, hasTree);
		return isAny ? Math.max(lookEveryMs, workedMs * restFactor) : lookIdleMs;
	}

	/** All that waits, in steps that each fit in a time slice. */
	*#steps(): Generator<void, void> {
		while (yield* this.#followEntries());
		while (this.#followWindows()) yield;
	}

	/**
	 * Follows each changed counter once, however many entries changed it. The cursor moves last: after a crash, the counters are followed
	 * again, which changes nothing. Returns whether there may be more entries.
	 */
	*#followEntries(): Generator<void, boolean> {
		const { transactions } = this.#thread;
		const from = transactions.read(everywhere, readTreeCursor);
		const counters = new Set<number>();
		let after = from;
		let count = 0;
		let hasMore = true;
		while (hasMore && count < entriesMax && counters.size < countersMax) {
			const entries = transactions.read(everywhere, (work) => selectEntriesAfter(work, after, entriesAtOnce));
			for (const entry of entries) for (const id of entry.counters) counters.add(id);
			after = entries.at(-1)?.sequence ?? after;
			count += entries.length;
			hasMore = entries.length === entriesAtOnce;
			yield;
		}
		if (after === from) return false;
		const ids = [...counters];
		for (let at = 0; at < ids.length; at += countersAtOnce) {
			transactions.writeUsage(everywhere, (work) =>
				followCounters(
					work,
					ids.slice(at, at + countersAtOnce),
					(environmentId) => transactions.now(environmentId),
					this.#observe,
				),
			);
			yield;
		}
		transactions.writeUsage(everywhere, (work) => writeTreeCursor(work, after));
		return hasMore;
	}

	/** Returns whether more windows may have ended. */
	#followWindows(): boolean {
		const { transactions } = this.#thread;
		const due = transactions.read(everywhere, (work) =>
			treeEnvironments(work).flatMap((id) => {
				const now = transactions.now(id);
				return selectDue(work, id, now, dueAtOnce).map((row) => ({ row, now }));
			}),
		);
		if (due.length === 0) return false;
		transactions.writeUsage(everywhere, (work) => followDue(work, due, this.#observe));
		return due.length >= dueAtOnce;
	}
}
