import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type BilledPause, billPause } from "../billing/pause";
import { billingPeriodAt } from "../rules";
import type { Pause } from "../rules.due";
import { assertMayEnd, statusAt } from "../rules.status";
import type { SubscriptionPause } from "../schema";
import { changeStatus, changeSubscription, selectSuccessors } from "../store";
import { insertPause } from "../store.pauses";
import type { SubscriptionRow } from "../table";
import { cancelPendingPayments } from "./end";

/** `rated` is what the call bills at once. */
export interface PauseChange extends BilledPause {
	/** When it takes effect. */
	readonly at: Instant;
}

/**
 * Pauses a subscription now, at the end of its billing period, or on a date, in place of a scheduled pause. A resumption at the
 * instant of the pause leaves the subscription as it is. The caller has run due steps. Throws
 * SubscriptionAlreadyCanceledOrExpired, InvalidSubscriptionStatus, SubscriptionDoesNotHaveBillingPeriod, BadUserInput.
 */
export function pause(work: Work, row: SubscriptionRow, input: SubscriptionPause): PauseChange {
	assertMayEnd(row, work.now);
	assertActive(work, row);
	const at = instantOfCall(work, row, input, work.now);
	assertBeforeEnd(row, at, "The pause");
	const resumeAt = input.resumeAt === undefined ? null : instantOf(input.resumeAt);
	if (resumeAt !== null) {
		if (resumeAt < at) throw fail("BadUserInput", "body/resumeAt: must not lie before the pause; choose a later time.");
		assertBeforeEnd(row, resumeAt, "'resumeAt'");
	}
	if (resumeAt === at) return { subscription: changeSubscription(work, row, { pause: null }), rated: [], at };
	const pause: Pause = { at, resumeAt, prorates: input.prorate ?? true, anchor: "UNCHANGED" };
	const scheduled = changeSubscription(work, row, { pause });
	return at > work.now ? { subscription: scheduled, rated: [], at } : { ...pauseNow(work, scheduled, pause), at };
}

/** Settles a subscription and pauses it. The plan that is scheduled to replace it waits for the resumption. */
export function pauseNow(work: Work, row: SubscriptionRow, { prorates }: Pause): BilledPause {
	const { subscription, rated } = billPause(work, cancelPendingPayments(work, row), prorates);
	for (const successor of selectSuccessors(work, [row.id])) changeSubscription(work, successor, { isHeld: true });
	insertPause(work, row, prorates);
	return { subscription: changeStatus(work, subscription, "PAUSED"), rated };
}

function assertActive(work: Work, row: SubscriptionRow): void {
	const status = statusAt(row, work.now);
	if (status === "ACTIVE") return;
	const remedy =
		status === "PAUSED"
			? "resume it first"
			: status === "IN_TRIAL"
				? "a trial cannot be paused; end the trial first"
				: "only an ACTIVE subscription can be paused";
	throw fail("InvalidSubscriptionStatus", `The subscription '${row.refId}' is ${status}: ${remedy}.`);
}

/** Returns the instant of a pause or resumption. `from`: the end of the billing period is that of this instant. */
export function instantOfCall(
	work: Work,
	row: SubscriptionRow,
	{ at = "IMMEDIATE", date }: Pick<SubscriptionPause, "at" | "date">,
	from: Instant,
): Instant {
	if ((at === "SPECIFIC_DATE") !== (date !== undefined))
		throw fail("BadUserInput", "body: 'date' goes with 'at' SPECIFIC_DATE, and only with it.");
	switch (at) {
		case "IMMEDIATE":
			return work.now;
		case "SPECIFIC_DATE": {
			const on = date === undefined ? work.now : instantOf(date);
			if (on < work.now) throw fail("BadUserInput", "body/date: must not lie in the past; choose a later time.");
			return on;
		}
		case "END_OF_BILLING_PERIOD": {
			const end = row.pricingType === "PAID" ? (billingPeriodAt(row, from)?.end ?? null) : null;
			if (end === null)
				throw fail(
					"SubscriptionDoesNotHaveBillingPeriod",
					`The subscription '${row.refId}' has no billing period; choose IMMEDIATE or SPECIFIC_DATE.`,
				);
			return end;
		}
	}
}

export function assertBeforeEnd({ refId, effectiveEndAt }: SubscriptionRow, at: Instant, what: string): void {
	if (effectiveEndAt !== null && at >= effectiveEndAt)
		throw fail("BadUserInput", `${what} must come before the end of the subscription '${refId}'.`);
}
