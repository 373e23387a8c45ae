import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { BillingReason } from "../../invoices/schema";
import type { InvoiceRow } from "../../invoices/table";
import type { RatedInvoice } from "../../pricing/rate";
import { billingPeriodContaining, cycleOf } from "../rules";
import { nextLateUsageCheck } from "../rules.due";
import { changeSubscription, setUsageDue } from "../store";
import type { SubscriptionRow } from "../table";
import { commitmentsOf } from "../terms/commitments";
import { itemsInAdvance } from "../terms/items-of-period";
import type { EffectivePrice } from "../terms/prices";
import { changesPrices, saleOf } from "../terms/subscription-sale";
import { recordStretches, runningCharges, startCharges, stretchesUntil } from "./arrears";
import { chargedColumns, recordCharged, withCharged } from "./charged";
import { runningCommitments, startCommitments } from "./commitments/running";
import { settleCommitments, withCommitments } from "./commitments/settle";
import { recordBilled, type UsageCount, usageItems } from "./counted-usage";
import { issueBill, recordWaitingUses } from "./issue";
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
	withPercentagesOnly,
} from "./rules.bill";
import { isBilledAt, isBilledByRenewal, usageDueAfter } from "./rules.usage-intervals";
import { hasArrears, lateCommitmentSections, lateUsageSections, unspentMinimum, usageSection } from "./settlement";
import { excludeEarlierOverage, unbilledUsage } from "./usage";

/**
 * Renews a subscription: one invoice charges the period that starts now, bills the usage of the period that ended at its own
 * prices, and includes the prorations that waited.
 */
export function renew(work: Work, due: SubscriptionRow): SubscriptionRow {
	const row = withCharged(work, due);
	const { billingPeriod, billedUntil, nextCycle } = row;
	const cycle = nextCycle ?? cycleOf(row);
	assert(
		cycle !== null && billingPeriod !== null && billedUntil === work.now,
		"a renewal is due at the end of the billed period",
	);
	const sale = saleOf(work, row);
	const period = billingPeriodContaining(cycle, billingPeriod, work.now);
	const payer = payerOf(work, row);
	const terms = discountAndTax(payer, row.taxPercentage);
	const recurring = itemsInAdvance(work, { ...row, timeZone: cycle.timeZone }, sale, period).filter(
		(item) => !isOneOff(item),
	);
	const items = withChargeIds(work.newId, recurring);
	// A charge that began mid-cycle, with periods counted from the first of the month, pays for the rest of the period.
	const continued = continuing(prorateItems(items, period, work.now), row.charged);
	const hasNewPrices = changesPrices(work, row);
	const saleUntilNow = hasNewPrices ? saleOf(work, row, (work.now - 1) as Instant) : sale;
	// A window that spans several periods continues, unless it ends here or its terms do.
	const counted = unbilledUsage(work, row, saleUntilNow, work.now, {
		...(hasNewPrices || nextCycle ? {} : { isDue: isBilledByRenewal(sale, cycle, work.now) }),
		ends: hasNewPrices ? "all" : nextCycle ? "usage" : "none",
	});
	// A change for the next period may have left the sale without the charges that still run.
	const inArrears = runningCharges(work, row);
	const arrears = stretchesUntil(work, row, work.now, { of: inArrears });
	const ended = arrears.map(({ item }) => item);
	// A fixed discount applies once: to the period that begins, or, where nothing is charged in advance, to the one that ends.
	const isPaidAhead = continued.length > 0;
	const section = {
		...terms,
		items: [...continued, ...(isPaidAhead ? [] : ended), ...usageItems(counted.windows)],
		minimumSpendPaid: minimumSpendPaidOf(row.charged),
		beginsPeriod: true,
	};
	const lateSections = lateUsageSections(row, payer, counted);
	const running = runningCommitments(work, row);
	const ofEnded = isPaidAhead ? [{ ...withPercentagesOnly(terms), items: ended }] : [];
	const commitments = settleCommitments(work, row, {
		sections: [section, ...ofEnded, ...lateSections],
		// A moved anchor or zone begins other windows.
		ending: running.filter(({ terms: { whole } }) => nextCycle !== null || whole.end <= work.now),
	});
	const pending = row.prorations ? [row.prorations] : [];
	const charged = chargedPeriodOf(items, { period, from: work.now }, terms, [{ items: continued, ...terms }], null);
	const renewed = changeSubscription(work, row, {
		billedUntil: period.end,
		usageBilledUntil: work.now,
		// Usage that was free until now stays free: the new prices bill no earlier usage.
		...(hasNewPrices && { usageBilledFrom: work.now }),
		usageDueAt: usageDueAfter(sale, cycle, period.end, work.now),
		...chargedColumns(charged),
		prorations: null,
		...(nextCycle && {
			...{ billingAnchorAt: nextCycle.anchorAt, timeZone: nextCycle.timeZone },
			...{ nextCycle: null, cycleStartsAt: work.now },
		}),
	});
	recordWaitingUses(work, row, renewed);
	const chargedAfterUsage = withDrawdown(row.charged, [usageSection(row, payer, counted.windows, true)]);
	const rated = rateBill({
		sections: [
			withCommitments(section, commitments),
			...ofEnded,
			...lateSections,
			...lateCommitmentSections(row, payer, commitments),
		],
		pending,
	});
	const billed = nextCycle ? { start: work.now, end: period.end } : period;
	const invoice = issueBill(work, renewed, rated, { payer, billingReason: "BILLING_CYCLE", period: billed });
	const unspent = unspentMinimum(work, row, chargedAfterUsage);
	recordBilled(work, row, { ...counted, unspent, commitments }, { rated, invoice });
	recordCharged(work, renewed, charged, { chargedBy: row.chargedBy, rated, invoice, from: work.now });
	recordStretches(work, arrears, { rated, invoice });
	if (hasArrears(sale) || inArrears.length > 0)
		startCharges(work, renewed, sale, { start: work.now, whole: period, isNewPeriod: true });
	if (running.length > 0 || commitmentsOf(row, sale).length > 0)
		startCommitments(work, renewed, sale, { start: work.now, period });
	if (hasNewPrices) excludeEarlierOverage(work, renewed, sale, work.now, saleUntilNow);
	return renewed;
}

/**
 * Bills usage that was reported after a subscription ended, or after Tollgate stopped charging it. The usage gets an invoice of
 * its own, since no further invoice follows.
 */
export function billLateUsage(work: Work, row: SubscriptionRow): void {
	// The minimum spend of the last period is stored with the closed periods.
	const settled = { ...row, charged: null, chargedBy: [] };
	const settledAt = row.endedAt ?? row.usageBilledUntil ?? work.now;
	const counted = unbilledUsage(work, settled, null, settledAt);
	const payer = payerOf(work, row);
	const sections = lateUsageSections(settled, payer, counted);
	const commitments = settleCommitments(work, row, { sections });
	const rated = rateBill({ sections: [...sections, ...lateCommitmentSections(settled, payer, commitments)] });
	const invoice = issueBill(work, settled, rated, { payer, billingReason: "BILLING_CYCLE", period: null });
	recordBilled(work, settled, { ...counted, commitments }, { rated, invoice });
	setUsageDue(work, row, nextLateUsageCheck(settledAt, work.now));
}

export interface UsageBill {
	readonly counted: UsageCount;
	readonly rated: readonly RatedInvoice[];
	readonly invoice: InvoiceRow | undefined;
}

interface UsageToBill {
	/** Selects the prices. Default: all. */
	readonly only?: (price: EffectivePrice) => boolean;
	/** Their usage, if it has been counted already: up to the same instant, in a transaction that sees the same usage. */
	readonly counted?: UsageCount;
}

/** Bills the on-demand usage up to an instant within a period. */
export function billUsage(
	work: Work,
	due: SubscriptionRow,
	until: Instant,
	billingReason: BillingReason,
	{ only, counted: known }: UsageToBill = {},
): UsageBill {
	const row = withCharged(work, due);
	const sale = saleOf(work, row, (until - 1) as Instant);
	const cycle = cycleOf(row);
	const isDue = billingReason === "BILLING_CYCLE" ? isBilledAt(sale, cycle, until) : only;
	const counted = known ?? unbilledUsage(work, row, sale, until, { isDue });
	const payer = payerOf(work, row);
	const sections = [usageSection(row, payer, counted.windows, true)];
	const late = lateUsageSections(row, payer, counted);
	const commitments = settleCommitments(work, row, { sections: [...sections, ...late] });
	const rated = rateBill({ sections: [...sections, ...late, ...lateCommitmentSections(row, payer, commitments)] });
	const { billedUntil } = row;
	const billed = changeSubscription(work, row, {
		usageBilledUntil: until,
		...chargedColumns(withDrawdown(row.charged, sections)),
		...(cycle && billedUntil !== null && { usageDueAt: usageDueAfter(sale, cycle, billedUntil, work.now) }),
	});
	const from = row.usageBilledUntil ?? row.usageBilledFrom ?? row.startAt;
	const invoice = issueBill(work, billed, rated, {
		payer,
		billingReason,
		period: { start: from, end: until },
	});
	recordBilled(work, row, { ...counted, commitments }, { rated, invoice });
	return { counted, rated, invoice };
}
