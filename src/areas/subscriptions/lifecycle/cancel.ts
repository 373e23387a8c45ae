import { type Instant, instantOf } from "../../../kernel/clock";
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
		case "IMMEDIATE":
			// The row stores the action, as for a scheduled end: access checks later explain that access was revoked.
			return endSubscription(work, changeSubscription(work, row, terms), {
				reason: "Immediate",
				prorate: input.prorate ?? true,
			});
		case "END_OF_BILLING_PERIOD":
			return changeSubscription(work, row, { ...terms, cancelAt: endOfPeriod(work, row) });
		case "SPECIFIC_DATE": {
			const cancelAt = dateOf(work, input);
			if (cancelAt < work.now) return cancelSince(work, changeSubscription(work, row, terms), cancelAt, input);
			// A date after the trial's end extends the trial (docs/interface/subscriptions.md).
			const extended = row.status === "IN_TRIAL" && row.trialEndAt !== null && cancelAt > row.trialEndAt;
			return changeSubscription(work, row, {
				...terms,
				cancelAt,
				...(extended && { trialEndAt: cancelAt }),
			});
		}
	}
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
	const periodEndsAt = row.pricingType === "PAID" ? billingPeriodEnd(work, row) : null;
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
	assertMayDate(work, row, chargedUntil, { place: "endDate", behavior: "INVOICE_IMMEDIATELY" });
	const ended = endSubscription(work, row, { reason: "Immediate", prorate, chargedUntil });
	insertDatedChange(work, ended, chargedUntil);
	return ended;
}
