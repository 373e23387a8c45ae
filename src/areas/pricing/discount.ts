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
	const { percentOff = null, amountsOff = null } = coupon ?? {};
	if (percentOff !== null) return lines.map(({ subTotal }) => percentageOf(subTotal, percentOff, currency));
	const off = amountsOff?.find((amount) => amount.currency === currency);
	if (!off) return lines.map(() => exact(0));
	const charges = lines.map((line) => (line.isCredit ? nothing : line));
	const credits = lines.map((line) => (line.isCredit ? mirrored(line) : nothing));
	const taken = takeOff(exact(off.amount), charges, currency);
	const givenBack = takeOff(exact(off.amount), credits, currency);
	return taken.map((amount, at) => amount.minus(givenBack[at] ?? 0));
}

/**
 * A fixed amount is offered for one whole period: for lines that cover a part of it, the same part of the amount, by the
 * largest share among them. What is offered is never more than the lines' sum, and is spread by largest remainder over
 * those that are above zero: the parts sum to it exactly and none exceeds its line.
 */
function takeOff(off: Big, lines: readonly DiscountableLine[], currency: string): Big[] {
	const subTotals = lines.map(({ subTotal }) => subTotal);
	const due = positive(sum(subTotals));
	const share = largestShare(lines.map((line) => line.share ?? wholePeriod));
	const offered = positive(prorate(off, share, currency));
	return allocate(offered.lt(due) ? offered : due, subTotals.map(positive), currency);
}

/** Stands where a line of the other side is. */
const nothing: DiscountableLine = { subTotal: exact(0), share: { partMs: 0, wholeMs: 1 } };
const mirrored = (line: DiscountableLine): DiscountableLine => ({ ...line, subTotal: line.subTotal.times(-1) });
const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
