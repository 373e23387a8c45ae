import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import { type Work, workAt } from "../../../kernel/work";
import type { InvoiceRow, LineRow } from "../../invoices/table";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { billingPeriodContaining } from "../rules";
import { isBilledHere } from "../rules.due";
import type { ProrationBehavior } from "../schema.provision";
import { changeSubscription } from "../store";
import type { ChargedPeriod, DiscountAndTax, SubscriptionRow } from "../table";
import type { InvoicedBy } from "../table.changes";
import { billInAdvance, itemOf, onDemandPrices } from "../terms/charge-items";
import type { Sale } from "../terms/prepare-sale";
import { recordBilled } from "./counted-usage";
import { billingAnchorFrom, usageDueAfter } from "./first-period";
import { issueBill, keepForNext } from "./issue";
import { firstLateUsageCheck } from "./late-usage";
import { discountAndTax, payerOf } from "./payer";
import {
	type BillSection,
	chargedAfterCredits,
	chargedElsewhere,
	chargedFrom,
	chargedPeriodOf,
	exceptSameCharge,
	isOneOff,
	isSameCharge,
	prorateItems,
	rateBill,
	splitByWaiting,
	subjectOf,
	withChargeIds,
	withDrawdown,
} from "./rules.bill";
import { chargesItem, chargesOnce } from "./rules.check";
import { settlementOf } from "./settlement";
import { excludeEarlierOverage } from "./usage";

/** How a change of terms is billed. */
export interface Billing {
	readonly behavior: ProrationBehavior;
	readonly anchor?: "UNCHANGED" | "NOW" | undefined;
	readonly isPaid?: boolean | undefined;
	/**
	 * "terms": without the usage, for an invoice that is paid before the change is made. "usage": the terms are paid for, and
	 * only the usage is left to be billed.
	 */
	readonly part?: "terms" | "usage";
	/** What was waited for: the invoice of the terms that has been paid. */
	readonly invoiced?: InvoicedTerms;
}

interface InvoicedTerms {
	readonly at: Instant;
	/** What was charged before is given back from then on. */
	readonly creditedFrom: Instant;
	readonly by: InvoicedBy | null;
	readonly lines: readonly LineRow[];
}

export interface Billed {
	readonly subscription: SubscriptionRow;
	readonly rated: readonly RatedInvoice[];
	readonly invoice: InvoiceRow | undefined;
}

/** A subscription before and after the change; what it holds is written down already, what it is charged is not. */
export interface ChangeOfTerms {
	readonly before: SubscriptionRow;
	readonly saleBefore: Sale;
	readonly after: SubscriptionRow;
	readonly sale: Sale;
}

/**
 * Bills a change in mid-period: credits what was charged for the rest of the period, charges the new terms for it, adds
 * what is paid once, and bills usage up to now at the old prices where these change. Another billing period begins at once,
 * and so does the same one where the anchor is NOW. What is no change of price costs nothing.
 */
export function billChange(work: Work, change: ChangeOfTerms, billing: Billing): Billed {
	const { before, after } = change;
	if (before.status !== "ACTIVE") return { subscription: after, rated: [], invoice: undefined };
	if (!isBilledHere(after)) return settleOnly(work, change);
	const { behavior, isPaid = false } = billing;
	const bill = changeBill(work, change, billing);
	const { period, charged, rated, resetsBillingCycle, isAtRenewal, repricesUsage } = bill;
	const subscription = changeSubscription(work, after, {
		...((resetsBillingCycle || repricesUsage) && { usageBilledFrom: work.now, usageBilledUntil: work.now }),
		...(!isAtRenewal && {
			billingAnchorAt: bill.anchorAt,
			billedUntil: period.end,
			usageDueAt: nextUsageDue(work, change, bill),
			charged,
			...(resetsBillingCycle && { prorations: null }),
		}),
	});
	if (repricesUsage) excludeEarlierOverage(work, subscription, change.sale, work.now);
	const issue = { payer: payerOf(work, after), billingReason: "SUBSCRIPTION_UPDATE", period, isPaid } as const;
	if (isAtRenewal || (behavior === "CREATE_PRORATIONS" && !resetsBillingCycle))
		return { subscription: keepForNext(work, subscription, rated, issue), rated, invoice: undefined };
	// What is paid before the change is made cannot wait for it.
	if (billing.part !== undefined) return { subscription, rated, invoice: issueBill(work, subscription, rated, issue) };
	const split = splitByWaiting(rated, subscription.prorations);
	const changed =
		split.waiting === subscription.prorations
			? subscription
			: changeSubscription(work, subscription, { prorations: split.waiting });
	return { subscription: changed, rated: split.now, invoice: issueBill(work, changed, split.now, issue) };
}

/** Usage that is to be billed at this very instant, after the change, still is. */
function nextUsageDue(
	work: Work,
	{ before, sale }: ChangeOfTerms,
	{ anchorAt, period, resetsBillingCycle }: Pick<ChangeBill, "anchorAt" | "period" | "resetsBillingCycle">,
): Instant | null {
	const { usageDueAt } = before;
	if (!resetsBillingCycle && usageDueAt !== null && usageDueAt <= work.now) return usageDueAt;
	return usageDueAfter(sale, anchorAt, period.end, work.now);
}

/** A paid subscription that is no longer charged here is settled. */
function settleOnly(work: Work, { before, saleBefore, after }: ChangeOfTerms): Billed {
	const settlement = settlementOf(work, before, { creditsUnusedTime: true, isEnd: true, sale: saleBefore });
	const rated = rateBill(settlement);
	recordBilled(work, before, settlement.counted);
	const subscription = changeSubscription(work, after, {
		...(after.billingPeriod === null && { billingAnchorAt: null }),
		billedUntil: null,
		usageBilledUntil: work.now,
		usageDueAt: firstLateUsageCheck(work, before),
		charged: null,
		prorations: null,
	});
	const issue = { payer: payerOf(work, after), billingReason: "SUBSCRIPTION_UPDATE", period: null } as const;
	return { subscription, rated, invoice: issueBill(work, subscription, rated, issue) };
}

type ChangeBill = ReturnType<typeof changeBill>;

function changeBill(
	work: Work,
	{ before, saleBefore, after, sale }: ChangeOfTerms,
	{ behavior, anchor, part, invoiced }: Billing,
) {
	// What was paid for was charged earlier, from then on, and as it was agreed then.
	const paid = part === "usage" ? invoiced : undefined;
	const then = paid ? workAt(work, paid.at) : work;
	const { billingPeriod } = sale;
	assert(billingPeriod !== null, "what is charged has a billing period");
	const resetsBillingCycle =
		anchor === "NOW" || billingPeriod !== before.billingPeriod || before.billingAnchorAt === null;
	// Where the period ends at this very instant, its renewal comes next, and charges the new terms.
	const isAtRenewal = !resetsBillingCycle && before.billedUntil !== null && before.billedUntil <= work.now;
	const anchorAt =
		resetsBillingCycle || before.billingAnchorAt === null
			? billingAnchorFrom(work, then.now, anchor)
			: before.billingAnchorAt;
	const period = billingPeriodContaining(anchorAt, billingPeriod, then.now);
	const items = billInAdvance({ ...sale, minimumSpend: after.minimumSpend }, period);
	const itemsBefore = billInAdvance({ ...saleBefore, minimumSpend: before.minimumSpend }, period);
	const isProrated = resetsBillingCycle || (!isAtRenewal && behavior !== "NONE" && !isSameCharge(itemsBefore, items));
	const repricesUsage = !Bun.deepEquals(usagePricesOf(saleBefore), usagePricesOf(sale));
	const { coupon, taxPercentage } = paid?.by ?? discountAndTax(payerOf(work, after).coupon, after.taxPercentage);
	const terms = { coupon, taxPercentage };
	const unchanged = resetsBillingCycle ? [] : unchangedItems(before.charged, items, terms);
	const settled = { sale: saleBefore, isMidway: !resetsBillingCycle };
	// A period that has begun while its payment was waited for is always given back.
	const isRenewed = paid !== undefined && paid.creditedFrom > paid.at;
	const creditsUnusedTime = isProrated && (behavior !== "NONE" || isRenewed);
	const { credits } = settlementOf(paid ? workAt(work, paid.creditedFrom) : work, before, {
		...settled,
		creditsUnusedTime,
		except: unchanged,
		billsUsage: false,
	});
	const left = { ...before, charged: chargedAfterCredits(before.charged, credits) };
	const billsUsage = part !== "terms" && (resetsBillingCycle || repricesUsage);
	const { usage, late, pending, counted } = settlementOf(work, left, {
		...settled,
		creditsUnusedTime: false,
		billsUsage,
	});
	const named = charging(work, items, unchanged, paid);
	const rest = isProrated ? proratedRecurring(then, exceptSameCharge(named, unchanged), period) : [];
	const added = addedOneOffs(itemsBefore, items).filter(
		// The invoice that was waited for has charged it, whatever has begun since.
		(item) => !invoiced?.lines.some((line) => chargesOnce(line, item)),
	);
	const charges = { ...terms, items: [...rest, ...added] };
	recordBilled(work, before, counted);
	const ofTerms = [...credits, charges];
	const setAgainst = paid?.by
		? (paid.by.setAgainst ?? undefined)
		: credits.length > 0
			? chargedElsewhere(before.charged)
			: undefined;
	const from = resetsBillingCycle || !before.charged ? then.now : chargedFrom(before.charged);
	const chargedNow = (sections: readonly BillSection[], former: ChargedPeriod | null) =>
		chargedPeriodOf(named, { period, from }, terms, sections, former, setAgainst);
	const sections = [...(part === "usage" ? [] : ofTerms), ...(part === "terms" ? [] : [...usage, ...late])];
	return {
		anchorAt,
		period,
		resetsBillingCycle,
		isAtRenewal,
		repricesUsage,
		rated: rateBill({ sections, pending: resetsBillingCycle && part !== "terms" ? pending : [] }),
		charged: resetsBillingCycle
			? chargedNow([charges], null)
			: isProrated
				? chargedNow([...ofTerms, ...usage], before.charged)
				: withDrawdown(before.charged, usage),
	};
}

const usagePricesOf = ({ prices, names }: Sale) =>
	onDemandPrices(prices).map((price) => {
		const { charge, featureRefId, addonRefId } = itemOf(price, names);
		return { charge, featureRefId, addonRefId };
	});

/** Items as they are charged after a change: those that stay as they were charged before, the others again, or as they were paid for. */
const charging = (
	work: Work,
	items: readonly ChargeItem[],
	unchanged: readonly ChargeItem[],
	paid: InvoicedTerms | undefined,
): ChargeItem[] =>
	withChargeIds(work.newId, items).map((item) => {
		const line = isOneOff(item) ? undefined : paid?.lines.find((one) => chargesItem(one, item));
		return unchanged.find((one) => isSameCharge([one], [item])) ?? (line ? { ...item, chargeId: line.chargeId } : item);
	});

/**
 * What was charged and is charged after a change just as before, so that it need be neither credited nor charged again. A
 * fixed discount is spread over all items of a period, so that with one it is.
 */
function unchangedItems(
	charged: ChargedPeriod | null,
	items: readonly ChargeItem[],
	{ coupon, taxPercentage }: DiscountAndTax,
): ChargeItem[] {
	if (!charged || coupon?.amountsOff || !Bun.deepEquals(charged.coupon, coupon)) return [];
	if (charged.taxPercentage !== taxPercentage) return [];
	return charged.items.filter((before) => items.some((item) => isSameCharge([before], [item])));
}

const proratedRecurring = (work: Work, items: readonly ChargeItem[], period: Period): ChargeItem[] =>
	prorateItems(
		items.filter((item) => !isOneOff(item)),
		period,
		work.now,
	);

/** What is paid once, when it comes to the subscription. */
const addedOneOffs = (before: readonly ChargeItem[], items: readonly ChargeItem[]): ChargeItem[] =>
	items.filter(isOneOff).filter((item) => !before.some((held) => subjectOf(held) === subjectOf(item)));
