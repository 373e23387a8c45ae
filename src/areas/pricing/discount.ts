import { type Big, type Decimal, exact, sum } from "../../kernel/decimal";
import { type Amount, allocate, roundToMinor } from "../../kernel/money";

/** A coupon's terms, as its row holds them: exactly one of the two is set. */
export interface Discount {
	readonly percentOff: Decimal | null;
	readonly amountsOff: readonly Amount[] | null;
}

/** A percentage of an amount that is already in whole minor units, rounded once. */
export const percentageOf = (amount: Big, percentage: Decimal, currency: string): Big =>
	roundToMinor(amount.times(exact(percentage)).times("0.01"), currency);

/**
 * What a coupon takes off each line; the lines are in whole minor units.
 * A percentage is taken line by line, from credits too, so that a credit mirrors the discounted charge. A fixed amount in the
 * invoice's currency (none there: no discount) is taken off the sum, never below zero, and spread over the charges by
 * largest remainder: the parts sum to it exactly and none exceeds its line.
 */
export function discountLines(subTotals: readonly Big[], coupon: Discount | null, currency: string): Big[] {
	const { percentOff = null, amountsOff = null } = coupon ?? {};
	if (percentOff !== null) return subTotals.map((subTotal) => percentageOf(subTotal, percentOff, currency));
	const off = amountsOff?.find((amount) => amount.currency === currency);
	if (!off) return subTotals.map(() => exact(0));
	const due = positive(sum(subTotals));
	const offered = positive(roundToMinor(exact(off.amount), currency));
	return allocate(offered.lt(due) ? offered : due, subTotals.map(positive), currency);
}

const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
