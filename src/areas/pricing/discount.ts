import { type Big, type Decimal, exact, sum } from "../../kernel/decimal";
import { allocate, type Money, roundToMinor } from "../../kernel/money";
import { largestShare, prorate, type Share, wholePeriod } from "./proration";

/** The terms of a coupon, as its row stores them: exactly one of the two is set. */
export interface Discount {
	readonly percentOff: Decimal | null;
	readonly amountsOff: readonly Money[] | null;
}

/** The fields of a line that a discount reads. */
export interface DiscountableLine {
	/** In whole minor units; negative for a credit. */
	readonly subTotal: Big;
	/** Missing: the line is not prorated. */
	readonly share?: Share;
	readonly isCredit?: boolean;
}

/**
 * Returns the coupon for an invoice between the regular ones, such as on-demand usage: percentages only. Our choice
 * (docs/interface/catalogue.md#coupons): a fixed amount applies once, to the regular invoice of the period.
 */
export const percentageOnly = (coupon: Discount | null): Discount | null =>
	coupon === null || coupon.percentOff === null ? null : coupon;

/** Returns a percentage of an amount in whole minor units, rounded once. */
export const percentageOf = (amount: Big, percentage: Decimal, currency: string): Big =>
	roundToMinor(amount.times(exact(percentage)).times("0.01"), currency);

/**
 * Returns the discount of each line. A percentage applies line by line, also to credits. A fixed amount in the invoice's currency
 * reduces the charges and, separately, the credits: a credit has the discount of the charge that it reverses. A coupon without an
 * amount in that currency gives no discount.
 */
export function discountLines(lines: readonly DiscountableLine[], coupon: Discount | null, currency: string): Big[] {
	const { percentOff = null } = coupon ?? {};
	if (percentOff !== null) return lines.map(({ subTotal }) => percentageOf(subTotal, percentOff, currency));
	const offers = fixedOffers(lines, coupon, currency);
	if (!offers) return lines.map(() => exact(0));
	const { charges, credits } = offers;
	const taken = shareOut(charges, chargesOf(lines), currency);
	const credited = shareOut(credits, creditsOf(lines), currency);
	return taken.map((amount, at) => amount.minus(credited[at] ?? 0));
}

/** The part of a fixed amount that is offered to a set of lines, and the sum of these lines. */
export interface FixedOffer {
	readonly amountOff: Decimal;
	readonly offered: Big;
	readonly over: Big;
}

/** Returns the part of a coupon's fixed amount for the charges and for the credits; undefined if it has none in the currency. */
export function fixedOffers(
	lines: readonly DiscountableLine[],
	coupon: Discount | null,
	currency: string,
): { readonly charges: FixedOffer; readonly credits: FixedOffer } | undefined {
	const off =
		coupon?.percentOff == null ? coupon?.amountsOff?.find((amount) => amount.currency === currency) : undefined;
	if (!off) return undefined;
	return {
		charges: offerOf(off.amount, chargesOf(lines), currency),
		credits: offerOf(off.amount, creditsOf(lines), currency),
	};
}

/**
 * Calculates the part of a fixed amount for these lines. The amount is for one whole period; prorated lines get its largest share
 * among them. The offer never exceeds the sum of the lines.
 */
function offerOf(amountOff: Decimal, lines: readonly DiscountableLine[], currency: string): FixedOffer {
	const subTotals = lines.map(({ subTotal }) => subTotal);
	const due = positive(sum(subTotals));
	const share = largestShare(lines.map((line) => line.share ?? wholePeriod));
	const offered = positive(prorate(exact(amountOff), share, currency));
	return { amountOff, offered: offered.lt(due) ? offered : due, over: sum(subTotals.map(positive)) };
}

/** Spreads the offer over the lines above zero by largest remainder: the parts sum to it exactly, and none exceeds its line. */
export const shareOut = (
	{ offered }: Pick<FixedOffer, "offered">,
	lines: readonly Pick<DiscountableLine, "subTotal">[],
	currency: string,
): Big[] =>
	allocate(
		offered,
		lines.map(({ subTotal }) => positive(subTotal)),
		currency,
	);

const chargesOf = (lines: readonly DiscountableLine[]) => lines.map((line) => (line.isCredit ? nothing : line));
const creditsOf = (lines: readonly DiscountableLine[]) =>
	lines.map((line) => (line.isCredit ? mirrored(line) : nothing));

/** A placeholder for a line that a discount does not read, such as one of the other side. */
export const nothing: DiscountableLine = { subTotal: exact(0), share: { partMs: 0, wholeMs: 1 } };
const mirrored = (line: DiscountableLine): DiscountableLine => ({ ...line, subTotal: line.subTotal.times(-1) });
const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
