import { type Big, exact, sum, toDecimal } from "../../kernel/decimal";
import { allocate, divideToMinor, minorDigits } from "../../kernel/money";
import type { LineBasis } from "./basis";
import { percentageOf } from "./discount";
import type { RatedLine } from "./line";
import { type AppliedTax, includedPart, includedRate, type LineTax, netOf } from "./tax";

/** The figures of a line that rounding by invoice reads and changes. */
export type TaxedLine = Pick<RatedLine, "amount" | "discount" | "tax" | "total"> & {
	readonly taxes?: readonly LineTax[] | null;
	readonly basis: LineBasis | null;
};

/**
 * Rounds each tax once for all these lines of an invoice, and spreads it over them by largest remainder. An included tax takes its
 * change from the line's net, so the total of the line stays. Source: docs/interface/invoices.md#money.
 */
export function roundTaxes<Line extends TaxedLine>(lines: readonly Line[], currency: string): Line[] {
	const over = toDecimal(sum(lines.map(grossOf)));
	const extracted = withAmounts(lines, includedAmounts(lines, currency));
	return withAmounts(extracted, exclusiveAmounts(extracted, currency)).map((line) =>
		line.basis ? { ...line, basis: { ...line.basis, tax: { ...line.basis.tax, over } } } : line,
	);
}

/** Returns the discounted amount with included taxes. */
export const grossOf = ({ amount, discount, taxes }: TaxedLine): Big =>
	exact(amount)
		.minus(discount)
		.plus(sum((taxes ?? []).map((tax) => (tax.isInclusive ? exact(tax.amount) : exact(0)))));

/** A line's share of a tax, by the place of the line. */
interface TaxShare {
	readonly at: number;
	readonly taxId: string;
	readonly amount: Big;
}

/** Extracts the taxes that several lines include from the sum of these lines. */
function includedAmounts(lines: readonly TaxedLine[], currency: string): TaxShare[] {
	const including = lines.flatMap((line, at) => {
		const taxes = (line.taxes ?? []).filter(({ isInclusive }) => isInclusive);
		return taxes.length === 0 ? [] : [{ at, taxes, gross: grossOf(line) }];
	});
	return [...Map.groupBy(including, ({ taxes }) => keyOf(taxes)).values()].flatMap((alike) => {
		const taxes = alike[0]?.taxes ?? [];
		const rate = includedRate(taxes);
		const whole = sum(alike.map(({ gross }) => gross));
		const amounts = allocate(whole.minus(netOf(whole, rate, currency)), taxes.map(includedPart), currency);
		return taxes.flatMap(({ taxId, percentage }, nth) => {
			const exactly = alike.map(({ gross }) => gross.times(percentage));
			const parts = spread(amounts[nth] ?? exact(0), exactly, rate.plus(100), currency);
			return alike.map(({ at }, place) => ({ at, taxId, amount: parts[place] ?? exact(0) }));
		});
	});
}

/** Calculates each exclusive tax on the sum of its lines. */
function exclusiveAmounts(lines: readonly TaxedLine[], currency: string): TaxShare[] {
	const taxed = lines.flatMap(({ taxes, amount, discount }, at) =>
		(taxes ?? [])
			.filter(({ isInclusive }) => !isInclusive)
			.map((tax) => ({ at, tax, net: exact(amount).minus(discount) })),
	);
	return [...Map.groupBy(taxed, ({ tax }) => keyOf([tax])).values()].flatMap((alike) => {
		const percentage = alike[0]?.tax.percentage ?? toDecimal(0);
		const total = percentageOf(sum(alike.map(({ net }) => net)), percentage, currency);
		const exactly = alike.map(({ net }) => net.times(percentage));
		const parts = spread(total, exactly, exact(100), currency);
		return alike.map(({ at, tax: { taxId } }, place) => ({ at, taxId, amount: parts[place] ?? exact(0) }));
	});
}

const keyOf = (taxes: readonly AppliedTax[]): string =>
	JSON.stringify(taxes.map(({ taxId, percentage }) => [taxId, percentage]));

function withAmounts<Line extends TaxedLine>(lines: readonly Line[], shares: readonly TaxShare[]): Line[] {
	const byLine = Map.groupBy(shares, ({ at }) => at);
	return lines.map((line, at) => {
		const amounts = new Map((byLine.get(at) ?? []).map((share) => [share.taxId, share.amount]));
		const taxes = (line.taxes ?? []).map((tax) => ({
			...tax,
			amount: toDecimal(amounts.get(tax.taxId) ?? exact(tax.amount)),
		}));
		const included = includedSum(taxes).minus(includedSum(line.taxes ?? []));
		const amount = exact(line.amount).minus(included);
		const tax = sum(taxes.map((one) => exact(one.amount)));
		const total = amount.minus(line.discount).plus(tax);
		return { ...line, taxes, amount: toDecimal(amount), tax: toDecimal(tax), total: toDecimal(total) };
	});
}

const includedSum = (taxes: readonly LineTax[]): Big =>
	sum(taxes.map(({ isInclusive, amount }) => (isInclusive ? exact(amount) : exact(0))));

/**
 * Spreads a sum over parts whose exact values are `exactly` ÷ `by`: each is rounded down, and the rest goes to the largest remainders,
 * one minor unit each. Ties go to the earlier part. The sum of the exact values and `total` differ by less than one minor unit.
 */
function spread(total: Big, exactly: readonly Big[], by: Big, currency: string): Big[] {
	const unit = exact(`1e-${minorDigits(currency)}`);
	const parts = exactly.map((value) => floorTo(value, by, currency));
	const left = total.minus(sum(parts)).div(unit).toNumber();
	const byRemainder = exactly
		.map((value, at) => ({ at, remainder: value.minus((parts[at] ?? exact(0)).times(by)) }))
		.sort((one, other) => other.remainder.cmp(one.remainder) || one.at - other.at);
	for (const { at } of byRemainder.slice(0, left)) parts[at] = (parts[at] ?? exact(0)).plus(unit);
	return parts;
}

/** Returns value ÷ by, rounded down to the minor unit; a negative value away from zero. */
function floorTo(value: Big, by: Big, currency: string): Big {
	const rounded = divideToMinor(value, by, currency);
	return rounded.times(by).gt(value) ? rounded.minus(`1e-${minorDigits(currency)}`) : rounded;
}
