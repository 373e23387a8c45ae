import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import { type Work, workAt } from "../../../kernel/work";
import type { InvoiceRow } from "../../invoices/table";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { billingPeriodAt } from "../rules";
import { isBilledHere } from "../rules.due";
import { changeSubscription } from "../store";
import type { ChargedPeriod, SubscriptionRow } from "../table";
import { itemsInAdvance } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import { recordStretches, settleStretches } from "./arrears";
import { changeCharges } from "./change/arrears";
import { type CycleAfter, cycleAfter, nextUsageDue } from "./change/cycle";
import type { Billing, ChangeOfTerms, ChargedChange, InvoicedTerms } from "./change/requested";
import { type ChargedSubscription, chargedColumns, recordCharged, withCharged } from "./charged";
import { chargesItem, chargesOnce } from "./check/rules";
import { recordBilled } from "./counted-usage";
import { firstPeriodOf } from "./cycle";
import { assertCanRerate, repricesUsage } from "./dated/dated-change";
import { recordFormerPeriods, rerateFormerPeriods } from "./dated/former-periods";
import { type Rerated, rerateSince } from "./dated/rerate";
import { unchangedItems } from "./dated/unchanged";
import { type Issue, issueBill, keepForNextInvoice, recordWaitingUses } from "./issue";
import { firstLateUsageCheck } from "./late-usage";
import { discountAndTax, type Payer, payerOf } from "./payer";
import {
	aboveCharged,
	type BillSection,
	chargedAfterCredits,
	chargedElsewhere,
	chargedFrom,
	chargedPeriodOf,
	exceptSameCharge,
	isKept,
	isOneOff,
	isSameCharge,
	prorateItems,
	rateBill,
	splitByWaiting,
	subjectOf,
	taxed,
	withChargeIds,
	withDrawdown,
} from "./rules.bill";
import { settlementOf } from "./settlement";
import { excludeEarlierOverage } from "./usage";

export interface Billed {
	readonly subscription: SubscriptionRow;
	readonly rated: readonly RatedInvoice[];
	readonly invoice: InvoiceRow | undefined;
}

/**
 * Bills a change mid-cycle: credits the old terms for the rest of the period, charges the new ones, adds one-time charges, and
 * bills usage up to now at the old prices if these change. Another billing period, or the anchor NOW, starts a new cycle at
 * once. A change without a change of price costs nothing. A change with an earlier date does so as of that date, and rates the
 * billing periods since then again.
 */
export function billChange(work: Work, requested: ChangeOfTerms, billing: Billing): Billed {
	const change = { ...requested, before: withCharged(work, requested.before) };
	const { before, after, sale } = change;
	if (before.status !== "ACTIVE") return { subscription: after, rated: [], invoice: undefined };
	const payer = payerOf(work, after);
	if (!isBilledHere(after)) return settleOnly(work, change, payer);
	const { behavior, isPaid = false, part } = billing;
	const cycle = cycleAfter(work, change, billing);
	const { period, resetsBillingCycle, isAtRenewal, at } = cycle;
	const then = at === work.now ? work : workAt(work, at);
	const isRepriced = repricesUsage(change.saleBefore, sale);
	const rerated = rerate(work, change, billing, cycle);
	const bill = changeBill(then, change, billing, cycle, { payer, isRepriced, rerated });
	const { charged, rated, counted, former, ...arrears } = bill;
	const usageFrom = billing.effectiveAt ?? at;
	const subscription = changeSubscription(work, after, {
		...((resetsBillingCycle || isRepriced) && { usageBilledFrom: usageFrom, usageBilledUntil: at }),
		// The renewal of this instant finds what the usage has consumed of the minimum spend.
		...(isAtRenewal && !resetsBillingCycle && { chargedMinimum: charged?.minimum ?? null }),
		...(!isAtRenewal && {
			...{ billingAnchorAt: cycle.anchorAt, timeZone: cycle.timeZone },
			billedUntil: period.end,
			usageDueAt: nextUsageDue(work, change, cycle),
			...chargedColumns(charged),
			...(resetsBillingCycle && { prorations: null, nextCycle: null, cycleStartsAt: null }),
		}),
	});
	recordWaitingUses(work, after, subscription);
	const issue = { payer, billingReason: "SUBSCRIPTION_UPDATE", period, isPaid } as const;
	const waits = isAtRenewal || (behavior === "CREATE_PRORATIONS" && !resetsBillingCycle);
	const billed = waits
		? { subscription: keepForNextInvoice(work, subscription, rated, issue), rated, invoice: undefined }
		: issueChange(work, subscription, rated, issue, part);
	recordBilled(work, before, counted, { rated, invoice: billed.invoice });
	rerated?.record({ rated, invoice: billed.invoice });
	const paid = billing.invoiced?.lines ?? [];
	if (!isAtRenewal && charged !== before.charged)
		recordCharged(work, subscription, charged, {
			...{ chargedBy: before.chargedBy, rated, invoice: billed.invoice },
			...{ from: cycle.chargedAt, paid },
		});
	recordFormerPeriods(work, subscription, former, { rated, invoice: billed.invoice });
	if (isRepriced) excludeEarlierOverage(work, subscription, sale, usageFrom);
	recordStretches(work, arrears.stretches, { rated, invoice: billed.invoice });
	if (part === "terms" || isAtRenewal) return billed;
	if (!resetsBillingCycle && behavior === "NONE") return billed;
	return { ...billed, subscription: changeCharges(work, change, billed.subscription, { ...cycle, ...arrears, issue }) };
}

/** Rates usage and charges in arrears again since an earlier date; undefined for a change that applies from now on. */
function rerate(
	work: Work,
	{ before, saleBefore, after, sale }: ChargedChange,
	{ effectiveAt }: Billing,
	{ at, period, resetsBillingCycle, ...cycle }: CycleAfter,
): Rerated | undefined {
	if (effectiveAt === undefined) return undefined;
	const next = { ...after, billingAnchorAt: cycle.anchorAt, timeZone: cycle.timeZone };
	const row = resetsBillingCycle ? { ...next, cycleStartsAt: null } : next;
	const itemsOf = (of: SubscriptionRow, sold: Sale) => itemsInAdvance(work, of, sold, period);
	const reprices = resetsBillingCycle || repricesUsage(saleBefore, sale);
	assertCanRerate(work, {
		...{ before, after, sale, effectiveAt, period, repricesUsage: reprices },
		items: [...itemsOf(before, saleBefore), ...itemsOf(next, sale)],
	});
	return rerateSince(work, {
		...{ before, after: row, sale, from: effectiveAt, until: at },
		whole: billingPeriodAt(before, effectiveAt) ?? period,
		repricesUsage: reprices,
	});
}

function issueChange(
	work: Work,
	subscription: SubscriptionRow,
	rated: readonly RatedInvoice[],
	issue: Issue,
	part: Billing["part"],
): Billed {
	// The invoice of a change that waits for its payment cannot wait for the next invoice.
	if (part !== undefined) return { subscription, rated, invoice: issueBill(work, subscription, rated, issue) };
	const split = splitByWaiting(rated, subscription.prorations);
	const changed =
		split.waiting === subscription.prorations
			? subscription
			: changeSubscription(work, subscription, { prorations: split.waiting });
	recordWaitingUses(work, subscription, changed);
	return { subscription: changed, rated: split.now, invoice: issueBill(work, changed, split.now, issue) };
}

/** Settles a subscription that Tollgate no longer charges. */
function settleOnly(work: Work, { before, saleBefore, after }: ChargedChange, payer: Payer): Billed {
	const settlement = settlementOf(work, before, { creditsUnusedTime: true, isEnd: true, sale: saleBefore });
	const rated = rateBill(settlement);
	const subscription = changeSubscription(work, after, {
		...(after.billingPeriod === null && { billingAnchorAt: null }),
		billedUntil: null,
		usageBilledUntil: work.now,
		usageDueAt: firstLateUsageCheck(work, before),
		...chargedColumns(null),
		prorations: null,
	});
	recordWaitingUses(work, after, subscription);
	const issue = { payer, billingReason: "SUBSCRIPTION_UPDATE", period: null } as const;
	const invoice = issueBill(work, subscription, rated, issue);
	recordBilled(work, before, settlement.counted, { rated, invoice });
	settleStretches(work, before, settlement.arrears, { rated, invoice });
	recordCharged(work, subscription, null, { chargedBy: before.chargedBy, rated, invoice, from: work.now });
	return { subscription, rated, invoice };
}

interface Rating {
	readonly payer: Payer;
	readonly isRepriced: boolean;
	readonly rerated: Rerated | undefined;
}

/** Rates a change: credits, charges and usage; and the charged period that it leaves. */
function changeBill(
	work: Work,
	{ before, saleBefore, after, sale }: ChargedChange,
	{ behavior, part, invoiced, effectiveAt }: Billing,
	{ timeZone, period, resetsBillingCycle, isAtRenewal, chargedAt, paid, at }: CycleAfter,
	{ payer, isRepriced, rerated }: Rating,
) {
	const untaxed = itemsInAdvance(work, { ...after, timeZone }, sale, period);
	const itemsBefore = itemsInAdvance(work, before, saleBefore, period);
	const isFree = !resetsBillingCycle && isFreePeriod(work, before, saleBefore, period);
	const isProrated =
		resetsBillingCycle || (!isAtRenewal && !isFree && behavior !== "NONE" && !isSameCharge(itemsBefore, untaxed));
	const { coupon, discounts, taxPercentage, taxation } = paid?.by ?? discountAndTax(payer, after.taxPercentage);
	const terms = { coupon, taxPercentage, ...(discounts && { discounts }), ...(taxation && { taxation }) };
	const charged = taxed(untaxed, taxation);
	const items = resetsBillingCycle ? charged : withKeptTaxes(charged, before.charged);
	const unchanged = resetsBillingCycle ? [] : unchangedItems(before.charged, items, terms);
	const settled = { sale: saleBefore, isMidway: !resetsBillingCycle };
	// A period that began while the payment was pending is always credited.
	const isRenewed = paid !== undefined && paid.creditedFrom > paid.at;
	// The running period should never have been charged on the old terms.
	const reversesKept = effectiveAt !== undefined && effectiveAt <= period.start;
	const { credits } = settlementOf(paid ? workAt(work, paid.creditedFrom) : work, before, {
		...settled,
		creditsUnusedTime: isProrated && (behavior !== "NONE" || isRenewed),
		except: unchanged,
		reversesKept,
		billsUsage: false,
	});
	const left = { ...before, charged: chargedAfterCredits(before.charged, credits) };
	const billsUsage = part !== "terms" && (resetsBillingCycle || isRepriced);
	// Usage before an earlier date is billed as it was until then.
	const until = effectiveAt === undefined ? work : workAt(work, effectiveAt);
	const { usage, late, pending, counted, arrears } = settlementOf(until, left, {
		...settled,
		creditsUnusedTime: false,
		billsUsage,
		credited: credits,
		ends: isRepriced ? "all" : "usage",
	});
	const wanted = resetsBillingCycle || reversesKept ? items : aboveCharged(items, before.charged);
	const named = withPaidCharges(withChargeIds(work.newId, wanted), unchanged, paid);
	const charges = {
		...terms,
		items: [
			...(isProrated ? proratedRecurring(exceptSameCharge(named, unchanged), period, chargedAt) : []),
			...addedOneOffs(itemsBefore, items, invoiced),
		],
	};
	const ofTerms = [...credits, charges];
	const setAgainst = paid?.by
		? (paid.by.setAgainst ?? undefined)
		: credits.length > 0
			? chargedElsewhere(before.charged)
			: undefined;
	const from = resetsBillingCycle || !before.charged ? chargedAt : chargedFrom(before.charged);
	const chargedNow = (sections: readonly BillSection[], former: ChargedPeriod | null) =>
		chargedPeriodOf(named, { period, from }, terms, sections, former, setAgainst);
	const former =
		isProrated && !resetsBillingCycle && effectiveAt !== undefined && effectiveAt < at
			? rerateFormerPeriods(work, { before, saleBefore, next: { after, sale, payer }, from: effectiveAt, until: at })
			: [];
	const sections = [
		...former.flatMap((one) => one.sections),
		...(part === "usage" ? [] : ofTerms),
		...(part === "terms" ? [] : [...usage, ...late]),
		...(rerated?.sections ?? []),
	];
	return {
		counted,
		stretches: arrears,
		credited: credits.flatMap((section) => section.items),
		isFree,
		former,
		rated: rateBill({
			sections,
			pending: [...(rerated?.reversed ?? []), ...(resetsBillingCycle && part !== "terms" ? pending : [])],
		}),
		charged: resetsBillingCycle
			? chargedNow([charges], null)
			: isProrated
				? chargedNow([...ofTerms, ...usage], before.charged)
				: withDrawdown(before.charged, usage),
	};
}

/** Whether a subscription is in its first period, which its anchor makes free. */
export const isFreePeriod = (work: Work, row: ChargedSubscription, { plan }: Sale, period: Period): boolean =>
	row.charged === null && (row.trialEndAt ?? row.startAt) >= period.start && firstPeriodOf(work, row, plan) === "FREE";

/** Unchanged items keep their charge; items of a paid invoice take the charge ids of its lines. */
const withPaidCharges = (
	items: readonly ChargeItem[],
	unchanged: readonly ChargeItem[],
	paid: InvoicedTerms | undefined,
): ChargeItem[] =>
	items.map((item) => {
		const line = isOneOff(item) ? undefined : paid?.lines.find((one) => chargesItem(one, item));
		return unchanged.find((one) => isSameCharge([one], [item])) ?? (line ? { ...item, chargeId: line.chargeId } : item);
	});

/** A charge that is never credited keeps its taxes until the next period. */
const withKeptTaxes = (items: readonly ChargeItem[], charged: ChargedPeriod | null): ChargeItem[] =>
	items.map((item) => {
		const taxedAs = ({ taxes = [] }: ChargeItem): ChargeItem => ({ ...item, taxes });
		const kept = charged?.items.find((before) => isKept(before) && isSameCharge([before], [taxedAs(before)]));
		return kept && !Bun.deepEquals(kept.taxes ?? [], item.taxes ?? []) ? taxedAs(kept) : item;
	});

const proratedRecurring = (items: readonly ChargeItem[], period: Period, from: Instant): ChargeItem[] =>
	prorateItems(
		items.filter((item) => !isOneOff(item)),
		period,
		from,
	);

/** Returns the one-time charges that are new to the subscription. The paid invoice of the change has charged its own already. */
const addedOneOffs = (
	before: readonly ChargeItem[],
	items: readonly ChargeItem[],
	invoiced: InvoicedTerms | undefined,
): ChargeItem[] =>
	items
		.filter(isOneOff)
		.filter((item) => !before.some((held) => subjectOf(held) === subjectOf(item)))
		.filter((item) => !invoiced?.lines.some((line) => chargesOnce(line, item)));
