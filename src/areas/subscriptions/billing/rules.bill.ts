import type { Instant } from "../../../kernel/clock";
import { exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import type { NewId } from "../../../kernel/ids";
import type { Period } from "../../../kernel/period";
import { percentageOnly } from "../../pricing/discount";
import { currencyOfCharge } from "../../pricing/models/charge";
import { currencyOf } from "../../pricing/price-choice";
import { remainingShare } from "../../pricing/proration";
import {
	type ChargeItem,
	type InvoiceInput,
	joinRated,
	type MinimumSpendPaid,
	type RatedInvoice,
	type RatedLine,
	rateInvoice,
} from "../../pricing/rate";
import { sumTotals } from "../../pricing/totals";
import { worded, wordedAround, wordedInstead } from "../../pricing/wording";
import type { ChargedPeriod, DiscountAndTax, PendingProrations } from "../table";

/** Items that are discounted and taxed alike. */
export interface BillSection extends Omit<InvoiceInput, "currency" | "minimumSpendPaid"> {
	/** Usage in another currency does not draw on it: a plan may be followed by one of another currency. */
	readonly minimumSpendPaid?: PaidMinimum | null;
}

export type PaidMinimum = MinimumSpendPaid & { readonly currency: string };

/**
 * Everything that one event in a subscription's life charges and credits. This is what invoices, previews and simulations
 * are all rated from: the same pure computation.
 */
export interface Bill {
	readonly sections: readonly BillSection[];
	/** Prorations that waited for this bill. */
	readonly pending?: readonly PendingProrations[];
}

/** One invoice for each currency (a plan may be followed by one of another currency), those without a line left out. */
export function rateBill({ sections, pending = [] }: Bill): RatedInvoice[] {
	const rated = sections.flatMap(byDiscount).flatMap((section): RatedInvoice[] => {
		const currency = currencyOf(section.items.map(({ charge }) => charge));
		if (currency === undefined) return [];
		const { minimumSpendPaid = null, ...terms } = section;
		const minimum = minimumSpendPaid?.currency === currency ? minimumSpendPaid : null;
		return [rateInvoice({ ...terms, minimumSpendPaid: minimum, currency })];
	});
	return [...Map.groupBy([...pending.map(ratedOf), ...rated], ({ currency }) => currency).values()]
		.map(joinRated)
		.filter(({ lines }) => lines.length > 0);
}

/**
 * A fixed discount goes to what recurs, so that a credit credits just the part of it that was taken off; only where
 * nothing recurs it goes to usage and to what is paid once. (Our choice.)
 */
function byDiscount({ items, minimumSpendPaid = null, ...terms }: BillSection): BillSection[] {
	const recurring = items.filter(isRecurring);
	if (!terms.coupon?.amountsOff || recurring.length === 0) return [{ items, minimumSpendPaid, ...terms }];
	const others = items.filter((item) => !isRecurring(item));
	return [
		{ ...terms, items: recurring },
		{ ...terms, items: others, coupon: percentageOnly(terms.coupon), minimumSpendPaid },
	];
}

const ratedOf = ({ currency, lines }: PendingProrations): RatedInvoice => ({
	currency,
	lines,
	minimumDrawdown: zero,
	...sumTotals(lines.map(({ amount, discount, tax, total }) => ({ subTotal: amount, discount, tax, total }))),
});

/**
 * What a bill gives back of charges that still wait for the next invoice waits alongside them: nothing is credited before it
 * was invoiced. The rest is billed now.
 */
export function splitByWaiting(
	rated: readonly RatedInvoice[],
	waiting: PendingProrations | null,
): { readonly now: readonly RatedInvoice[]; readonly waiting: PendingProrations | null } {
	if (!waiting) return { now: rated, waiting };
	const charges = new Set(waiting.lines.filter(({ amount }) => exact(amount).gte(0)).map(({ chargeId }) => chargeId));
	const isOfWaiting = ({ chargeId, amount }: RatedLine): boolean =>
		chargeId != null && exact(amount).lt(0) && charges.has(chargeId);
	const givenBack = rated.flatMap(({ lines }) => lines.filter(isOfWaiting));
	if (givenBack.length === 0) return { now: rated, waiting };
	return {
		now: rated
			.map(({ currency, lines }) => ratedOf({ currency, lines: lines.filter((line) => !isOfWaiting(line)) }))
			.filter(({ lines }) => lines.length > 0),
		waiting: { ...waiting, lines: [...waiting.lines, ...givenBack] },
	};
}

/** The items for what is left of a period from an instant on; what is paid once is paid whole. */
export const prorateItems = (items: readonly ChargeItem[], period: Period, from: Instant): ChargeItem[] =>
	from <= period.start
		? [...items]
		: items.map((item) =>
				isOneOff(item)
					? item
					: { ...item, share: remainingShare(period, from), period: { start: from, end: period.end } },
			);

/**
 * Takes back what was charged for the time after an instant, just as it was charged, but for what was credited already;
 * undefined when none is left.
 */
export function creditSection(
	charged: ChargedPeriod | null,
	at: Instant,
	except: readonly ChargeItem[] = [],
): BillSection | undefined {
	if (!charged || at >= charged.period.end) return undefined;
	const items = exceptSameCharge(charged.items, except)
		.filter(({ isGivenBack = false }) => !isGivenBack)
		.map(({ left, ...item }) => ({
			...item,
			...wordedAround("unusedTime", item),
			isCredit: true,
			share: { ...remainingShare(charged.period, at), ...(left && { left }) },
			period: { start: at, end: charged.period.end },
		}));
	return { items, coupon: charged.coupon, taxPercentage: charged.taxPercentage };
}

/**
 * What another system had charged for the time after an instant: an end credits what was paid here beyond that. Undefined
 * when there is none, or in another currency.
 */
export function keptBackSection(charged: ChargedPeriod | null, at: Instant): BillSection | undefined {
	const elsewhere = chargedElsewhere(charged);
	if (!elsewhere || elsewhere.currency !== charged?.currency) return undefined;
	const section = creditSection(elsewhere, at);
	return (
		section && {
			...section,
			items: section.items.map(({ isCredit: _, ...item }) => ({ ...item, ...wordedInstead("notChargedHere", item) })),
		}
	);
}

/** What another system had charged for the running period; undefined when all of it was charged here. */
export const chargedElsewhere = (charged: ChargedPeriod | null): ChargedPeriod | undefined =>
	charged?.elsewhere ? charged : charged?.setAgainst;

/** Items as they are charged: each of those that recur by an id of its own, by which it is known what was credited of it. */
export const withChargeIds = (newId: NewId, items: readonly ChargeItem[]): ChargeItem[] =>
	items.map((item) => (isRecurring(item) ? { ...item, chargeId: newId() } : item));

/** From when it is charged: the time before it in its period was charged by what went before, and is settled. */
export const chargedFrom = ({ from, period }: Pick<ChargedPeriod, "from" | "period">): Instant => from ?? period.start;

/** What is to be remembered of a bill that charges a period in advance; null when it charges nothing that recurs. */
export function chargedPeriodOf(
	items: readonly ChargeItem[],
	{ period, from }: Pick<ChargedPeriod, "from" | "period">,
	{ coupon, taxPercentage }: DiscountAndTax,
	sections: readonly BillSection[],
	before: ChargedPeriod | null,
	setAgainst?: ChargedPeriod,
): ChargedPeriod | null {
	const recurring = items.filter((item) => !isOneOff(item));
	const currency = currencyOf(recurring.map(({ charge }) => charge));
	if (currency === undefined) return null;
	const minimum = minimumAfter(sections, currency, before);
	return {
		period,
		...(from !== undefined && from > period.start && { from }),
		currency,
		items: recurring,
		coupon,
		taxPercentage,
		minimum,
		...(setAgainst && { setAgainst }),
	};
}

/** What the period's minimum spend has been charged as by now, with what a change in mid-period credited and charged again. */
function minimumAfter(
	sections: readonly BillSection[],
	currency: string,
	before: ChargedPeriod | null,
): ChargedPeriod["minimum"] {
	const former = before?.currency === currency ? before.minimum : null;
	// Most have none, and are not rated for it.
	if (former === null && !sections.some(({ items }) => items.some(isMinimumSpend))) return null;
	const own = rateBill({ sections }).find((one) => one.currency === currency);
	const lines = own?.lines.filter(({ kind }) => kind === "MinimumSpendCharge") ?? [];
	if (lines.length === 0 && former === null) return null;
	const paid = sum([exact(former?.paid ?? zero), ...lines.map(({ amount }) => exact(amount))]);
	const drawn = exact(former?.drawn ?? zero).plus(exact(own?.minimumDrawdown ?? zero));
	return { paid: toDecimal(paid), drawn: toDecimal(drawn) };
}

/** What is left of a period's charge once a bill has given some of it back: usage draws on no minimum that is not paid. */
export const chargedAfterCredits = (
	charged: ChargedPeriod | null,
	credits: readonly BillSection[],
): ChargedPeriod | null => charged && { ...charged, minimum: minimumAfter(credits, charged.currency, charged) };

/** After usage that is billed in mid-period has drawn on the minimum. */
export function withDrawdown(charged: ChargedPeriod | null, usage: readonly BillSection[]): ChargedPeriod | null {
	if (!charged?.minimum) return charged;
	const drawn = rateBill({ sections: usage })[0]?.minimumDrawdown ?? zero;
	if (exact(drawn).eq(0)) return charged;
	const { paid, drawn: before } = charged.minimum;
	return { ...charged, minimum: { paid, drawn: toDecimal(exact(before).plus(exact(drawn))) } };
}

/** What on-demand charges of the running period may still draw on. */
export function minimumSpendPaidOf(charged: ChargedPeriod | null): PaidMinimum | null {
	if (!charged?.minimum) return null;
	const { currency, minimum } = charged;
	return { currency, amount: minimum.paid, drawn: minimum.drawn, ...worded({ codes: ["coveredByMinimum"] }) };
}

/** Those of the items that go on from what was charged here for the period before say so: it can be told whether one is missing. */
export function continuing(items: readonly ChargeItem[], before: ChargedPeriod | null): ChargeItem[] {
	if (!before || chargedElsewhere(before)) return [...items];
	const charged = new Set(before.items.filter(({ charge }) => currencyOfCharge(charge)).map(subjectOf));
	const continues = chargedFrom(before);
	return items.map((item) => (charged.has(subjectOf(item)) ? { ...item, continues } : item));
}

/** Whether two bills would charge the same: what recurs, for the same price, in whatever order. */
export const isSameCharge = (one: readonly ChargeItem[], other: readonly ChargeItem[]): boolean =>
	Bun.deepEquals(comparable(one), comparable(other));

/** Those of the items that charge something else than the others. */
export const exceptSameCharge = <Item extends ChargeItem>(
	items: readonly Item[],
	others: readonly ChargeItem[],
): Item[] => items.filter((item) => isOneOff(item) || !others.some((other) => isSameCharge([item], [other])));

const comparable = (items: ChargedPeriod["items"]) =>
	items
		.filter((item) => !isOneOff(item))
		.map(
			({
				period: _,
				description: __,
				wording: _______,
				chargeId: ___,
				isGivenBack: ____,
				left: _____,
				pricedBy: ______,
				...item
			}) => item,
		)
		.sort((a, b) => subjectOf(a).localeCompare(subjectOf(b)));

/** What an item is charged for. */
export const subjectOf = ({
	addonRefId,
	featureRefId,
	charge,
}: Pick<ChargeItem, "addonRefId" | "featureRefId" | "charge">): string =>
	JSON.stringify([addonRefId, featureRefId, charge.billingModel]);

const isRecurring = (item: ChargeItem): boolean => !isOneOff(item) && item.charge.billingModel !== "USAGE_BASED";

const isMinimumSpend = ({ charge }: ChargeItem): boolean => charge.billingModel === "MINIMUM_SPEND";

export const isOneOff = ({ charge }: Pick<ChargeItem, "charge">): boolean => charge.billingCadence === "ONE_OFF";
