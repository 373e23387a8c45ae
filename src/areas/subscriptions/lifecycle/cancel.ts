import { type Instant, instantOf, toIso } from "../../../kernel/clock";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { sessionKindOf } from "../../access/rules.actors";
import { productsByIds } from "../../products/operations";
import type { CancellationTime, ProductSettings } from "../../products/schema";
import { assertMayEnd } from "../rules.status";
import type { SubscriptionCancel } from "../schema";
import { changeSubscription } from "../store";
import { insertDatedChange } from "../store.dated-changes";
import type { SubscriptionRow } from "../table";
import { boundEnd, runningTermOf, withOwed } from "../terms/term";
import { boundColumns } from "./bound-end";
import { assertMayDate } from "./dated";
import { billingPeriodEnd } from "./effective-date";
import { endSubscription } from "./fallback-plan";

/**
 * Cancels a subscription now, at the end of its billing period, or on a date; by default as the product says. A later
 * end shows as `cancellationDate`. The product's free plan follows the end, unless REVOKE_ENTITLEMENTS ends all access.
 * An immediate end credits unused time unless `prorate` is false; a later end credits it if `prorate` is true. The
 * caller has run due steps. Throws SubscriptionAlreadyCanceledOrExpired, TrialMustBeCancelledImmediately,
 * SubscriptionDoesNotHaveBillingPeriod, InvalidCancellationDate.
 */
export function cancel(work: Work, row: SubscriptionRow, input: SubscriptionCancel): SubscriptionRow {
	assertMayEnd(row, work.now);
	const settings = productsByIds(work, [row.productId]).get(row.productId)?.settings;
	assert(settings, "a subscription has a product");
	const time = cancellationTime(row, input, settings);
	if (input.endDate !== undefined && time !== "SPECIFIC_DATE")
		throw fail(
			"InvalidCancellationDate",
			"'endDate' goes with the cancellation time SPECIFIC_DATE only; leave it out.",
		);
	if (input.isBackdated && time !== "SPECIFIC_DATE")
		throw fail(
			"InvalidCancellationDate",
			"'isBackdated' goes with the cancellation time SPECIFIC_DATE and its 'endDate' only; leave it out.",
		);
	const terms = {
		cancelAction: input.cancellationAction ?? "DEFAULT",
		cancelProrates: input.prorate ?? false,
		canceledByCustomer: sessionKindOf(work.actor) !== undefined,
	};
	switch (time) {
		case "IMMEDIATE": {
			const { endAt, owedUntil } = boundEnd(row, work.now, work.now);
			if (endAt > work.now) return endWithTerm(work, row, input, terms);
			// The row stores the action, as for a scheduled end: access checks later explain that access was revoked.
			return endSubscription(work, changeSubscription(work, row, { ...terms, runningTerm: withOwed(row, owedUntil) }), {
				reason: "Immediate",
				prorate: input.prorate ?? true,
				owedUntil: owedUntil ?? undefined,
			});
		}
		case "END_OF_BILLING_PERIOD":
			return changeSubscription(work, row, { ...terms, ...boundColumns(work, row, endOfPeriod(work, row)) });
		case "SPECIFIC_DATE": {
			const cancelAt = dateOf(work, input);
			if (cancelAt < work.now) return cancelSince(work, changeSubscription(work, row, terms), cancelAt, input);
			// A date after the trial's end extends the trial (docs/interface/subscriptions.md).
			const extended = row.status === "IN_TRIAL" && row.trialEndAt !== null && cancelAt > row.trialEndAt;
			return changeSubscription(work, row, {
				...terms,
				...boundColumns(work, row, cancelAt),
				...(extended && { trialEndAt: cancelAt }),
			});
		}
	}
}

/** A product that cancels at once cancels at the end of the term, where the term demands it; a call that names IMMEDIATE is refused. */
function endWithTerm(
	work: Work,
	row: SubscriptionRow,
	{ cancellationTime }: SubscriptionCancel,
	terms: Pick<SubscriptionRow, "cancelAction" | "cancelProrates" | "canceledByCustomer">,
): SubscriptionRow {
	const columns = boundColumns(work, row, work.now);
	if (cancellationTime === "IMMEDIATE")
		throw fail(
			"InvalidCancellationDate",
			`The term of '${row.refId}' is agreed until ${toIso(columns.cancelAt)}; cancel with END_OF_BILLING_PERIOD, which ends it then.`,
		);
	return changeSubscription(work, row, { ...terms, ...columns });
}

/** The product's END_OF_BILLING_PERIOD applies only to a subscription with a billing period. */
function cancellationTime(
	row: SubscriptionRow,
	input: SubscriptionCancel,
	settings: ProductSettings,
): CancellationTime {
	if (input.cancellationTime !== undefined) return input.cancellationTime;
	const byProduct = settings.subscriptionCancellationTime;
	if (input.endDate !== undefined && byProduct !== "IMMEDIATE") return "SPECIFIC_DATE";
	const hasPeriod = row.status === "ACTIVE" && row.pricingType === "PAID";
	return byProduct === "END_OF_BILLING_PERIOD" && hasPeriod
		? "END_OF_BILLING_PERIOD"
		: byProduct === "SPECIFIC_DATE"
			? byProduct
			: "IMMEDIATE";
}

function endOfPeriod(work: Work, row: SubscriptionRow): Instant {
	if (row.status === "IN_TRIAL")
		throw fail(
			"TrialMustBeCancelledImmediately",
			"A trial has no billing period; cancel it with IMMEDIATE, or with SPECIFIC_DATE and its 'endDate'.",
		);
	const isBound = runningTermOf(row)?.agreed.earlyCancellation === "AT_TERM_END";
	const periodEndsAt = row.pricingType === "PAID" ? (billingPeriodEnd(work, row) ?? (isBound ? work.now : null)) : null;
	if (periodEndsAt === null)
		throw fail(
			"SubscriptionDoesNotHaveBillingPeriod",
			`The subscription '${row.refId}' has no billing period; cancel it with IMMEDIATE or SPECIFIC_DATE.`,
		);
	return periodEndsAt;
}

function dateOf(work: Work, { endDate, isBackdated = false }: SubscriptionCancel): Instant {
	const at = endDate === undefined ? undefined : instantOf(endDate);
	if (at === undefined || (at <= work.now && !isBackdated))
		throw fail(
			"InvalidCancellationDate",
			"SPECIFIC_DATE needs an 'endDate' that lies in the future; for one in the past send 'isBackdated' true.",
		);
	return at;
}

/**
 * Ends a subscription now, charged until a date in the past: it credits the time since then unless `prorate` is false. The access that it
 * gave since then stays as it was.
 */
function cancelSince(
	work: Work,
	row: SubscriptionRow,
	chargedUntil: Instant,
	{ prorate = true }: SubscriptionCancel,
): SubscriptionRow {
	const bound = boundEnd(row, chargedUntil, work.now);
	const agreedUntil = bound.owedUntil ?? bound.endAt;
	if (agreedUntil > chargedUntil)
		throw fail(
			"InvalidCancellationDate",
			`The term of '${row.refId}' is agreed until ${toIso(agreedUntil)}, so it cannot end in the past; change 'term' first, or choose a later date.`,
		);
	assertMayDate(work, row, chargedUntil, { place: "endDate", behavior: "INVOICE_IMMEDIATELY" });
	const ended = endSubscription(work, row, { reason: "Immediate", prorate, chargedUntil });
	insertDatedChange(work, ended, chargedUntil);
	return ended;
}
