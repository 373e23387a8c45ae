import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import type { NewId } from "../../../kernel/ids";
import type { Period } from "../../../kernel/period";
import type { LineBasis } from "../../pricing/basis";
import { currencyOf } from "../../pricing/choice/price";
import type { CommitmentItem } from "../../pricing/commitments/commitment-line";
import { percentageOnly } from "../../pricing/discount";
import { afterUses, type NamedDiscount } from "../../pricing/discounts";
import type { RatedLine } from "../../pricing/line";
import type { MinimumSpendPaid } from "../../pricing/minimum-commitment";
import { currencyOfCharge } from "../../pricing/models/charge";
import { remainingShare } from "../../pricing/proration";
import { type ChargeItem, type InvoiceInput, joinRated, type RatedInvoice, rateInvoice } from "../../pricing/rate";
import { roundTaxes } from "../../pricing/tax-rounding";
import { sumTotals, type Totals } from "../../pricing/totals";
import { worded, wordedAround, wordedInstead } from "../../pricing/wording";
import { type Taxation, withTaxes } from "../../taxes/rules.levels";
import type { ChargedPeriod, DiscountAndTax, PendingProrations } from "../table";

/** Items with the same discount and tax. */
export interface BillSection extends Omit<InvoiceInput, "currency" | "minimumSpendPaid"> {
	/** Usage in another currency does not use it: a plan may be replaced by one of another currency. */
	readonly minimumSpendPaid?: PaidMinimum | null;
	/** Missing: the items have their taxes already. */
	readonly taxation?: Taxation;
	/** The bill is the regular one of a period, to which fixed amounts of several coupons apply as a whole. */
	readonly beginsPeriod?: boolean;
}

export type PaidMinimum = MinimumSpendPaid & { readonly currency: string };

/**
 * All charges and credits of one event. Invoices, previews and simulations are all rated from bills, by the same pure
 * functions.
 */
export interface Bill {
	readonly sections: readonly BillSection[];
	/** Prorations that waited for this bill. */
	readonly pending?: readonly PendingProrations[];
}

/**
 * Rates a bill as one invoice for each currency, without empty ones. A plan may be replaced by one of another currency.
 */
export function rateBill({ sections, pending = [] }: Bill): RatedInvoice[] {
	const rated: RatedPart[] = [];
	for (const section of sections.flatMap(byDiscount)) {
		const currency = currencyOf(section.items.map(({ charge }) => charge)) ?? section.commitments?.[0]?.currency;
		if (currency === undefined) continue;
		const { minimumSpendPaid = null, commitments, taxation, items, discounts, ...terms } = section;
		const minimum = minimumSpendPaid?.currency === currency ? minimumSpendPaid : null;
		const lines = rated.flatMap((part) => (part.currency === currency ? part.lines : []));
		const part = rateInvoice({
			...terms,
			...(discounts && { discounts: afterUses(discounts, lines, currency) }),
			...{ items: taxed(items, taxation), minimumSpendPaid: minimum, currency },
			...(commitments && { commitments: commitments.map((one) => taxedCommitment(one, taxation)) }),
		});
		rated.push({ ...part, roundsByInvoice: taxation?.rounding === "INVOICE" });
	}
	return [...Map.groupBy([...pending.map(ratedOf), ...rated], ({ currency }) => currency).values()]
		.map(joinParts)
		.filter(({ lines }) => lines.length > 0);
}

/** A part of an invoice, and whether its taxes are rounded with those of the other parts. */
type RatedPart = RatedInvoice & { readonly roundsByInvoice?: boolean };

/** Joins the parts of an invoice. Where taxes are rounded by invoice, the charges of all parts are rounded together. */
function joinParts(parts: readonly RatedPart[]): RatedInvoice {
	const joined = joinRated(parts.map(({ roundsByInvoice: _, ...part }) => part));
	const isOpen = ({ taxes, basis }: RatedLine): boolean => taxes !== undefined && !basis.isCredit;
	const open = new Set(parts.flatMap((part) => (part.roundsByInvoice ? part.lines.filter(isOpen) : [])));
	if (open.size === 0) return joined;
	const rounded = roundTaxes([...open], joined.currency);
	const byLine = new Map([...open].map((line, at) => [line, rounded[at] ?? line]));
	const lines = joined.lines.map((line) => byLine.get(line) ?? line);
	return { ...joined, lines, ...sumLines(lines) };
}

/** Returns the items with their taxes. */
export const taxed = (items: readonly ChargeItem[], taxation: Taxation | undefined): ChargeItem[] =>
	taxation ? items.map((item) => withTaxes(item, taxation)) : [...items];

/** A line that reverses a shortfall has the taxes that were charged on it. */
const taxedCommitment = ({ reverses, ...item }: CommitmentItem, taxation: Taxation | undefined): CommitmentItem =>
	reverses ? { ...item, taxes: reverses } : taxation ? withTaxes(item, taxation) : item;

const sumLines = (lines: readonly RatedLine[]): Totals =>
	sumTotals(lines.map(({ amount, discount, tax, total }) => ({ subTotal: amount, discount, tax, total })));

/**
 * A fixed discount applies to recurring items, so that a credit reverses exactly its share. Only without recurring
 * items it applies to usage and one-time items. Several coupons share all items of a bill that begins a period.
 */
function byDiscount(section: BillSection): BillSection[] {
	const { items, minimumSpendPaid = null, commitments, beginsPeriod = false, ...terms } = section;
	const recurring = items.filter(isRecurring);
	const { coupon, discounts } = terms;
	const isShared = discounts ? !beginsPeriod && discounts.some(isFixed) : coupon?.amountsOff;
	const settled = commitments && { commitments };
	if (!isShared || recurring.length === 0) return [{ items, minimumSpendPaid, ...settled, ...terms }];
	const others = items.filter((item) => !isRecurring(item));
	return [
		{ ...terms, items: recurring },
		{ ...withPercentagesOnly(terms), items: others, minimumSpendPaid, ...settled },
	];
}

/** Whether a discount is a fixed amount of a period. */
const isFixed = ({ percentOff, applicationId }: Pick<NamedDiscount, "percentOff" | "applicationId">): boolean =>
	percentOff === null && applicationId === undefined;

/** Removes fixed amounts, for a bill between the regular ones. */
export const withPercentagesOnly = <Terms extends Pick<BillSection, "coupon" | "discounts">>({
	coupon = null,
	discounts,
	...terms
}: Terms) => ({
	...terms,
	coupon: percentageOnly(coupon),
	...(discounts && { discounts: discounts.filter((one) => !isFixed(one)) }),
});

const ratedOf = ({ currency, lines }: PendingProrations): RatedInvoice => ({
	currency,
	lines,
	minimumDrawdown: zero,
	...sumLines(lines),
});

/**
 * Splits off credits of charges that still wait for the next invoice: nothing is credited before it is invoiced. The
 * rest is billed now.
 */
export function splitByWaiting(
	rated: readonly RatedInvoice[],
	waiting: PendingProrations | null,
): { readonly now: readonly RatedInvoice[]; readonly waiting: PendingProrations | null } {
	if (!waiting) return { now: rated, waiting };
	const charges = new Set(waiting.lines.filter(({ amount }) => exact(amount).gte(0)).map(({ chargeId }) => chargeId));
	const isOfWaiting = ({ chargeId, amount }: RatedLine): boolean =>
		chargeId != null && exact(amount).lt(0) && charges.has(chargeId);
	const creditsOfWaiting = rated.flatMap(({ lines }) => lines.filter(isOfWaiting));
	if (creditsOfWaiting.length === 0) return { now: rated, waiting };
	return {
		now: rated
			.map(({ currency, lines }) => ratedOf({ currency, lines: lines.filter((line) => !isOfWaiting(line)) }))
			.filter(({ lines }) => lines.length > 0),
		waiting: { ...waiting, lines: [...waiting.lines, ...creditsOfWaiting] },
	};
}

/** Prorates the items for the rest of a period. One-time items are charged in full. */
export const prorateItems = (items: readonly ChargeItem[], period: Period, from: Instant): ChargeItem[] =>
	from <= period.start
		? [...items]
		: items.map((item) =>
				isOneOff(item)
					? item
					: {
							...item,
							...(costsWhole(item) ? {} : { share: remainingShare(period, from, item.proration) }),
							period: { start: from, end: period.end },
						},
			);

const costsWhole = ({ proration }: ChargeItem): boolean => proration?.mode === "NONE";

/** Whether a charge is never credited, so that added units cost only the part above the highest charged number. */
export const isKept = (item: ChargeItem): boolean => costsWhole(item) || item.refundsUnusedTime === false;

/**
 * Returns the items with the highest number of units that is charged for the running period already, where it was not
 * credited.
 */
export const aboveCharged = (items: readonly ChargeItem[], charged: ChargedPeriod | null): ChargeItem[] =>
	items.map((item) => {
		const former = charged?.items.find((one) => isKept(one) && !one.isGivenBack && isSameUnits(one, item));
		if (!former) return item;
		const { quantity, billed = zero } = former;
		return { ...item, billed: exact(billed).gt(exact(quantity)) ? billed : quantity };
	});

const isSameUnits = (one: ChargeItem, other: ChargeItem): boolean =>
	one.charge.billingModel === "PER_UNIT" &&
	!isOneOff(other) &&
	subjectOf(one) === subjectOf(other) &&
	currencyOfCharge(one.charge) === currencyOfCharge(other.charge);

/**
 * Credits the charge for the time after an instant, exactly as it was charged, except for amounts credited before;
 * undefined if none is left.
 */
export function creditSection(
	charged: ChargedPeriod | null,
	at: Instant,
	{
		except = [],
		isEnd = false,
		reversesKept = false,
	}: {
		readonly except?: readonly ChargeItem[];
		readonly isEnd?: boolean;
		/** The period should never have been charged on these terms, so charges that are otherwise never credited are too. */
		readonly reversesKept?: boolean;
	} = {},
): BillSection | undefined {
	if (!charged || at >= charged.period.end) return undefined;
	const items = exceptSameCharge(charged.items, except)
		.filter((item) => !item.isGivenBack && (reversesKept || !isKept(item)))
		.map(({ left, ...item }) => ({
			...item,
			...wordedAround("unusedTime", item),
			isCredit: true,
			share: { ...remainingShare(charged.period, at, item.proration, isEnd), ...(left && { left }) },
			period: { start: at, end: charged.period.end },
		}));
	return { items, coupon: charged.coupon, taxPercentage: charged.taxPercentage };
}

/**
 * Returns the charge of another system for the time after an instant, to offset a credit at an end: only amounts paid
 * here are credited. Undefined without such a charge, or in another currency.
 */
export function retainedSection(charged: ChargedPeriod | null, at: Instant): BillSection | undefined {
	const elsewhere = chargedElsewhere(charged);
	if (!elsewhere || elsewhere.currency !== charged?.currency) return undefined;
	const section = creditSection(elsewhere, at, { isEnd: true });
	return (
		section && {
			...section,
			items: section.items.map(({ isCredit: _, ...item }) => ({ ...item, ...wordedInstead("notChargedHere", item) })),
		}
	);
}

/** Returns the charge of another system for the current period; undefined if all of it was charged here. */
export const chargedElsewhere = (charged: ChargedPeriod | null): ChargedPeriod | undefined =>
	charged?.elsewhere ? charged : charged?.setAgainst;

/** Assigns a charge id to each recurring item, by which its credits are found. */
export const withChargeIds = (newId: NewId, items: readonly ChargeItem[]): ChargeItem[] =>
	items.map((item) => (isRecurring(item) ? { ...item, chargeId: newId() } : item));

/** Returns the start of the charge. The time before it in the period was charged and settled separately. */
export const chargedFrom = ({ from, period }: Pick<ChargedPeriod, "from" | "period">): Instant => from ?? period.start;

/** Returns the charged period to store with a subscription; null if the bill charges nothing that recurs. */
export function chargedPeriodOf(
	items: readonly ChargeItem[],
	{ period, from }: Pick<ChargedPeriod, "from" | "period">,
	{ coupon, taxPercentage, taxation }: DiscountAndTax,
	sections: readonly BillSection[],
	before: ChargedPeriod | null,
	setAgainst?: ChargedPeriod,
): ChargedPeriod | null {
	const recurring = taxed(items, taxation).filter((item) => !isOneOff(item));
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

/** Returns the minimum spend that the period is charged for, after credits and charges of changes mid-cycle. */
function minimumAfter(
	sections: readonly BillSection[],
	currency: string,
	before: ChargedPeriod | null,
): ChargedPeriod["minimum"] {
	const former = before?.currency === currency ? before.minimum : null;
	// Most bills have no minimum spend, and need no rating for it.
	if (former === null && !sections.some(({ items }) => items.some(isMinimumSpend))) return null;
	const own = rateBill({ sections }).find((one) => one.currency === currency);
	const lines =
		own?.lines.filter(({ kind, basis }) => kind === "MinimumSpendCharge" && basis.charge && !basis.trueUp) ?? [];
	if (lines.length === 0 && former === null) return null;
	const paid = sum([exact(former?.paid ?? zero), ...lines.map(statedAmount)]);
	const drawn = exact(former?.drawn ?? zero).plus(exact(own?.minimumDrawdown ?? zero));
	return { paid: toDecimal(paid), drawn: toDecimal(drawn) };
}

/** Returns the amount at the price as it was agreed, with the taxes that it includes. */
export const statedAmount = ({ amount, basis }: { readonly amount: Decimal; readonly basis: LineBasis | null }) =>
	exact(basis?.tax?.gross?.amount ?? amount);

/** Returns the charged period after credits: usage cannot use a minimum spend that was credited. */
export const chargedAfterCredits = (
	charged: ChargedPeriod | null,
	credits: readonly BillSection[],
): ChargedPeriod | null => charged && { ...charged, minimum: minimumAfter(credits, charged.currency, charged) };

/** Returns the charged period with the part of its minimum spend that mid-cycle bills of usage consumed. */
export function withDrawdown(charged: ChargedPeriod | null, usage: readonly BillSection[]): ChargedPeriod | null {
	if (!charged?.minimum) return charged;
	const drawn = rateBill({ sections: usage })[0]?.minimumDrawdown ?? zero;
	if (exact(drawn).eq(0)) return charged;
	const { paid, drawn: before } = charged.minimum;
	return { ...charged, minimum: { paid, drawn: toDecimal(exact(before).plus(exact(drawn))) } };
}

/** Returns the minimum spend that on-demand charges of the current period can use. */
export function minimumSpendPaidOf(charged: ChargedPeriod | null): PaidMinimum | null {
	if (!charged?.minimum) return null;
	const { currency, minimum } = charged;
	const taxes = minimumTaxesOf(charged);
	return {
		...{ currency, amount: minimum.paid, drawn: minimum.drawn, ...worded({ codes: ["coveredByMinimum"] }) },
		...(taxes && { taxes }),
	};
}

/** Returns the taxes that were charged on the minimum spend. */
export const minimumTaxesOf = ({ items }: ChargedPeriod): ChargeItem["taxes"] => items.find(isMinimumSpend)?.taxes;

/** Marks the items that continue charges of the period before, so that a check can find missing ones. */
export function continuing(items: readonly ChargeItem[], before: ChargedPeriod | null): ChargeItem[] {
	if (!before || chargedElsewhere(before)) return [...items];
	const charged = new Set(before.items.filter(({ charge }) => currencyOfCharge(charge)).map(subjectOf));
	const continues = chargedFrom(before);
	return items.map((item) => (charged.has(subjectOf(item)) ? { ...item, continues } : item));
}

/** Whether two bills charge the same recurring items at the same prices, in any order. */
export const isSameCharge = (one: readonly ChargeItem[], other: readonly ChargeItem[]): boolean =>
	Bun.deepEquals(comparable(one), comparable(other));

/** Returns the items whose charge differs from the others'. */
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
				billed: ________,
				proration: _________,
				refundsUnusedTime: __________,
				chargedTaxes: ___________,
				chargedDiscounts: ____________,
				taxes = [],
				...item
			}) => ({ ...item, ...(taxes.length > 0 && { taxes }) }),
		)
		.sort((a, b) => subjectOf(a).localeCompare(subjectOf(b)));

/** The subject of an item's charge. */
export const subjectOf = ({
	addonRefId,
	featureRefId,
	charge,
	chargeKey,
}: Pick<ChargeItem, "addonRefId" | "featureRefId" | "charge" | "chargeKey">): string =>
	JSON.stringify([addonRefId, featureRefId, charge.billingModel, ...(chargeKey === undefined ? [] : [chargeKey])]);

const isRecurring = (item: ChargeItem): boolean => !isOneOff(item) && item.charge.billingModel !== "USAGE_BASED";

const isMinimumSpend = ({ charge }: ChargeItem): boolean => charge.billingModel === "MINIMUM_SPEND";

export const isOneOff = ({ charge }: Pick<ChargeItem, "charge">): boolean => charge.billingCadence === "ONE_OFF";
