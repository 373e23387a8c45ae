import { type Acknowledged, acknowledgedNow, uncountedOf } from "../areas/usage/operations.acknowledged";
import type { Actor, Transactions } from "../kernel/work";

/** Our choice: when the totals have not grown for so long, nobody counts, and billing does not wait for them. */
const stalledMsMax = 10_000;

/** Our choice: how soon the totals are looked at again. */
export const usageLookMs = 5;

/**
 * Waits until the totals of one environment hold every event and cancellation that was acknowledged before the wait began, in
 * every meter: what is billed for usage counts them. (Events that keep coming would make a wait for the newest one endless.)
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

	/** Looks at the totals. A long log may be counted from its beginning: the wait goes on as long as the counting does. */
	isOver(): boolean {
		const uncounted = this.#transactions.read(this.#actor, (work) => uncountedOf(work, this.#acknowledged));
		if (uncounted === 0) return true;
		if (uncounted !== this.#uncounted) this.#endMs = performance.now() + stalledMsMax;
		this.#uncounted = uncounted;
		return performance.now() >= this.#endMs;
	}
}
