import { type Big, exact, toDecimal, zero } from "../../../kernel/decimal";
import { roundToMinor } from "../../../kernel/money";
import type { LineBasis } from "../basis";
import { rateAddedUnits } from "../billed";
import type { KeptLine, RatedOtherwise } from "../kept-line";
import { settleMinimumSpend } from "../minimum-commitment";
import { rateUnits } from "../models/charge";
import { priceRows, rateUsedRows } from "../models/contract-rows";
import { amountOfCommitment } from "../models/spend-commitment";
import { prorate, wholePeriod } from "../proration";
import { rateItem } from "../rate";
import { taxOn } from "../tax";
import { convertUnits } from "../unit-conversion";
import { discountsAgain } from "./rerate-discounts";
import { taxedOtherwise } from "./rerate-taxes";

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
	const discounts = discountsAgain(lines, currency);
	const taxed = taxedOtherwise(lines, currency);
	for (const [at, { basis, amount, discount, tax, total, taxPercentage, taxes }] of lines.entries()) {
		if (!basis) continue;
		if (taxed?.at === at) return taxed;
		const percentage = taxOn(exact(amount), exact(discount), taxPercentage, currency);
		const figures = [
			["discount", discounts[at]?.expected ?? exact(0), discounts[at]?.found ?? discount],
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
	if (basis.spendCommitment) return amountOfCommitment(basis.spendCommitment, currency);
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
