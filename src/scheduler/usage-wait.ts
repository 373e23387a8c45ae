import { unchargedOf } from "../areas/credits/charging/events/operations.acknowledged";
import { uncheckedOf } from "../areas/subscriptions/spend-thresholds/operations.due";
import { type Acknowledged, acknowledgedNow, uncountedOf } from "../areas/usage/operations.acknowledged";
import type { Actor, Transactions } from "../kernel/work";

/** If nothing is counted or charged for this time, Tollgate assumes that no thread does it, and bills without waiting. */
const stalledMsMax = 10_000;

/** The interval between two reads of the totals. */
export const usageLookMs = 5;

/**
 * Waits until the totals of one environment contain every event and cancellation that was acknowledged before the wait began, in every meter,
 * until these events have consumed their credits, and, by a frozen clock, until they are compared with thresholds. Usage billing needs the
 * totals, and grants must not expire before the consumption. (A
 * wait for the newest event would be endless while events keep coming.)
 */
export class UsageWait {
	readonly #transactions: Transactions;
	readonly #actor: Actor;
	readonly #acknowledged: Acknowledged;
	/** The state at the last look. */
	#progress = "";
	#endMs = Number.POSITIVE_INFINITY;

	constructor(transactions: Transactions, actor: Actor) {
		this.#transactions = transactions;
		this.#actor = actor;
		this.#acknowledged = transactions.read(actor, (work) => {
			const acknowledged = acknowledgedNow(work);
			// The job that charges events looks only from time to time.
			if (unchargedOf(work, acknowledged).count > 0) work.wake("event-credits");
			if (uncheckedOf(work, acknowledged) > 0) work.wake("spend-thresholds");
			return acknowledged;
		});
	}

	/** Reads the totals. The wait lasts as long as the counting, which may begin at the start of a long log. */
	isOver(): boolean {
		const [uncounted, uncharged, unchecked] = this.#transactions.read(
			this.#actor,
			(work) =>
				[
					uncountedOf(work, this.#acknowledged),
					unchargedOf(work, this.#acknowledged),
					uncheckedOf(work, this.#acknowledged),
				] as const,
		);
		if (uncounted + uncharged.count + unchecked === 0) return true;
		const progress = [uncounted, uncharged.count, uncharged.customerTo, unchecked].join(" ");
		if (progress !== this.#progress) this.#endMs = performance.now() + stalledMsMax;
		this.#progress = progress;
		return performance.now() >= this.#endMs;
	}
}
