import { type Instant, toIso } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import { dryRun } from "../../../kernel/dry-run";
import { fail } from "../../../kernel/errors";
import { addHours } from "../../../kernel/period";
import { assertSupported } from "../../../kernel/unsupported";
import type { Work } from "../../../kernel/work";
import type { PriceChange } from "../../pricing/price-change";
import type { RatedInvoice } from "../../pricing/rate";
import { requestedPeriod } from "../../pricing/requested-period";
import { lengthOf, periodText } from "../../pricing/rules.billing-period";
import type { Billing } from "../billing/change/requested";
import { withCharged } from "../billing/charged";
import { runningCommitments } from "../billing/commitments/running";
import { issueBill } from "../billing/issue";
import { discountAndTax, payerOf } from "../billing/payer";
import { isBilledHere } from "../rules.due";
import { assertMayEnd, assertNotAwaitingPayment } from "../rules.status";
import type { SubscriptionUpdate } from "../schema.update";
import { changeSubscription } from "../store";
import { insertDatedChange } from "../store.dated-changes";
import { endUpdates, insertUpdates, selectPendingUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import { commitmentsOf } from "../terms/commitments";
import { type PreparedChange, prepareChange } from "../terms/prepare-change";
import { priceChangeOf } from "../terms/price-change";
import { unsupportedInUpdate } from "../terms/rules.unsupported";
import { isTerm, nowOnly, partsOf, type UpdatePart } from "../terms/rules.update";
import { assertRequestedTaxes } from "../terms/taxes";
import { applyUpdate, behaviorOf } from "./apply-update";
import { assertMayDate } from "./dated";
import { billingPeriodEnd, effectiveDateOf } from "./effective-date";
import { voidUnpaidUpdates } from "./end";
import { changeEndDates } from "./end-dates";
import { assertDatableFields, assertDatesSomething, assertScheduledFields, effectiveDateIn } from "./rules.dated";
import { paymentWindowHours } from "./start";

export interface Updated {
	readonly subscription: SubscriptionRow;
	/** The amount that is charged at once; empty for a scheduled change. */
	readonly rated: readonly RatedInvoice[];
	readonly priceChange: PriceChange;
	/** When it takes effect, apart from a pending payment. */
	readonly at: Instant;
}

/**
 * Updates a subscription: at once, with the difference for the rest of the period; at the end of the period or on a date, as a
 * scheduled update; or after its invoice is paid (`awaitPaymentConfirmation`). With a date in the past it takes effect now, and its
 * prices apply from that date. An upgrade takes effect at once, a
 * downgrade as the product says, unless the call says otherwise. The caller has run due steps.
 * Throws SubscriptionAlreadyCanceledOrExpired, InvalidSubscriptionStatus, InvalidCancellationDate,
 * SchedulingAtEndOfBillingPeriod, DowngradeBillingPeriodNotSupportedError, and the codes of a sale.
 */
export function update(work: Work, subscription: SubscriptionRow, input: SubscriptionUpdate): Updated {
	assertSupported(input, unsupportedInUpdate);
	assertMayEnd(subscription, work.now);
	assertNotAwaitingPayment(subscription);
	assertRequestedTaxes(work, input, subscription.taxes);
	const date = effectiveDateIn(input);
	const row = changeEndDates(work, subscription, input);
	const parts = partsOf(input);
	const prepared = prepareChange(work, row, input);
	const priceChange = priceChangeOf({ row, sale: prepared.before }, prepared);
	const at = updateEffectiveDate(work, row, input, { sale: prepared.sale, priceChange, date });
	if (row.status === "PAUSED" && parts.some(isTerm) && (date === undefined || date === work.now))
		return waitForResumption(work, row, { parts, input, priceChange });
	if (date !== undefined && at > work.now) assertScheduledFields(input, parts);
	if (at > work.now) return { subscription: schedule(work, row, { at, parts, input }), rated: [], priceChange, at };
	const billing = {
		behavior: input.billingInformation?.prorationBehavior ?? behaviorOf(row),
		anchor: input.billingCycleAnchor,
		isPaid: input.billingInformation?.isInvoicePaid,
		...(date !== undefined && date < work.now && { effectiveAt: date }),
	};
	if (billing.effectiveAt !== undefined) {
		assertDatableFields(input);
		assertDatesSomething(input);
		assertMayDate(work, row, billing.effectiveAt, { place: "effectiveDate", behavior: billing.behavior });
	}
	const settled = withoutScheduled(work, row, parts, billing);
	if (input.awaitPaymentConfirmation) {
		assertWindowsContinue(work, row, prepared, billing);
		const waiting = awaitPayment(work, settled, { prepared, billing, parts });
		if (waiting)
			return { rated: waiting.rated, subscription: changeNow(work, waiting.subscription, input), priceChange, at };
	}
	const { subscription: updated, rated } = applyUpdate(work, settled, prepared, billing);
	if (billing.effectiveAt !== undefined) insertDatedChange(work, updated, billing.effectiveAt);
	return { subscription: updated, rated, priceChange, at };
}

/**
 * Throws UnsupportedParameter for a change that waits for its payment and would count in no window of a commitment of all charges. The fees
 * of a new billing cycle count from the request, and its windows would begin with the payment. A window that ends before the payment
 * arrives is settled without the change.
 */
function assertWindowsContinue(
	work: Work,
	row: SubscriptionRow,
	{ sale, commitments }: PreparedChange,
	{ anchor }: Pick<Billing, "anchor">,
): void {
	const running = runningCommitments(work, row);
	if (running.length === 0 && commitmentsOf({ ...row, commitments }, sale).length === 0) return;
	if (anchor === "NOW" || sale.billingPeriod !== row.billingPeriod)
		throw fail(
			"UnsupportedParameter",
			"'awaitPaymentConfirmation': a new billing cycle begins new windows of the commitments at once, so it cannot wait for its payment; leave 'awaitPaymentConfirmation' or the new cycle out.",
		);
	const paidUntil = addHours(work.now, paymentWindowHours);
	const ending = running.find(({ terms: { whole } }) => whole.end <= paidUntil);
	if (ending)
		throw fail(
			"UnsupportedParameter",
			`'awaitPaymentConfirmation': the payment can arrive until ${toIso(paidUntil)}, and a window of the commitments ends at ${toIso(ending.terms.whole.end)}, which must count the change; leave 'awaitPaymentConfirmation' out, or request the change after that time.`,
		);
}

/**
 * Nothing is charged during a pause, so a change of terms takes effect at the resumption. It is due at once, since a call can move
 * the resumption.
 */
function waitForResumption(
	work: Work,
	row: SubscriptionRow,
	{ priceChange, ...change }: Omit<Later, "at"> & Pick<Updated, "priceChange">,
): Updated {
	const subscription = schedule(work, row, { ...change, at: work.now });
	return { subscription, rated: [], priceChange, at: row.pause?.resumeAt ?? work.now };
}

/** A change to a shorter billing period waits for the end of the longer one, which is paid. */
function updateEffectiveDate(
	work: Work,
	row: SubscriptionRow,
	input: SubscriptionUpdate,
	{
		sale,
		priceChange,
		date,
	}: Pick<PreparedChange, "sale"> & Pick<Updated, "priceChange"> & { date: Instant | undefined },
): Instant {
	const { scheduleStrategy } = input;
	const asked = requestedPeriod(input, "body");
	const shortens = row.billingPeriod && asked && lengthOf(asked) < lengthOf(row.billingPeriod);
	const end = shortens && isBilledHere(row) ? billingPeriodEnd(work, row) : null;
	if (date !== undefined && (end === null || date >= end)) return date > work.now ? date : work.now;
	if (!asked || end === null) return effectiveDateOf(work, { scheduleStrategy }, { active: row, sale, priceChange });
	if (scheduleStrategy === "IMMEDIATE" || date !== undefined)
		throw fail(
			"DowngradeBillingPeriodNotSupportedError",
			`The current ${row.billingPeriod === "ANNUALLY" ? "year" : "billing period"} is paid; change to ${periodText(asked)} with the schedule strategy END_OF_BILLING_PERIOD.`,
		);
	return end;
}

interface Later {
	readonly at: Instant;
	readonly parts: readonly UpdatePart[];
	readonly input: SubscriptionUpdate;
}

/**
 * Schedules the changes that can be scheduled, in place of scheduled ones of the same kinds. Other changes are made
 * now.
 */
function schedule(work: Work, row: SubscriptionRow, { at, parts, input }: Later): SubscriptionRow {
	// A change that would fail then is rejected now.
	dryRun(work, () => applyUpdate(work, row, prepareChange(work, row, input), { behavior: behaviorOf(row) }));
	const types = new Set(parts.map(({ type }) => type));
	const replaced = selectPendingUpdates(work, [row.id]).filter(
		({ status, type }) => status === "SCHEDULED" && types.has(type),
	);
	const scheduled = insertUpdates(
		work,
		endUpdates(work, row, replaced, "CANCELED"),
		parts.map(({ type, changes }) => ({ type, changes, status: "SCHEDULED", executeAt: at, invoiceId: null })),
	);
	return changeNow(work, scheduled, input);
}

/** Makes the changes that cannot be scheduled. */
const changeNow = (work: Work, row: SubscriptionRow, input: SubscriptionUpdate): SubscriptionRow =>
	applyUpdate(work, row, prepareChange(work, row, nowOnly(input)), { behavior: behaviorOf(row) }).subscription;

/**
 * Cancels pending updates that a new immediate change replaces (docs/interface/subscriptions.md): all scheduled ones
 * and those that wait for a payment; if it changes no terms, only those of its own kinds.
 */
function withoutScheduled(
	work: Work,
	row: SubscriptionRow,
	parts: readonly UpdatePart[],
	{ anchor }: Billing,
): SubscriptionRow {
	const isOfTerms = parts.some(isTerm);
	const pending = selectPendingUpdates(work, [row.id]);
	const scheduled = pending.filter(
		({ status, type }) => status === "SCHEDULED" && (isOfTerms || parts.some((part) => part.type === type)),
	);
	const unpaid = pending.filter(({ status }) => status === "PENDING_PAYMENT" && (isOfTerms || anchor === "NOW"));
	return endUpdates(work, voidUnpaidUpdates(work, row, unpaid), scheduled, "CANCELED");
}

/** The part of a change that only starts a new billing cycle. */
const newCycle: UpdatePart = { type: "BILLING_PERIOD", changes: {} };

interface Awaited {
	readonly prepared: PreparedChange;
	readonly billing: Billing;
	readonly parts: readonly UpdatePart[];
}

/**
 * Invoices a change that waits for its payment. Returns undefined if nothing is to be paid, or the customer's balance
 * pays it.
 */
function awaitPayment(
	work: Work,
	row: SubscriptionRow,
	{ prepared, billing, parts }: Awaited,
): Pick<Updated, "subscription" | "rated"> | undefined {
	// Rated on the terms after the change, for their payer, discount and due date.
	const { rated, after, payer, setAgainst } = dryRun(work, () => {
		const { subscription, rated } = applyUpdate(work, row, prepared, { ...billing, part: "terms" });
		const { setAgainst = null } = withCharged(work, subscription).charged ?? {};
		return { rated, after: subscription, payer: payerOf(work, subscription), setAgainst };
	});
	if (!rated.some(({ total }) => exact(total).gt(0)) || billing.isPaid) return undefined;
	const issue = () => issueBill(work, after, rated, { payer, billingReason: "SUBSCRIPTION_UPDATE", period: null });
	if (dryRun(work, issue)?.state !== "OPEN") return undefined;
	const invoice = issue();
	const waiting = insertUpdates(
		work,
		row,
		(parts.length > 0 ? parts : [newCycle]).map(({ type, changes }) => ({
			type,
			changes: { ...changes, ...(billing.anchor && { billingCycleAnchor: billing.anchor }) },
			status: "PENDING_PAYMENT",
			executeAt: addHours(work.now, paymentWindowHours),
			invoiceId: invoice?.id ?? null,
			invoicedBy: {
				...discountAndTax(payer, after.taxPercentage),
				behavior: billing.behavior,
				setAgainst,
			},
		})),
	);
	return { subscription: changeSubscription(work, waiting, { paymentCollection: "PROCESSING" }), rated };
}
