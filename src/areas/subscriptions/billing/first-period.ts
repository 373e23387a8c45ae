import type { Instant } from "../../../kernel/clock";
import { type Period, periodContaining, startOfMonth } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { findEnvironment } from "../../access/operations";
import type { InvoiceRow } from "../../invoices/table";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { billingPeriodContaining } from "../rules";
import { isBilledHere } from "../rules.due";
import type { ProrationBehavior } from "../schema.provision";
import { changeSubscription } from "../store";
import type { ChargedPeriod, DiscountAndTax, SubscriptionRow } from "../table";
import { billInAdvance, onDemandPrices } from "../terms/charge-items";
import type { EffectivePrice } from "../terms/prices";
import type { Sale } from "../terms/sale";
import { noUsage, recordBilled } from "./counted-usage";
import { issueBill, keepForNext } from "./issue";
import { discountAndTax, type Parties, payerOf } from "./payer";
import {
	chargedElsewhere,
	chargedPeriodOf,
	isOneOff,
	prorateItems,
	rateBill,
	withChargeIds,
	withDrawdown,
} from "./rules.bill";
import { type Settlement, settlementOf } from "./settlement";
import { excludeEarlierOverage } from "./usage";

export interface FirstPeriodOptions {
	/** The customer and the payer, where the caller has loaded them. */
	readonly parties?: Parties | undefined;
	/** From when it gives access: now, or earlier. */
	readonly from: Instant;
	/** The running ones that it replaces; they are settled in the same bill, and ended by the caller. */
	readonly replaced: readonly SubscriptionRow[];
	readonly anchor?: "UNCHANGED" | "NOW" | undefined;
	readonly behavior: ProrationBehavior;
	readonly isPaid?: boolean | undefined;
	/** Charges the running period of a start in the past, which otherwise counts as charged elsewhere. */
	readonly isBackdated?: boolean | undefined;
	/** The replaced ones go on until it is paid, so their usage is not settled yet. */
	readonly awaitsPayment?: boolean | undefined;
}

export interface FirstPeriodBill {
	readonly subscription: SubscriptionRow;
	/** What it came to, issued or waiting for the next invoice. */
	readonly rated: readonly RatedInvoice[];
	readonly invoice: InvoiceRow | undefined;
}

/**
 * Begins to charge for a subscription: sets its billing periods, charges the first one, credits the unused time of what it
 * replaces, and bills the usage of that up to now; all in one bill. A plan that follows another of the same billing
 * period goes on with its cycle unless told otherwise, and pays for the rest of the period. A start in the past is not
 * charged for before the next period (docs/interface/subscriptions.md).
 */
export function billFirstPeriod(
	work: Work,
	row: SubscriptionRow,
	sale: Sale,
	options: FirstPeriodOptions,
): FirstPeriodBill {
	const { replaced, behavior, isPaid = false, awaitsPayment = false } = options;
	const payer = payerOf(work, row, options.parties);
	const terms = discountAndTax(payer.coupon, row.taxPercentage);
	const settlements = replaced.map((one) =>
		settlementOf(work, one, {
			// What was charged elsewhere is set against a price, and not paid out.
			creditsUnusedTime: behavior !== "NONE",
			isEnd: !isBilledHere(row),
			billsUsage: !awaitsPayment,
		}),
	);
	const cycle = billingCycleOf(work, sale, options);
	const items =
		cycle && isBilledHere(row)
			? withChargeIds(work.newId, billInAdvance({ ...sale, minimumSpend: row.minimumSpend }, cycle.period))
			: [];
	const due = cycle ? dueNow(items, cycle, options) : [];
	const section = { items: due, ...terms };
	const rated = rateBill({
		sections: [...settlements.flatMap(({ sections }) => sections), section],
		pending: settlements.flatMap(({ pending }) => pending),
	});
	const isCharged = due.some((item) => !isOneOff(item));
	const carried = cycle && !isCharged && !cycle.isPast ? carriedOver(cycle, behavior, settlements) : null;
	for (const [at, one] of replaced.entries()) {
		const counted = settlements[at]?.counted ?? noUsage;
		// A minimum spend that goes on here is not left over there.
		recordBilled(work, one, carried && one === cycle?.continued ? { ...counted, unspent: undefined } : counted);
	}
	const billed = cycle
		? changeSubscription(work, row, {
				billingAnchorAt: cycle.anchorAt,
				billedUntil: cycle.period.end,
				usageBilledFrom: cycle.from,
				usageDueAt: usageDueAfter(sale, cycle.anchorAt, cycle.period.end, work.now),
				charged: isCharged
					? chargedPeriodOf(items, cycle, terms, [section], null, setAgainst(replaced, settlements))
					: cycle.isPast
						? asChargedElsewhere(items, cycle, terms)
						: carried,
			})
		: row;
	if (cycle) excludeEarlierOverage(work, billed, sale, cycle.from);
	const issue = {
		payer,
		billingReason: settlements.some(({ sections }) => sections.length > 0)
			? "SUBSCRIPTION_UPDATE"
			: "SUBSCRIPTION_CREATION",
		period: cycle?.period ?? null,
		isPaid,
	} as const;
	if (behavior === "CREATE_PRORATIONS" && cycle?.isMidway)
		return { subscription: keepForNext(work, billed, rated, issue), rated, invoice: undefined };
	return { subscription: billed, rated, invoice: issueBill(work, billed, rated, issue) };
}

/** What another system had charged for one that it replaces, where that was credited. */
const setAgainst = (
	replaced: readonly SubscriptionRow[],
	settlements: readonly Settlement[],
): ChargedPeriod | undefined =>
	replaced
		.filter((_, at) => settlements[at]?.credits.length)
		.map(({ charged }) => chargedElsewhere(charged))
		.find((charged) => charged !== undefined);

/** Where nothing is prorated, what was charged for the running period stays charged for it. */
function carriedOver(
	{ continued, isMidway }: BillingCycle,
	behavior: ProrationBehavior,
	settlements: readonly Settlement[],
): ChargedPeriod | null {
	if (!continued?.charged || !isMidway || behavior !== "NONE") return null;
	return withDrawdown(
		continued.charged,
		settlements.flatMap(({ usage }) => usage),
	);
}

/** Nothing is charged, or not yet. */
export const noBillingCycle = {
	billingAnchorAt: null,
	billedUntil: null,
	usageBilledFrom: null,
	usageDueAt: null,
	charged: null,
} as const;

/** The billing periods of an imported subscription, whose running period was charged elsewhere. */
export function importedBillingCycle(work: Work, sale: Sale, from: Instant) {
	const cycle = billingCycleOf(work, sale, { from, replaced: [] });
	if (!cycle) return noBillingCycle;
	return {
		billingAnchorAt: cycle.anchorAt,
		billedUntil: cycle.period.end,
		usageBilledFrom: cycle.from,
		usageDueAt: usageDueAfter(sale, cycle.anchorAt, cycle.period.end, work.now),
		charged: asChargedElsewhere(billInAdvance(sale, cycle.period), cycle, { coupon: null, taxPercentage: null }),
	};
}

/** As if it had been charged here: so that a change in mid-period charges the difference only. */
function asChargedElsewhere(
	items: readonly ChargeItem[],
	cycle: BillingCycle,
	terms: DiscountAndTax,
): ChargedPeriod | null {
	const section = { items: prorateItems(items, cycle.period, cycle.from), ...terms };
	const charged = chargedPeriodOf(items, cycle, terms, [section], null);
	return charged && { ...charged, elsewhere: true };
}

/** The billing periods that a subscription begins with. */
interface BillingCycle {
	readonly anchorAt: Instant;
	readonly period: Period;
	/** From when this period is charged. */
	readonly from: Instant;
	readonly isPast: boolean;
	/** The one whose cycle it goes on with. */
	readonly continued: SubscriptionRow | undefined;
	/** That one's period reaches beyond now: at the very end of its period there is nothing to prorate. */
	readonly isMidway: boolean;
}

/** Undefined where nothing is priced. */
function billingCycleOf(
	work: Work,
	{ billingPeriod }: Sale,
	{ from, replaced, anchor }: Pick<FirstPeriodOptions, "from" | "replaced" | "anchor">,
): BillingCycle | undefined {
	if (billingPeriod === null) return undefined;
	const isPast = from < work.now;
	const continued =
		anchor === "NOW" || isPast
			? undefined
			: replaced.find((one) => one.billingPeriod === billingPeriod && one.billingAnchorAt !== null);
	const anchorAt = continued?.billingAnchorAt ?? billingAnchorFrom(work, from, anchor);
	const period = billingPeriodContaining(anchorAt, billingPeriod, work.now);
	const isMidway = continued !== undefined && continued.billedUntil !== null && continued.billedUntil > work.now;
	return { anchorAt, period, from: from > period.start ? from : period.start, isPast, continued, isMidway };
}

/** What of a period's items is charged at once. */
function dueNow(
	items: readonly ChargeItem[],
	{ period, from, isPast, isMidway }: BillingCycle,
	options: FirstPeriodOptions,
): ChargeItem[] {
	if (isPast && !options.isBackdated) return [];
	if (isMidway && options.behavior === "NONE") return items.filter(isOneOff);
	return prorateItems(items, period, from);
}

/**
 * From where the billing periods are counted that begin at an instant: that instant, or, where the environment says so and
 * the call does not say NOW, the first of its month.
 */
export const billingAnchorFrom = (work: Work, from: Instant, anchor?: "UNCHANGED" | "NOW"): Instant =>
	anchor !== "NOW" && findEnvironment(work, work.actor.environmentId)?.billingAnchor === "START_OF_THE_MONTH"
		? startOfMonth(from)
		: from;

/** When usage is billed by the month though the period is a year: at the end of the month that runs, within that year. */
export function usageDueAfter(sale: Sale, anchorAt: Instant, periodEnd: Instant, at: Instant): Instant | null {
	if (sale.billingPeriod !== "ANNUALLY" || !onDemandPrices(sale.prices).some(isBilledByTheMonth(sale))) return null;
	const { end } = periodContaining(anchorAt, "months", 1, at);
	return end < periodEnd ? end : null;
}

/** What is priced for a month is billed each month, in arrears; overage that is priced for a year too, if the plan says so. */
export const isBilledByTheMonth =
	({ plan }: Sale) =>
	({ charge }: EffectivePrice): boolean =>
		charge.billingPeriod === "MONTHLY" || (charge.isOverage && plan.overageBillingPeriod === "MONTHLY");
