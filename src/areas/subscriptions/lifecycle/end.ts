import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { cancelInvoice, getInvoice, latestInvoiceOf } from "../../invoices/operations";
import { productsByIds } from "../../products/operations";
import { recordBilled } from "../billing/counted-usage";
import { issueBill } from "../billing/issue";
import { firstLateUsageCheck } from "../billing/late-usage";
import { payerOf } from "../billing/payer";
import { rateBill } from "../billing/rules.bill";
import { settlementOf } from "../billing/settlement";
import type { CancelReason } from "../schema";
import { changeStatus, changeSubscription, selectCurrent, selectSuccessors } from "../store";
import { endUpdates, selectPendingUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import type { SubscriptionUpdateRow } from "../table.changes";

export interface End {
	readonly reason: CancelReason;
	readonly status?: "CANCELED" | "EXPIRED";
	/** When it ended; left out: now. Earlier only where an import says so. */
	readonly at?: Instant;
	/** Credits unused time. */
	readonly prorate?: boolean;
}

/** Ends a subscription now, and settles it: the usage up to now is billed, unused time credited where asked. */
export function settleAndEnd(work: Work, row: SubscriptionRow, { prorate = false, ...end }: End): SubscriptionRow {
	if (prorate) dropAwaited(work, row, end.reason);
	const settlement = settlementOf(work, row, { creditsUnusedTime: prorate, isEnd: true });
	issueBill(work, row, rateBill(settlement), {
		payer: payerOf(work, row),
		billingReason: "SUBSCRIPTION_UPDATE",
		creditReason: "ORDER_CANCELLATION",
		period: null,
	});
	recordBilled(work, row, settlement.counted);
	for (const successor of selectSuccessors(work, [row.id])) markEnded(work, successor, end);
	return markEnded(work, row, end);
}

/** Writes the end down; what it was stays readable. What was to come will not, and a payment that was waited for neither. */
export function markEnded(
	work: Work,
	row: SubscriptionRow,
	{ reason, status = "CANCELED", at = work.now }: End,
): SubscriptionRow {
	if (row.status === "PAYMENT_PENDING") cancelOpenInvoice(work, row);
	const ended = changeStatus(work, row, status, {
		cancelReason: reason,
		...(status === "CANCELED" && { cancelAt: at }),
		endedAt: at,
		usageDueAt: row.status === "ACTIVE" ? firstLateUsageCheck(work, row) : null,
		paymentCollection: "NOT_REQUIRED",
		prorations: null,
	});
	const pending = selectPendingUpdates(work, [row.id]);
	const unpaid = pending.filter((update) => update.status === "PENDING_PAYMENT");
	const scheduled = pending.filter((update) => update.status === "SCHEDULED");
	return endUpdates(work, voidUnpaidUpdates(work, ended, unpaid), scheduled, "CANCELED");
}

/**
 * Ends what waits for a payment to take the place of a subscription, with its invoice: that gives back what the other was charged
 * when it was issued, so whoever changes or moves the other since, or is given its unused time, decides anew. (Our choice.)
 */
export function dropAwaited(work: Work, row: SubscriptionRow, reason: CancelReason = "UPGRADE_OR_DOWNGRADE"): void {
	if (row.status !== "ACTIVE" || row.charged === null) return;
	const { customerId, productId, resourceId } = row;
	const anyResource = !productsByIds(work, [productId]).get(productId)?.multipleSubscriptions;
	for (const one of selectCurrent(work, { customerId, productId, resourceId, anyResource }))
		if (one.status === "PAYMENT_PENDING") markEnded(work, one, { reason });
}

/** Neither another subscription nor a change of its own waits for its payment any more. */
export function withoutAwaited(work: Work, row: SubscriptionRow): SubscriptionRow {
	dropAwaited(work, row);
	const unpaid = selectPendingUpdates(work, [row.id]).filter(({ status }) => status === "PENDING_PAYMENT");
	return voidUnpaidUpdates(work, row, unpaid);
}

/** Updates that wait for a payment no longer, and the invoices that nobody has to pay any more. */
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
