import type { Instant } from "../../../kernel/clock";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { BilledPause } from "../billing/pause";
import { billResumption } from "../billing/resumption";
import { grantRecurringCredits } from "../credits/grant-recurring";
import type { Pause } from "../rules.due";
import { assertMayEnd, statusAt } from "../rules.status";
import type { SubscriptionResume } from "../schema";
import { changeStatus, changeSubscription, selectByIds, selectSuccessors } from "../store";
import { endPause } from "../store.pauses";
import type { SubscriptionRow } from "../table";
import { applyDueUpdates } from "./apply-update";
import { assertBeforeEnd, instantOfCall, type PauseChange } from "./pause";

/**
 * Resumes a paused subscription now, at the end of the billing period that runs, or on a date. For a scheduled pause it sets the
 * time of the resumption, or withdraws the pause. The caller has run due steps. Throws SubscriptionAlreadyCanceledOrExpired,
 * InvalidSubscriptionStatus, SubscriptionDoesNotHaveBillingPeriod, BadUserInput.
 */
export function resume(work: Work, row: SubscriptionRow, input: SubscriptionResume): PauseChange {
	assertMayEnd(row, work.now);
	const { pause } = row;
	if (!pause)
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${row.refId}' is ${statusAt(row, work.now)} and no pause is scheduled; there is nothing to resume.`,
		);
	const at = instantOfCall(work, row, input, later(pause.at, work.now));
	assertBeforeEnd(row, at, "The resumption");
	if (row.status !== "PAUSED" && (at === work.now || at === pause.at))
		return { subscription: changeSubscription(work, row, { pause: null }), rated: [], at };
	if (at < pause.at) throw fail("BadUserInput", "body/date: must not lie before the pause; choose a later time.");
	const changed: Pause = { ...pause, resumeAt: at, anchor: input.billingCycleAnchor ?? "UNCHANGED" };
	const scheduled = changeSubscription(work, row, { pause: changed });
	return at > work.now ? { subscription: scheduled, rated: [], at } : { ...resumeNow(work, scheduled), at };
}

/**
 * Resumes a paused subscription: charges it from now on, grants the credits of its period, and makes the changes that became due
 * during the pause.
 */
export function resumeNow(work: Work, row: SubscriptionRow): BilledPause {
	const { pause } = row;
	assert(pause, "a paused subscription has a pause");
	const { subscription, rated } = billResumption(work, row, pause);
	endPause(work, row, work.now);
	applyDueUpdates(work, grantRecurringCredits(work, changeStatus(work, subscription, "ACTIVE", { pause: null })));
	for (const successor of selectSuccessors(work, [row.id]))
		changeSubscription(work, successor, { isHeld: false, startAt: later(successor.startAt, work.now) });
	const [resumed] = selectByIds(work, [row.id]);
	assert(resumed, "a subscription that resumed is there");
	return { subscription: resumed, rated };
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
