import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { divideToMinor, minorDigits, roundToMinor } from "../../kernel/money";
import type { LineBasis } from "./basis";
import { rateAddedUnits } from "./billed";
import { percentageOf, shareOut } from "./discount";
import type { KeptLine, RatedOtherwise } from "./kept-line";
import { settleMinimumSpend } from "./minimum-commitment";
import { rateUnits } from "./models/charge";
import { priceRows, rateUsedRows } from "./models/contract-rows";
import { prorate, wholePeriod } from "./proration";
import { rateItem } from "./rate";
import { taxedOtherwise } from "./rerate-taxes";
import { taxOn } from "./tax";
import { convertUnits } from "./unit-conversion";

/**
 * Rates the lines of a document again from their terms, and returns the first figure that differs; undefined if none does. Lines
 * without a basis were not rated and are skipped.
 */
export function ratedOtherwise(lines: readonly KeptLine[], currency: string): RatedOtherwise | undefined {
	const stated = lines.map((line) => ({ ...line, ...line.basis?.tax?.gross }));
	// A shared discount depends on the amounts of all its lines.
	for (const [at, { basis, amount: found }] of stated.entries()) {
		const expected = basis ? amountOf(basis, currency) : exact(found);
		if (!expected.eq(found)) return { at, figure: "amount", expected: toDecimal(expected), found };
	}
	const discounts = expectedDiscounts(stated, currency);
	const taxed = taxedOtherwise(lines, currency);
	for (const [at, { basis, amount, discount, tax, total, taxPercentage, taxes }] of lines.entries()) {
		if (!basis) continue;
		if (taxed?.at === at) return taxed;
		const percentage = taxOn(exact(amount), exact(discount), taxPercentage, currency);
		const figures = [
			["discount", discounts[at] ?? exact(0), stated[at]?.discount ?? discount],
			["tax", taxes ? exact(tax) : percentage, tax],
			["total", exact(amount).minus(discount).plus(tax), total],
		] as const;
		for (const [figure, expected, found] of figures)
			if (!expected.eq(found)) return { at, figure, expected: toDecimal(expected), found };
	}
	return undefined;
}

/** Returns the amount before discount and tax, rounded once. */
function amountOf(basis: LineBasis, currency: string): Big {
	const { charge, contractItem, minimum, quantity, billed = zero, share = wholePeriod, isCredit = false } = basis;
	if (minimum) {
		const left = toDecimal(exact(minimum.paid).minus(minimum.drawn));
		return exact(settleMinimumSpend(left, minimum.onDemand).drawn).times(-1);
	}
	if (contractItem) {
		const { model, rows, isPayAsYouGo } = contractItem;
		if (!isPayAsYouGo) return prorate(priceRows(model, rows).amount, share, currency);
		const units = convertUnits(quantity, basis.unitTransformation ?? null);
		return roundToMinor(rateUsedRows(model, rows, { quantity: units, billed }, currency).amount, currency);
	}
	if (!charge) return exact(0);
	const priced = { ...charge, minUnitQuantity: null, maxUnitQuantity: null };
	// The bounds were checked at the time of the purchase.
	const { amount } =
		charge.billingModel === "PER_UNIT"
			? exact(billed).eq(0)
				? rateUnits(priced, quantity)
				: rateAddedUnits({ ...priced, minUnitQuantity: 0 }, quantity, billed)
			: rateItem({ ...basis, charge: priced, description: "" }, currency);
	return prorate(isCredit ? amount.times(-1) : amount, share, currency);
}

function expectedDiscounts(lines: readonly KeptLine[], currency: string): Big[] {
	const expected = lines.map(({ basis, amount }) => {
		const of = basis?.discount;
		return of && "percentOff" in of ? percentageOf(exact(amount), of.percentOff, currency) : exact(0);
	});
	for (const together of alikeOf(lines)) {
		const offers = offersOf(together);
		if (!offers) for (const one of together) expected[one.at] = nearestShare(one, currency);
		for (const shared of offers ?? []) {
			const [first] = shared;
			const parts = first ? shareOut({ offered: exact(first.of.offered) }, shared, currency) : [];
			for (const [nth, part] of parts.entries()) {
				const one = shared[nth];
				if (one) expected[one.at] = one.isCredit ? part.times(-1) : part;
			}
		}
	}
	return expected;
}

/** A line that shares a fixed amount with other lines. */
interface SharedLine {
	readonly at: number;
	/** The weight of the line; for a credit, the negated amount. */
	readonly subTotal: Big;
	readonly isCredit: boolean;
	readonly discount: Big;
	readonly of: { readonly offered: Decimal; readonly over: Decimal };
}

/** Groups the lines by their offer. Several equal offers (waiting prorations) share a group. */
function alikeOf(lines: readonly KeptLine[]): SharedLine[][] {
	const shared = lines.flatMap(({ basis, amount, discount }, at) => {
		const of = basis?.discount;
		if (!of || !("amountOff" in of)) return [];
		const isCredit = basis?.isCredit ?? false;
		const subTotal = isCredit ? exact(amount).times(-1) : exact(amount);
		return [{ at, subTotal, isCredit, discount: exact(discount), of }];
	});
	return [...Map.groupBy(shared, ({ of, isCredit }) => JSON.stringify([of, isCredit])).values()];
}

/** Splits a group into its offers: the lines of one offer sum to its stored total. Undefined if some lines are on another document. */
function offersOf(alike: readonly SharedLine[]): SharedLine[][] | undefined {
	const made: SharedLine[][] = [];
	let together: SharedLine[] = [];
	for (const one of alike) {
		together = [...together, one];
		const reached = sum(together.map(({ subTotal }) => positive(subTotal)));
		if (reached.gt(one.of.over)) return undefined;
		if (reached.lt(one.of.over)) continue;
		made.push(together);
		together = [];
	}
	return together.some(({ subTotal }) => subTotal.gt(0)) ? undefined : made;
}

/**
 * Returns the discount of a single line. The largest remainder may have added one minor unit, which cannot be recalculated from one
 * line.
 */
function nearestShare({ subTotal, isCredit, discount, of }: SharedLine, currency: string): Big {
	const whole = exact(of.over);
	if (whole.lte(0)) return exact(0);
	const part = exact(of.offered).times(positive(subTotal));
	const found = isCredit ? discount.times(-1) : discount;
	const isNear = found
		.times(whole)
		.minus(part)
		.abs()
		.lt(whole.times(`1e-${minorDigits(currency)}`));
	return isNear ? discount : divideToMinor(isCredit ? part.times(-1) : part, whole, currency);
}

const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
