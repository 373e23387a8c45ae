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

/** A few milliseconds. */
const entriesAtOnce = 200;
const dueAtOnce = 100;

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
		this.#observe = (work, counter) => noticeUsage(work, counter, record);
	}

	/** Returns the pause until the next run, in milliseconds. */
	async run(): Promise<number | undefined> {
		const { transactions, turns, isStopping } = this.#thread;
		let workedMs = 0;
		for (let hasMore = true; hasMore; ) {
			await turns.next();
			if (isStopping()) return undefined;
			const beganAt = performance.now();
			do hasMore = this.#followEntries() || this.#followWindows();
			while (hasMore && !turns.isOver());
			workedMs += performance.now() - beganAt;
		}
		const isAny = transactions.read(everywhere, hasTree);
		return isAny ? Math.max(lookEveryMs, workedMs * restFactor) : lookIdleMs;
	}

	/** Returns whether there may be more entries. */
	#followEntries(): boolean {
		const { transactions } = this.#thread;
		const { after, entries } = transactions.read(everywhere, (work) => {
			const from = readTreeCursor(work);
			return { after: from, entries: selectEntriesAfter(work, from, entriesAtOnce) };
		});
		if (entries.length === 0) return false;
		const counters = new Set(entries.flatMap((entry) => entry.counters));
		transactions.writeUsage(everywhere, (work) => {
			followCounters(work, counters, (environmentId) => transactions.now(environmentId), this.#observe);
			writeTreeCursor(work, entries.at(-1)?.sequence ?? after);
		});
		return entries.length === entriesAtOnce;
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
