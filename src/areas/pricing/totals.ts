import { type Big, type Decimal, exact, sum, toDecimal } from "../../kernel/decimal";
import { type Discount, discountLines } from "./discount";
import { prorate, type Share, wholePeriod } from "./proration";
import { taxOn } from "./tax";

/** Major units, in whole minor units of the currency; total = subTotal − discount + tax, always. */
export interface Totals {
	readonly subTotal: Decimal;
	readonly discount: Decimal;
	readonly tax: Decimal;
	readonly total: Decimal;
}

export interface UnroundedLine {
	/** Exact, and for the whole period; negative for a credit. */
	readonly amount: Big;
	/** How much of the period is charged; left out: the line is not parted by time. */
	readonly share?: Share;
	/** Takes a charge back: every figure of the line is that of the charge, negated. */
	readonly isCredit?: boolean;
}

export interface TotalTerms {
	readonly currency: string;
	readonly coupon?: Discount | null;
	/** 0 to 100. */
	readonly taxPercentage?: Decimal | null;
}

/**
 * Rounds each line once, discounts it, taxes the discounted amount, and sums the lines: the sums are those of the figures
 * shown, to the last minor unit. Every figure of a line is calculated from the rounded figures before it, so that whoever
 * checks an invoice by hand arrives at the same amounts. Source: docs/interface/invoices.md.
 */
export function totalLines(
	lines: readonly UnroundedLine[],
	{ currency, coupon = null, taxPercentage = null }: TotalTerms,
): Totals & { readonly lines: readonly Totals[] } {
	const parted = lines.map((line) => ({
		...line,
		subTotal: prorate(line.amount, line.share ?? wholePeriod, currency),
	}));
	const discounts = discountLines(parted, coupon, currency);
	const rounded = parted.map(({ subTotal }, at): Totals => {
		const discount = discounts[at] ?? exact(0);
		const tax = taxOn(subTotal, discount, taxPercentage, currency);
		return {
			subTotal: toDecimal(subTotal),
			discount: toDecimal(discount),
			tax: toDecimal(tax),
			total: toDecimal(subTotal.minus(discount).plus(tax)),
		};
	});
	return { lines: rounded, ...sumTotals(rounded) };
}

/** The sum of each figure. Nothing is rounded again. */
export const sumTotals = (parts: readonly Totals[]): Totals => ({
	subTotal: toDecimal(sum(parts.map(({ subTotal }) => exact(subTotal)))),
	discount: toDecimal(sum(parts.map(({ discount }) => exact(discount)))),
	tax: toDecimal(sum(parts.map(({ tax }) => exact(tax)))),
	total: toDecimal(sum(parts.map(({ total }) => exact(total)))),
});

/** Each figure less the other's. */
export const differenceOf = (one: Totals, other: Totals): Totals => ({
	subTotal: toDecimal(exact(one.subTotal).minus(other.subTotal)),
	discount: toDecimal(exact(one.discount).minus(other.discount)),
	tax: toDecimal(exact(one.tax).minus(other.tax)),
	total: toDecimal(exact(one.total).minus(other.total)),
});
