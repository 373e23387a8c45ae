import { type Big, type Decimal, exact, sum, toDecimal } from "../../kernel/decimal";
import { allocate, divideToMinor } from "../../kernel/money";
import { percentageOf } from "./discount";

/** A tax with the terms that a line is calculated with. */
export interface AppliedTax {
	/** The caller's id. */
	readonly taxId: string;
	/** The name at the time of the calculation, for documents. */
	readonly displayName: string;
	/** Above 0, at most 100. */
	readonly percentage: Decimal;
	/** Prices include the tax. */
	readonly isInclusive: boolean;
}

/** A tax of a line, in whole minor units; negative for a credit. */
export interface LineTax extends AppliedTax {
	readonly amount: Decimal;
}

/** An amount with its included taxes, before and without its discount. */
export interface GrossAmount {
	readonly amount: Decimal;
	readonly discount: Decimal;
}

/** The taxes of a charge that were rounded for a whole invoice. A credit reverses its part of them. */
export interface ChargedTaxes {
	/** The discounted amount of the charge, with included taxes. */
	readonly gross: Decimal;
	/** In the order of its taxes. */
	readonly amounts: readonly Decimal[];
}

interface TaxedAmounts {
	/** Without included taxes, like the discount. */
	readonly subTotal: Big;
	readonly discount: Big;
	readonly tax: Big;
	readonly taxes: readonly LineTax[];
}

/** Returns a percentage of a line's discounted amount, rounded once. Source: docs/interface/invoices.md#money. */
export const taxOn = (subTotal: Big, discount: Big, taxPercentage: Decimal | null, currency: string): Big =>
	taxPercentage === null ? exact(0) : percentageOf(subTotal.minus(discount), taxPercentage, currency);

/**
 * Taxes one line. Included taxes are extracted from the discounted amount first: their sum is rounded once, and is spread over them by
 * largest remainder. Each exclusive tax is then calculated on the net and rounded once. A credit of a charge whose taxes were
 * rounded for its invoice reverses its part of exactly those amounts.
 */
export function taxLine(
	{ subTotal, discount }: { readonly subTotal: Big; readonly discount: Big },
	taxes: readonly AppliedTax[],
	currency: string,
	charged?: ChargedTaxes,
): TaxedAmounts {
	const rate = includedRate(taxes);
	const gross = subTotal.minus(discount);
	const netDiscount = netOf(subTotal, rate, currency).minus(netOf(gross, rate, currency));
	const amounts = charged ? partOf(charged, gross, currency) : amountsOn(gross, taxes, currency);
	const net = gross.minus(sum(amounts.filter((_, at) => taxes[at]?.isInclusive)));
	return {
		subTotal: net.plus(netDiscount),
		discount: netDiscount,
		tax: sum(amounts),
		taxes: taxes.map((tax, at) => ({ ...tax, amount: toDecimal(amounts[at] ?? exact(0)) })),
	};
}

/** Returns the amount of each tax on a discounted amount that includes the inclusive ones. */
function amountsOn(gross: Big, taxes: readonly AppliedTax[], currency: string): Big[] {
	const rate = includedRate(taxes);
	const net = netOf(gross, rate, currency);
	const included = allocate(gross.minus(net), taxes.map(includedPart), currency);
	return taxes.map(({ isInclusive, percentage }, at) =>
		isInclusive ? (included[at] ?? exact(0)) : percentageOf(net, percentage, currency),
	);
}

const partOf = ({ gross, amounts }: ChargedTaxes, credited: Big, currency: string): Big[] =>
	amounts.map((amount) =>
		exact(gross).eq(0) ? exact(0) : divideToMinor(exact(amount).times(credited), exact(gross), currency),
	);

/** Returns the sum of the included percentages. */
export const includedRate = (taxes: readonly AppliedTax[]): Big => sum(taxes.map(includedPart));

export const includedPart = ({ isInclusive, percentage }: AppliedTax): Big =>
	isInclusive ? exact(percentage) : exact(0);

/** Returns an amount without taxes of a rate that it includes, rounded once. */
export const netOf = (gross: Big, rate: Big, currency: string): Big =>
	rate.eq(0) ? gross : divideToMinor(gross.times(100), rate.plus(100), currency);
