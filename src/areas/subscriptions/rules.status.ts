import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { CancelReason, SubscriptionStatus } from "./schema";

/**
 * The allowed transitions between statuses. Every subscription begins as NOT_STARTED. An ended subscription stays
 * ended, except that an import can correct one that reached its agreed end, so that it starts again.
 */
export const nextStatuses: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
	NOT_STARTED: ["PAYMENT_PENDING", "IN_TRIAL", "ACTIVE", "CANCELED", "EXPIRED"],
	PAYMENT_PENDING: ["ACTIVE", "CANCELED", "EXPIRED"],
	IN_TRIAL: ["ACTIVE", "CANCELED", "EXPIRED"],
	ACTIVE: ["PAUSED", "CANCELED", "EXPIRED"],
	PAUSED: ["ACTIVE", "CANCELED", "EXPIRED"],
	CANCELED: [],
	EXPIRED: ["NOT_STARTED"],
};

/** Throws InvalidSubscriptionStatus. `changeStatus` of the store, which alone writes a status, calls it. */
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
 * Returns the status at `now`. An end counts from its very instant, even before it is written, so a reader never sees a
 * subscription outlive its end.
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
	// A term that is not renewed has no end of its own in the row.
	return term.endAt === term.effectiveEndAt || term.status !== "IN_TRIAL" ? "EXPIRED" : "TRIAL_ENDED";
}

/** Only these two statuses give access. */
export const isRunning = (status: SubscriptionStatus): boolean => status === "ACTIVE" || status === "IN_TRIAL";

/** Throws SubscriptionAlreadyCanceledOrExpired. */
export function assertMayEnd(subscription: Term & { refId: string }, now: Instant): void {
	const status = statusAt(subscription, now);
	if (hasEnded(status))
		throw fail(
			"SubscriptionAlreadyCanceledOrExpired",
			`The subscription '${subscription.refId}' is ${status} already; provision a new one.`,
		);
}

/**
 * A subscription that waits for its first payment keeps its invoiced terms until it is paid. Throws InvalidSubscriptionStatus.
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
