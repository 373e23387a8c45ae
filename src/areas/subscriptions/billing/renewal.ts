import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { BillingReason } from "../../invoices/schema";
import type { InvoiceRow } from "../../invoices/table";
import type { RatedInvoice } from "../../pricing/rate";
import { billingPeriodContaining } from "../rules";
import { nextLateUsageCheck } from "../rules.due";
import { changeSubscription, setUsageDue } from "../store";
import type { SubscriptionRow } from "../table";
import { billInAdvance } from "../terms/charge-items";
import { changesPrices, saleOf } from "../terms/subscription-sale";
import { recordBilled, type UsageCount, usageItems } from "./counted-usage";
import { isBilledByTheMonth, usageDueAfter } from "./first-period";
import { issueBill } from "./issue";
import { discountAndTax, payerOf } from "./payer";
import {
	chargedPeriodOf,
	continuing,
	isOneOff,
	minimumSpendPaidOf,
	prorateItems,
	rateBill,
	withChargeIds,
	withDrawdown,
} from "./rules.bill";
import { lateUsageSections, unspentMinimum, usageSection } from "./settlement";
import { excludeEarlierOverage, unbilledUsage } from "./usage";

/**
 * Begins the billing period that starts now: one invoice charges it in advance, bills the usage of the one that has ended,
 * at the prices of that one, and takes up the prorations that waited.
 */
export function renew(work: Work, row: SubscriptionRow): SubscriptionRow {
	const { billingAnchorAt, billingPeriod, billedUntil } = row;
	assert(billingAnchorAt !== null && billingPeriod !== null && billedUntil === work.now, "a renewal comes at its time");
	const sale = saleOf(work, row);
	const period = billingPeriodContaining(billingAnchorAt, billingPeriod, work.now);
	const payer = payerOf(work, row);
	const terms = discountAndTax(payer.coupon, row.taxPercentage);
	const recurring = billInAdvance({ ...sale, minimumSpend: row.minimumSpend }, period).filter(
		(item) => !isOneOff(item),
	);
	const items = withChargeIds(work.newId, recurring);
	// What began to be charged in mid-period, counted from the first of the month, pays for the rest of the period.
	const due = continuing(prorateItems(items, period, work.now), row.charged);
	const hasNewPrices = changesPrices(work, row);
	const saleUntilNow = hasNewPrices ? saleOf(work, row, (work.now - 1) as Instant) : sale;
	const counted = unbilledUsage(work, row, saleUntilNow, work.now);
	const section = {
		...terms,
		items: [...due, ...usageItems(counted.windows)],
		minimumSpendPaid: minimumSpendPaidOf(row.charged),
	};
	const pending = row.prorations ? [row.prorations] : [];
	const renewed = changeSubscription(work, row, {
		billedUntil: period.end,
		usageBilledUntil: work.now,
		// Usage that was free until now stays free: the prices that begin now bill no earlier usage.
		...(hasNewPrices && { usageBilledFrom: work.now }),
		usageDueAt: usageDueAfter(sale, billingAnchorAt, period.end, work.now),
		charged: chargedPeriodOf(items, { period, from: work.now }, terms, [{ items: due, ...terms }], null),
		prorations: null,
	});
	const chargedAfterUsage = withDrawdown(row.charged, [usageSection(work, row, counted.windows, true)]);
	recordBilled(work, row, { ...counted, unspent: unspentMinimum(work, row, chargedAfterUsage) });
	if (hasNewPrices) excludeEarlierOverage(work, renewed, sale, work.now, saleUntilNow);
	const sections = [section, ...lateUsageSections(work, row, counted)];
	issueBill(work, renewed, rateBill({ sections, pending }), { payer, billingReason: "BILLING_CYCLE", period });
	return renewed;
}

/**
 * Bills what is reported of a subscription after it has ended, or has become one that is not charged here: by an invoice of
 * its own, since none of its own would come.
 */
export function billLateUsage(work: Work, row: SubscriptionRow): void {
	// The minimum of its last period is kept with those that have passed.
	const settled = { ...row, charged: null };
	const settledAt = row.endedAt ?? row.usageBilledUntil ?? work.now;
	const counted = unbilledUsage(work, settled, null, settledAt);
	const rated = rateBill({ sections: lateUsageSections(work, settled, counted) });
	recordBilled(work, settled, counted);
	issueBill(work, settled, rated, { payer: payerOf(work, row), billingReason: "BILLING_CYCLE", period: null });
	setUsageDue(work, row, nextLateUsageCheck(settledAt, work.now));
}

export interface UsageBill {
	readonly counted: UsageCount;
	readonly rated: readonly RatedInvoice[];
	readonly invoice: InvoiceRow | undefined;
}

/** Bills the on-demand usage up to an instant, in the midst of a period. */
export function billUsage(work: Work, row: SubscriptionRow, until: Instant, billingReason: BillingReason): UsageBill {
	const sale = saleOf(work, row, (until - 1) as Instant);
	const isDue = billingReason === "BILLING_CYCLE" ? isBilledByTheMonth(sale) : undefined;
	const counted = unbilledUsage(work, row, sale, until, isDue);
	const sections = [usageSection(work, row, counted.windows, true)];
	const rated = rateBill({ sections: [...sections, ...lateUsageSections(work, row, counted)] });
	const { billingAnchorAt, billedUntil } = row;
	const billed = changeSubscription(work, row, {
		usageBilledUntil: until,
		charged: withDrawdown(row.charged, sections),
		...(billingAnchorAt !== null &&
			billedUntil !== null && { usageDueAt: usageDueAfter(sale, billingAnchorAt, billedUntil, work.now) }),
	});
	recordBilled(work, row, counted);
	const from = row.usageBilledUntil ?? row.usageBilledFrom ?? row.startAt;
	const invoice = issueBill(work, billed, rated, {
		payer: payerOf(work, row),
		billingReason,
		period: { start: from, end: until },
	});
	return { counted, rated, invoice };
}
