import { type Big, type Decimal, exact, sum } from "../../kernel/decimal";
import { allocate, type Money, roundToMinor } from "../../kernel/money";
import { largestShare, prorate, type Share, wholePeriod } from "./proration";

/** A coupon's terms, as its row holds them: exactly one of the two is set. */
export interface Discount {
	readonly percentOff: Decimal | null;
	readonly amountsOff: readonly Money[] | null;
}

/** What a discount reads of a line. */
export interface DiscountableLine {
	/** In whole minor units; negative for a credit. */
	readonly subTotal: Big;
	/** Left out: the line is not parted by time. */
	readonly share?: Share;
	readonly isCredit?: boolean;
}

/**
 * The coupon on an invoice that is raised between the regular ones, such as usage charged on demand: a fixed amount
 * belongs to the period's regular invoice and is not given twice. (Our choice.)
 */
export const percentageOnly = (coupon: Discount | null): Discount | null =>
	coupon === null || coupon.percentOff === null ? null : coupon;

/** A percentage of an amount that is already in whole minor units, rounded once. */
export const percentageOf = (amount: Big, percentage: Decimal, currency: string): Big =>
	roundToMinor(amount.times(exact(percentage)).times("0.01"), currency);

/**
 * What a coupon takes off each line. A percentage is taken line by line, from credits too. A fixed amount in the
 * invoice's currency (none there: no discount) is taken off the charges, and credited by the credits, each side by its
 * own: a credit has the discount of the charge that it takes back.
 */
export function discountLines(lines: readonly DiscountableLine[], coupon: Discount | null, currency: string): Big[] {
	const { percentOff = null } = coupon ?? {};
	if (percentOff !== null) return lines.map(({ subTotal }) => percentageOf(subTotal, percentOff, currency));
	const offers = fixedOffers(lines, coupon, currency);
	if (!offers) return lines.map(() => exact(0));
	const { charges, credits } = offers;
	const taken = shareOut(charges, chargesOf(lines), currency);
	const givenBack = shareOut(credits, creditsOf(lines), currency);
	return taken.map((amount, at) => amount.minus(givenBack[at] ?? 0));
}

/** What of a fixed amount is offered to lines together, and what these come to. */
export interface FixedOffer {
	readonly amountOff: Decimal;
	readonly offered: Big;
	readonly over: Big;
}

/** What a coupon's fixed amount in the currency offers to the charges and to the credits; undefined where it has none. */
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
 * A fixed amount is offered for one whole period: for lines that cover a part of it, the same part of the amount, by the
 * largest share among them. What is offered is never more than the lines' sum.
 */
function offerOf(amountOff: Decimal, lines: readonly DiscountableLine[], currency: string): FixedOffer {
	const subTotals = lines.map(({ subTotal }) => subTotal);
	const due = positive(sum(subTotals));
	const share = largestShare(lines.map((line) => line.share ?? wholePeriod));
	const offered = positive(prorate(exact(amountOff), share, currency));
	return { amountOff, offered: offered.lt(due) ? offered : due, over: sum(subTotals.map(positive)) };
}

/**
 * What is offered is spread by largest remainder over the lines that are above zero: the parts sum to it exactly and none
 * exceeds its line.
 */
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

/** Stands where a line of the other side is. */
const nothing: DiscountableLine = { subTotal: exact(0), share: { partMs: 0, wholeMs: 1 } };
const mirrored = (line: DiscountableLine): DiscountableLine => ({ ...line, subTotal: line.subTotal.times(-1) });
const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
