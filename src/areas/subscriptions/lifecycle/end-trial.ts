import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { statusAt } from "../rules.status";
import { changeSubscription } from "../store";
import type { SubscriptionRow } from "../table";
import { saleOf } from "../terms/subscription-sale";
import { currentSubscriptionsOf, excluding } from "./current";
import { billTrial, markEnded } from "./end";
import { startFallbackPlan } from "./fallback-plan";
import { type Started, startSubscription } from "./start";

/**
 * Ends a trial at its agreed end: it continues as a paid subscription, or ends. It also ends if the customer has chosen a
 * paid or custom plan of the product (docs/interface/subscriptions.md).
 */
export function endTrial(work: Work, row: SubscriptionRow): void {
	const { sale, current, chosen } = atEndOf(work, row);
	if (row.trialEndBehavior === "CANCEL_SUBSCRIPTION" || chosen) {
		const ended = markEnded(work, billTrial(work, row), { reason: "TRIAL_ENDED", status: "EXPIRED" });
		if (!current.active && !current.paused) startFallbackPlan(work, ended, null);
		return;
	}
	startSubscription(work, row, sale, { current, fallsDue: true });
}

/**
 * Converts a trial to a paid subscription now, whatever was to happen at its end. The first billing period starts now. The
 * caller has run due steps. Throws InvalidSubscriptionStatus.
 */
export function convertTrial(work: Work, row: SubscriptionRow): Started {
	const status = statusAt(row, work.now);
	if (status !== "IN_TRIAL")
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${row.refId}' is ${status}; only a subscription IN_TRIAL has a trial to end.`,
		);
	const { sale, current, chosen } = atEndOf(work, row);
	if (chosen)
		throw fail(
			"InvalidSubscriptionStatus",
			`The customer pays for the subscription '${chosen.refId}' of this product already; cancel that first, or cancel the trial '${row.refId}'.`,
		);
	const ending = changeSubscription(work, row, { trialEndAt: work.now });
	return startSubscription(work, ending, sale, { current });
}

/** `chosen` is the paid or custom subscription to the product that the customer has already. */
function atEndOf(work: Work, row: SubscriptionRow) {
	const sale = saleOf(work, row);
	const current = excluding(currentSubscriptionsOf(work, row, sale), row);
	const active = current.active ?? current.paused;
	return { sale, current, chosen: active?.pricingType === "FREE" ? undefined : active };
}
