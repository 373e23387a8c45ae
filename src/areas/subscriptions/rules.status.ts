import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { CancelReason, SubscriptionStatus } from "./schema";

/**
 * Which status may follow which. Every subscription begins as NOT_STARTED, whoever makes it and whenever it starts. What has
 * ended stays so, but for one thing: an import may correct a subscription whose agreed end has come, so that it begins again.
 */
export const nextStatuses: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
	NOT_STARTED: ["PAYMENT_PENDING", "IN_TRIAL", "ACTIVE", "CANCELED", "EXPIRED"],
	PAYMENT_PENDING: ["ACTIVE", "CANCELED", "EXPIRED"],
	IN_TRIAL: ["ACTIVE", "CANCELED", "EXPIRED"],
	ACTIVE: ["CANCELED", "EXPIRED"],
	CANCELED: [],
	EXPIRED: ["NOT_STARTED"],
};

/** InvalidSubscriptionStatus. Asked by the one function that writes a status (store.ts). */
export function assertMayBecome(
	{ refId, status }: { readonly refId: string; readonly status: SubscriptionStatus },
	next: SubscriptionStatus,
): void {
	if (nextStatuses[status].includes(next)) return;
	const possible = nextStatuses[status].join(", ");
	throw fail(
		"InvalidSubscriptionStatus",
		`The subscription '${refId}' is ${status} and cannot become ${next}; ${possible === "" ? "provision a new one" : `from here it may become ${possible}`}.`,
	);
}

export const hasEnded = (status: SubscriptionStatus): boolean => status === "CANCELED" || status === "EXPIRED";

interface Term {
	readonly status: SubscriptionStatus;
	readonly effectiveEndAt: Instant | null;
	readonly cancelAt: Instant | null;
	readonly endAt: Instant | null;
}

/**
 * The status as of `now`: an end that has come counts from that very instant, whoever writes it down and when. So a reader
 * never sees a subscription outlive its end.
 */
export function statusAt({ status, effectiveEndAt, cancelAt }: Term, now: Instant): SubscriptionStatus {
	if (hasEnded(status) || effectiveEndAt === null || effectiveEndAt > now) return status;
	return cancelAt === effectiveEndAt ? "CANCELED" : "EXPIRED";
}

export function cancelReasonAt(
	term: Term & { readonly cancelReason: CancelReason | null },
	now: Instant,
): CancelReason | null {
	if (term.cancelReason !== null || statusAt(term, now) === term.status) return term.cancelReason;
	if (term.cancelAt === term.effectiveEndAt) return "ScheduledCancellation";
	return term.endAt === term.effectiveEndAt ? "EXPIRED" : "TRIAL_ENDED";
}

/** Access comes with these two only. */
export const isRunning = (status: SubscriptionStatus): boolean => status === "ACTIVE" || status === "IN_TRIAL";

/** SubscriptionAlreadyCanceledOrExpired. */
export function assertMayEnd(subscription: Term & { refId: string }, now: Instant): void {
	const status = statusAt(subscription, now);
	if (hasEnded(status))
		throw fail(
			"SubscriptionAlreadyCanceledOrExpired",
			`The subscription '${subscription.refId}' is ${status} already; provision a new one.`,
		);
}

/**
 * What waits for its first payment has been invoiced on its terms, so these stay until it is paid. InvalidSubscriptionStatus.
 */
export function assertNotAwaitingPayment({
	refId,
	status,
}: {
	readonly refId: string;
	readonly status: SubscriptionStatus;
}): void {
	if (status === "PAYMENT_PENDING")
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${refId}' waits for its first payment; mark its invoice as paid, or cancel it.`,
		);
}
