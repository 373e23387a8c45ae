import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { cancelInvoice, getInvoice, latestInvoiceOf } from "../../invoices/operations";
import { productsByIds } from "../../products/operations";
import { settleStretches } from "../billing/arrears";
import { recordCredits, withCharged } from "../billing/charged";
import { recordBilled } from "../billing/counted-usage";
import { assertCanEnd, runningPeriodStart } from "../billing/dated/dated-change";
import { recordFormerPeriods, rerateFormerPeriods } from "../billing/dated/former-periods";
import { reverseSince, settlementAt } from "../billing/dated/rerate";
import { issueBill, recordWaitingUses } from "../billing/issue";
import { firstLateUsageCheck } from "../billing/late-usage";
import { payerOf } from "../billing/payer";
import { restOfTerm } from "../billing/remainder";
import { rateBill } from "../billing/rules.bill";
import { isSettled, settlementOf } from "../billing/settlement";
import type { CancelReason } from "../schema";
import { changeStatus, changeSubscription, selectSuccessors } from "../store";
import { selectCurrent } from "../store.of-customers";
import { endPause } from "../store.pauses";
import { endUpdates, selectPendingUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import type { SubscriptionUpdateRow } from "../table.changes";
import { saleOf } from "../terms/subscription-sale";

export interface End {
	readonly reason: CancelReason;
	readonly status?: "CANCELED" | "EXPIRED";
	/** When it ended. Default: now. Only an import sets an earlier time. */
	readonly at?: Instant;
	/** Whether unused time is credited. */
	readonly prorate?: boolean;
	/** The date in the past until which it is charged. Default: when it ends. */
	readonly chargedUntil?: Instant;
	/** The end of the term, up to which an early end is paid for. Nothing is credited then. */
	readonly owedUntil?: Instant | undefined;
}

/**
 * Ends a subscription now and settles it: bills usage up to now, and credits unused time if requested. A pause has settled a paused
 * one already.
 */
export function settleAndEnd(
	work: Work,
	row: SubscriptionRow,
	{ prorate = false, chargedUntil, owedUntil, ...end }: End,
): SubscriptionRow {
	if (prorate) cancelPendingReplacements(work, row, end.reason);
	settle(work, row, { prorate, chargedUntil, owedUntil });
	for (const successor of selectSuccessors(work, [row.id])) markEnded(work, successor, end);
	return markEnded(work, row, { ...end, ...(chargedUntil !== undefined && { at: chargedUntil }) });
}

/** Bills the usage of a trial that ends now, if its plan says so. */
export function billTrial(work: Work, trial: SubscriptionRow): SubscriptionRow {
	if (isSettled(trial)) settle(work, trial, {});
	return trial;
}

interface Settling extends Pick<End, "prorate" | "owedUntil"> {
	readonly chargedUntil?: Instant | undefined;
}

function settle(
	work: Work,
	row: SubscriptionRow,
	{ prorate = false, chargedUntil = work.now, owedUntil }: Settling,
): void {
	const charged = withCharged(work, row);
	const isDated = chargedUntil < work.now;
	const begun = runningPeriodStart(work, charged);
	const until = Math.max(chargedUntil, begun) as Instant;
	if (isDated) assertCanEnd(work, { before: charged, sale: saleOf(work, row), endAt: chargedUntil, begun, prorate });
	const reversed = prorate && isDated ? reverseSince(work, row, chargedUntil) : undefined;
	// A period that is paid ahead can be all that is left of the term.
	const owesRest = owedUntil !== undefined && owedUntil > work.now;
	const rest = owesRest ? restOfTerm(work, row, owedUntil) : [];
	const ending = {
		...{ creditsUnusedTime: prorate && !owesRest, isEnd: true, owesRest },
		reversesKept: isDated && chargedUntil <= begun,
	};
	const settlement = isDated
		? settlementAt(work, charged, { from: chargedUntil, until }, ending)
		: settlementOf(work, charged, ending);
	const former =
		prorate && isDated
			? rerateFormerPeriods(work, {
					...{ before: charged, saleBefore: saleOf(work, row), next: null, from: chargedUntil, until: begun },
				})
			: [];
	const rated = rateBill({
		...settlement,
		// The newest invoice is credited first, so the newest period is.
		sections: [...settlement.sections, ...rest, ...former.toReversed().flatMap(({ sections }) => sections)],
		pending: [...(reversed?.lines ?? []), ...settlement.pending],
	});
	const invoice = issueBill(work, row, rated, {
		payer: payerOf(work, row),
		billingReason: "SUBSCRIPTION_UPDATE",
		creditReason: "ORDER_CANCELLATION",
		period: null,
	});
	recordBilled(work, row, settlement.counted, { rated, invoice });
	settleStretches(work, row, settlement.arrears, { rated, invoice });
	recordFormerPeriods(work, row, former, { rated, invoice });
	recordCredits(work, row, { rated });
}

/** Writes the end of a subscription, and cancels its pending updates and payments. Its other data stays readable. */
export function markEnded(
	work: Work,
	row: SubscriptionRow,
	{ reason, status = "CANCELED", at = work.now }: End,
): SubscriptionRow {
	if (row.status === "PAYMENT_PENDING") cancelOpenInvoice(work, row);
	if (row.status === "PAUSED") endPause(work, row, at);
	const ended = changeStatus(work, row, status, {
		cancelReason: reason,
		...(status === "CANCELED" && { cancelAt: at }),
		endedAt: at,
		usageDueAt: mayHaveLateUsage(row) ? firstLateUsageCheck(work, row) : null,
		pause: null,
		paymentCollection: "NOT_REQUIRED",
		prorations: null,
	});
	recordWaitingUses(work, row, ended);
	const pending = selectPendingUpdates(work, [row.id]);
	const unpaid = pending.filter((update) => update.status === "PENDING_PAYMENT");
	const scheduled = pending.filter((update) => update.status === "SCHEDULED");
	return endUpdates(work, voidUnpaidUpdates(work, ended, unpaid), scheduled, "CANCELED");
}

const mayHaveLateUsage = ({ status, trialBillsUsage }: SubscriptionRow): boolean =>
	status === "ACTIVE" || status === "PAUSED" || trialBillsUsage;

/**
 * Ends subscriptions that wait for their payment to replace this one, and cancels their invoices. Such an invoice
 * credits the charges of its time of issue, so a later change, transfer or credit of this subscription makes it
 * obsolete.
 */
export function cancelPendingReplacements(
	work: Work,
	row: SubscriptionRow,
	reason: CancelReason = "UPGRADE_OR_DOWNGRADE",
): void {
	if (row.status !== "ACTIVE" || row.chargedFrom === null) return;
	const { customerId, productId, resourceId } = row;
	const anyResource = !productsByIds(work, [productId]).get(productId)?.multipleSubscriptions;
	for (const one of selectCurrent(work, { customerId, productId, resourceId, anyResource }))
		if (one.status === "PAYMENT_PENDING") markEnded(work, one, { reason });
}

/** Cancels everything that waits for a payment: replacing subscriptions, and the subscription's own updates. */
export function cancelPendingPayments(work: Work, row: SubscriptionRow): SubscriptionRow {
	cancelPendingReplacements(work, row);
	const unpaid = selectPendingUpdates(work, [row.id]).filter(({ status }) => status === "PENDING_PAYMENT");
	return voidUnpaidUpdates(work, row, unpaid);
}

/** Cancels updates that wait for a payment, and their open invoices. */
export function voidUnpaidUpdates(
	work: Work,
	row: SubscriptionRow,
	unpaid: readonly SubscriptionUpdateRow[],
): SubscriptionRow {
	if (unpaid.length === 0) return row;
	for (const invoiceId of new Set(unpaid.flatMap((update) => update.invoiceId ?? [])))
		if (getInvoice(work, invoiceId).state === "OPEN") cancelInvoice(work, invoiceId);
	const settled = changeSubscription(work, row, { paymentCollection: "NOT_REQUIRED" });
	return endUpdates(work, settled, unpaid, "CANCELED");
}

function cancelOpenInvoice(work: Work, row: SubscriptionRow): void {
	const invoice = latestInvoiceOf(work, row.id);
	if (invoice?.state === "OPEN") cancelInvoice(work, invoice.id);
}
