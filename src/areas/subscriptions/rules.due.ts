import type { Instant } from "../../kernel/clock";
import { addUnits, periodContaining } from "../../kernel/period";
import type { Due } from "../../kernel/problem";
import type { PricingType } from "../packages/schema";
import type { SubscriptionStatus, TrialEndBehavior } from "./schema";

/** What happens to a subscription by itself, when its time comes. */
export type DueKind =
	| "CANCEL"
	| "EXPIRE"
	| "PAYMENT_EXPIRE"
	| "TRIAL_END"
	| "START"
	| "UPDATE"
	| "BILL_USAGE"
	| "RENEW"
	| "GRANT_CREDITS";

/** What the schedule is told from; a subscription's row has all of it. */
export interface Scheduled {
	readonly status: SubscriptionStatus;
	readonly pricingType: PricingType;
	readonly paymentCollectionMethod: "CHARGE" | "INVOICE" | "NONE" | null;
	readonly startAt: Instant;
	readonly trialEndAt: Instant | null;
	readonly trialEndBehavior: TrialEndBehavior | null;
	readonly cancelAt: Instant | null;
	readonly endAt: Instant | null;
	readonly paymentDueAt: Instant | null;
	readonly billedUntil: Instant | null;
	readonly usageDueAt: Instant | null;
	readonly nextUpdateAt: Instant | null;
	readonly creditsDueAt: Instant | null;
}

/**
 * Whether Tollgate invoices it: nothing is ever charged for a free plan, and a custom one, or a paid one with the collection
 * method NONE, is billed by its contract (docs/interface/contracts.md).
 */
export const isBilledHere = ({
	pricingType,
	paymentCollectionMethod,
}: Pick<Scheduled, "pricingType" | "paymentCollectionMethod">): boolean =>
	pricingType === "PAID" && paymentCollectionMethod !== "NONE";

/**
 * What happens next, and when. Of things that fall on one instant, an end comes first, so that nothing is charged for time
 * after the end; a scheduled change comes before the renewal, which then charges the new terms; and credits come after all of
 * these, for what is held by then.
 */
export function nextDue(subscription: Scheduled): Due<DueKind> | undefined {
	let next: Due<DueKind> | undefined;
	for (const due of dueStepsOf(subscription)) if (next === undefined || due.at < next.at) next = due;
	return next;
}

/** In the order in which they happen when they fall on one instant. */
function dueStepsOf(subscription: Scheduled): Due<DueKind>[] {
	const { status, startAt, trialEndAt, cancelAt, endAt, paymentDueAt } = subscription;
	const { billedUntil, usageDueAt, nextUpdateAt, creditsDueAt } = subscription;
	const due = (kind: DueKind, at: Instant | null): Due<DueKind>[] => (at === null ? [] : [{ kind, at }]);
	const ends = [...due("CANCEL", cancelAt), ...due("EXPIRE", endAt)];
	switch (status) {
		case "NOT_STARTED":
			return [...ends, ...due("START", startAt)];
		case "PAYMENT_PENDING":
			return [...ends, ...due("PAYMENT_EXPIRE", paymentDueAt)];
		case "IN_TRIAL":
			return [...ends, ...due("TRIAL_END", trialEndAt), ...due("GRANT_CREDITS", creditsDueAt)];
		case "ACTIVE":
			return [
				...ends,
				...due("UPDATE", nextUpdateAt),
				...due("BILL_USAGE", usageDueAt),
				...(isBilledHere(subscription) ? due("RENEW", billedUntil) : []),
				...due("GRANT_CREDITS", creditsDueAt),
			];
		case "CANCELED":
		case "EXPIRED":
			// What is reported of its time is still billed.
			return due("BILL_USAGE", usageDueAt);
	}
}

/**
 * The first of its ends: from that very instant it gives no access any more, whoever writes that down and when. So a reader
 * never sees a subscription outlive its end.
 */
export function effectiveEndAt({ trialEndAt, trialEndBehavior, status, cancelAt, endAt }: Scheduled): Instant | null {
	const trialEnd = status === "IN_TRIAL" && trialEndBehavior === "CANCEL_SUBSCRIPTION" ? trialEndAt : null;
	return [cancelAt, endAt, trialEnd].reduce(earlier, null);
}

/**
 * When a subscription that is no longer billed is looked at again for usage that was reported late: each month of the first year
 * after, then each year. (Our choice: it never ends, and costs next to nothing.)
 */
export const nextLateUsageCheck = (settledAt: Instant, now: Instant): Instant =>
	periodContaining(settledAt, now < addUnits(settledAt, "years", 1) ? "months" : "years", 1, now).end;

export const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
	one === null ? other : other === null || one < other ? one : other;
