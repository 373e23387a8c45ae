import type { Instant } from "../../kernel/clock";
import { addMonths, oneMonth, oneYear, periodContaining } from "../../kernel/period";
import type { Due } from "../../kernel/problem";
import type { PricingType } from "../packages/schema";
import type { SubscriptionStatus, TrialEndBehavior } from "./schema";

/** The steps that happen to a subscription at a time, without a call. */
export type DueKind =
	| "CANCEL"
	| "EXPIRE"
	| "PAYMENT_EXPIRE"
	| "TRIAL_END"
	| "START"
	| "PAUSE"
	| "RESUME"
	| "RENEW_TERM"
	| "UPDATE"
	| "BILL_USAGE"
	| "RENEW"
	| "GRANT_CREDITS";

/** A pause that is scheduled, or in effect. */
export interface Pause {
	readonly at: Instant;
	/** Null: it resumes by a call. */
	readonly resumeAt: Instant | null;
	/** Whether the pause credits unused time. */
	readonly prorates: boolean;
	/** Whether the resumption starts a new billing cycle. */
	readonly anchor: "UNCHANGED" | "NOW";
}

/** The columns that decide which step comes next. */
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
	/** The phase that runs. Its end is an update. */
	readonly phase: { readonly endAt: Instant } | null;
	/** The term that runs. At its end it is renewed, or the subscription ends. */
	readonly runningTerm: { readonly endAt: Instant; readonly agreed: { readonly renewal: object | null } } | null;
	readonly creditsDueAt: Instant | null;
	readonly pause: Pick<Pause, "at" | "resumeAt"> | null;
	readonly isHeld: boolean;
}

/**
 * Whether Tollgate invoices a subscription. Free plans cost nothing; a contract bills custom plans, and paid plans with
 * the collection method NONE (docs/interface/contracts.md).
 */
export const isBilledHere = ({
	pricingType,
	paymentCollectionMethod,
}: Pick<Scheduled, "pricingType" | "paymentCollectionMethod">): boolean =>
	pricingType === "PAID" && paymentCollectionMethod !== "NONE";

/**
 * Returns the next step and its time. At one instant an end comes first, so that no time after the end is charged. A
 * pause comes next, for the same reason. A scheduled change comes before the renewal, which then charges the new terms. Credits come last, for the terms of
 * then.
 */
export function nextDue(subscription: Scheduled): Due<DueKind> | undefined {
	let next: Due<DueKind> | undefined;
	for (const due of dueStepsOf(subscription)) if (next === undefined || due.at < next.at) next = due;
	return next;
}

/** In the order in which steps of one instant run. */
function dueStepsOf(subscription: Scheduled): Due<DueKind>[] {
	const { status, startAt, trialEndAt, cancelAt, endAt, paymentDueAt } = subscription;
	const { billedUntil, usageDueAt, nextUpdateAt, creditsDueAt, phase, pause, isHeld } = subscription;
	const term = isBilledHere(subscription) ? subscription.runningTerm : null;
	const due = (kind: DueKind, at: Instant | null): Due<DueKind>[] => (at === null ? [] : [{ kind, at }]);
	const ends = [...due("CANCEL", cancelAt), ...due("EXPIRE", earlier(endAt, termEndOf(subscription)))];
	const renewal = due("RENEW_TERM", term?.agreed.renewal ? term.endAt : null);
	switch (status) {
		case "NOT_STARTED":
			return [...ends, ...(isHeld ? [] : due("START", startAt))];
		case "PAYMENT_PENDING":
			return [...ends, ...due("PAYMENT_EXPIRE", paymentDueAt)];
		case "IN_TRIAL":
			return [...ends, ...due("TRIAL_END", trialEndAt), ...due("GRANT_CREDITS", creditsDueAt)];
		case "ACTIVE":
			return [
				...ends,
				...due("PAUSE", pause?.at ?? null),
				...renewal,
				...due("UPDATE", earlier(nextUpdateAt, isBilledHere(subscription) ? (phase?.endAt ?? null) : null)),
				...due("BILL_USAGE", usageDueAt),
				...(isBilledHere(subscription) ? due("RENEW", billedUntil) : []),
				...due("GRANT_CREDITS", creditsDueAt),
			];
		case "PAUSED":
			return [...ends, ...renewal, ...due("RESUME", pause?.resumeAt ?? null)];
		case "CANCELED":
		case "EXPIRED":
			// Late usage of an ended subscription is still billed.
			return due("BILL_USAGE", usageDueAt);
	}
}

/**
 * Returns the first end of a subscription. It ends access at that very instant, even before the end is written, so a
 * reader never sees a subscription outlive its end.
 */
export function effectiveEndAt(subscription: Scheduled): Instant | null {
	const { trialEndAt, trialEndBehavior, status, cancelAt, endAt } = subscription;
	const trialEnd = status === "IN_TRIAL" && trialEndBehavior === "CANCEL_SUBSCRIPTION" ? trialEndAt : null;
	return [cancelAt, endAt, trialEnd, termEndOf(subscription)].reduce(earlier, null);
}

/** Returns when a subscription ends with its term; null if the term is renewed. */
const termEndOf = (subscription: Scheduled): Instant | null => {
	const term = isBilledHere(subscription) ? subscription.runningTerm : null;
	return term && term.agreed.renewal === null ? term.endAt : null;
};

/**
 * Returns when a settled subscription is next checked for late usage: each month of the first year, then each year. The
 * checks go on forever, since they cost almost nothing.
 */
export const nextLateUsageCheck = (settledAt: Instant, now: Instant): Instant =>
	periodContaining({ anchorAt: settledAt, interval: now < addMonths(settledAt, 12) ? oneMonth : oneYear }, now).end;

export const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
	one === null ? other : other === null || one < other ? one : other;
