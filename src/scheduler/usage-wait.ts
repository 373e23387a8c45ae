import { type Acknowledged, acknowledgedNow, uncountedOf } from "../areas/usage/operations.acknowledged";
import type { Actor, Transactions } from "../kernel/work";

/** If the totals do not grow for this time, Tollgate assumes that no thread counts, and bills without waiting. */
const stalledMsMax = 10_000;

/** The interval between two reads of the totals. */
export const usageLookMs = 5;

/**
 * Waits until the totals of one environment contain every event and cancellation that was acknowledged before the wait began, in every meter:
 * usage billing needs them. (A wait for the newest event would be endless while events keep coming.)
 */
export class UsageWait {
	readonly #transactions: Transactions;
	readonly #actor: Actor;
	readonly #acknowledged: Acknowledged;
	#uncounted = Number.POSITIVE_INFINITY;
	#endMs = Number.POSITIVE_INFINITY;

	constructor(transactions: Transactions, actor: Actor) {
		this.#transactions = transactions;
		this.#actor = actor;
		this.#acknowledged = transactions.read(actor, acknowledgedNow);
	}

	/** Reads the totals. The wait lasts as long as the counting, which may begin at the start of a long log. */
	isOver(): boolean {
		const uncounted = this.#transactions.read(this.#actor, (work) => uncountedOf(work, this.#acknowledged));
		if (uncounted === 0) return true;
		if (uncounted !== this.#uncounted) this.#endMs = performance.now() + stalledMsMax;
		this.#uncounted = uncounted;
		return performance.now() >= this.#endMs;
	}
}
