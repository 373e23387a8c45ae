import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import { dryRun } from "../../../kernel/dry-run";
import { fail } from "../../../kernel/errors";
import { addHours } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { RatedInvoice } from "../../pricing/rate";
import { billFirstPeriod, type FirstPeriodBill } from "../billing/first-period";
import type { Parties } from "../billing/payer";
import { excludeEarlierOverage } from "../billing/usage";
import { grantRecurringCredits } from "../credits/grant-recurring";
import type { SubscriptionProvision } from "../schema.provision";
import { changeStatus } from "../store";
import type { SubscriptionRow } from "../table";
import type { Sale } from "../terms/sale";
import { assertNonePaused, type CurrentSubscriptions } from "./current";
import { billTrial, markEnded } from "./end";

/** How long Tollgate waits for a first payment. Payment providers use the same limit. */
export const paymentWindowHours = 23;

/** The start of a subscription, beyond the terms in its row. */
export interface StartOptions {
	readonly current: CurrentSubscriptions;
	/** The customer and the payer, where the caller has loaded them. */
	readonly parties?: Parties;
	/** A running trial continues alongside the subscription. */
	readonly keepsTrial?: boolean;
	readonly anchor?: SubscriptionProvision["billingCycleAnchor"];
	readonly isPaid?: boolean | undefined;
	readonly isBackdated?: boolean | undefined;
	readonly awaitsPayment?: boolean | undefined;
	/** From when it is charged in place of the active subscription, where that is before now. */
	readonly effectiveAt?: Instant | undefined;
	/** The scheduler starts it at its time. A call gets an invoice of its own. */
	readonly fallsDue?: boolean;
}

export interface Started {
	readonly subscription: SubscriptionRow;
	readonly rated: readonly RatedInvoice[];
}

/**
 * Starts a subscription now. A trial replaces a running trial only. Any other subscription replaces the active one, converts
 * a trial of the product, and raises its first invoice. While that invoice waits for its payment, the replaced
 * subscription continues. Throws InvalidSubscriptionStatus while a paused subscription keeps the slot, and UnsupportedParameter for a
 * payment that unused time in another currency would come before.
 */
export function startSubscription(work: Work, row: SubscriptionRow, sale: Sale, options: StartOptions): Started {
	const { current, keepsTrial = false, awaitsPayment = false } = options;
	assertNonePaused(current);
	const isTrial = row.trialEndAt !== null && row.trialEndAt > work.now;
	if (isTrial) {
		if (current.trial) markEnded(work, billTrial(work, current.trial), { reason: "UPGRADE_OR_DOWNGRADE" });
		if (row.trialBillsUsage) excludeEarlierOverage(work, row, sale, row.startAt);
		return { subscription: grantRecurringCredits(work, changeStatus(work, row, "IN_TRIAL"), current.trial), rated: [] };
	}
	const endedTrial = keepsTrial ? undefined : current.trial;
	const bill = (awaits: boolean) =>
		billFirstPeriod(work, row, sale, {
			...options,
			// A trial is charged from its end.
			from: row.trialEndAt ?? row.startAt,
			replaced: [...(current.active ? [current.active] : []), ...(endedTrial?.trialBillsUsage ? [endedTrial] : [])],
			behavior: row.billingDetails?.prorationBehavior ?? "INVOICE_IMMEDIATELY",
			awaitsPayment: awaits,
		});
	// Without an amount to pay there is no payment to wait for, and the replaced subscription is settled at once.
	const isAwaited = awaitsPayment && isOpen(dryRun(work, () => bill(true)));
	const { subscription, rated } = bill(isAwaited);
	if (isAwaited) {
		const paymentDueAt = addHours(work.now, paymentWindowHours);
		const waiting = { paymentDueAt, paymentCollection: "PROCESSING" } as const;
		return { subscription: changeStatus(work, subscription, "PAYMENT_PENDING", waiting), rated };
	}
	if (current.active) markEnded(work, current.active, { reason: "UPGRADE_OR_DOWNGRADE" });
	if (endedTrial) markEnded(work, endedTrial, { reason: "TRIAL_CONVERTED" });
	const started = changeStatus(work, subscription, "ACTIVE", { replacesId: current.active?.id ?? null });
	return { subscription: grantRecurringCredits(work, started, current.active), rated };
}

/**
 * Whether a first bill leaves an amount to pay. Credits in its currency are part of the invoice, so they end with it if it is not paid.
 * Those in another currency would be a credit note of their own, which stays.
 */
function isOpen({ invoice, rated }: FirstPeriodBill): boolean {
	if (invoice?.state !== "OPEN") return false;
	const credit = rated.find(({ total }) => exact(total).lt(0));
	if (!credit) return true;
	throw fail(
		"UnsupportedParameter",
		`'awaitPaymentConfirmation': the active subscription is charged in ${credit.currency}, so its unused time would be credited before the payment in ${invoice.currency}; leave 'awaitPaymentConfirmation' out, or cancel that subscription first.`,
	);
}
