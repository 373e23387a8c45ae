import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { type Discount, discountLines } from "./discount";
import {
	type DiscountStep,
	type DiscountSubject,
	discountInOrder,
	type LineDiscount,
	lineDiscounts,
	type NamedDiscount,
} from "./discounts";
import { prorate, type Share, wholePeriod } from "./proration";
import { type AppliedTax, type ChargedTaxes, type GrossAmount, type LineTax, taxLine, taxOn } from "./tax";

/** Major units, in whole minor units of the currency. Always: total = subTotal − discount + tax. */
export interface Totals {
	readonly subTotal: Decimal;
	readonly discount: Decimal;
	readonly tax: Decimal;
	readonly total: Decimal;
}

export interface UnroundedLine {
	/** Exact, for the whole period; negative for a credit. */
	readonly amount: Big;
	/** The charged part of the period; missing: the line is not prorated. */
	readonly share?: Share;
	/** Reverses a charge: every figure of the line is the charge's figure, negated. */
	readonly isCredit?: boolean;
	/** Missing: the percentage of the terms applies. */
	readonly taxes?: readonly AppliedTax[];
	/** Only for a credit of a charge whose taxes were rounded for its invoice. */
	readonly chargedTaxes?: ChargedTaxes;
	/** The fields that scopes of coupons read, and the discounts that a credit reverses. */
	readonly discounted?: DiscountSubject;
}

/** The figures of a line. */
export interface LineTotals extends Totals {
	/** Missing: the tax is a percentage of the terms. */
	readonly taxes?: readonly LineTax[];
	/** Only with included taxes: the rounded amounts before their extraction. */
	readonly gross?: GrossAmount;
	/** Only if several coupons can apply: the terms of each, and its part of the discount. */
	readonly steps?: readonly DiscountStep[];
	readonly discounts?: readonly LineDiscount[];
}

export interface TotalTerms {
	readonly currency: string;
	readonly coupon?: Discount | null;
	/** Several coupons in their order, in place of one. */
	readonly discounts?: readonly NamedDiscount[] | undefined;
	/** 0 to 100. */
	readonly taxPercentage?: Decimal | null;
}

/**
 * Rounds each line once, discounts it, taxes the discounted amount, and sums the lines. Amounts and discounts exclude
 * included taxes. The sums equal the shown figures to the last minor unit. Every figure is calculated from the rounded
 * figures before it, so anyone can check an invoice by hand. Source: docs/interface/invoices.md#money.
 */
export function totalLines(
	lines: readonly UnroundedLine[],
	{ currency, coupon = null, discounts: several, taxPercentage = null }: TotalTerms,
): Totals & { readonly lines: readonly LineTotals[] } {
	const parted = lines.map((line) => ({
		...line,
		subTotal: prorate(line.amount, line.share ?? wholePeriod, currency),
	}));
	const discounts = discountLines(parted, several ? null : coupon, currency);
	const steps = discountInOrder(parted, several ?? [], currency);
	const rounded = parted.map(({ subTotal, taxes = [], chargedTaxes, discounted }, at): LineTotals => {
		const own = several || discounted?.chargedDiscounts ? (steps[at] ?? []) : undefined;
		const discount = own ? sum(own.map(({ amount }) => exact(amount))) : (discounts[at] ?? exact(0));
		const parts = (net: Big) => own && { steps: own, discounts: lineDiscounts(own, net, currency) };
		if (taxes.length === 0) {
			const tax = taxOn(subTotal, discount, taxPercentage, currency);
			return { ...totalsOf({ subTotal, discount, tax }), ...parts(discount) };
		}
		const taxed = taxLine({ subTotal, discount }, taxes, currency, chargedTaxes);
		return {
			...totalsOf(taxed),
			...parts(taxed.discount),
			taxes: taxed.taxes,
			...(taxes.some(({ isInclusive }) => isInclusive) && {
				gross: { amount: toDecimal(subTotal), discount: toDecimal(discount) },
			}),
		};
	});
	return { lines: rounded, ...sumTotals(rounded) };
}

const totalsOf = ({ subTotal, discount, tax }: Readonly<Record<"subTotal" | "discount" | "tax", Big>>): Totals => ({
	subTotal: toDecimal(subTotal),
	discount: toDecimal(discount),
	tax: toDecimal(tax),
	total: toDecimal(subTotal.minus(discount).plus(tax)),
});

/** Sums each figure without rounding again. */
export const sumTotals = (parts: readonly Totals[]): Totals => ({
	subTotal: toDecimal(sum(parts.map(({ subTotal }) => exact(subTotal)))),
	discount: toDecimal(sum(parts.map(({ discount }) => exact(discount)))),
	tax: toDecimal(sum(parts.map(({ tax }) => exact(tax)))),
	total: toDecimal(sum(parts.map(({ total }) => exact(total)))),
});

export const noAmounts: Totals = { subTotal: zero, discount: zero, tax: zero, total: zero };

/** Subtracts the other's figures. */
export const differenceOf = (one: Totals, other: Totals): Totals => ({
	subTotal: toDecimal(exact(one.subTotal).minus(other.subTotal)),
	discount: toDecimal(exact(one.discount).minus(other.discount)),
	tax: toDecimal(exact(one.tax).minus(other.tax)),
	total: toDecimal(exact(one.total).minus(other.total)),
});
