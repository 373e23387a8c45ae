import { data } from "currency-codes";
import { type Big, type Decimal, divide, exact, round, sum } from "./decimal";
import { assert } from "./errors";

/**
 * The codes of ISO 4217 that are not money: metals, units of account of banks, codes for tests and for no currency. They have no minor
 * unit.
 */
const noMoney: ReadonlySet<string> = new Set("xag xau xba xbb xbc xbd xdr xpd xpt xsu xts xua xxx".split(" "));

/**
 * Currencies that the package does not list: three that ISO has withdrawn and the interface names, and one newer than the package. All
 * have hundredths.
 */
const notInPackage = ["hrk", "mro", "sll", "xcg"];

/** The number of decimals of the minor unit by lower-case currency code (ISO 4217): 2 for cents, 0 for yen, 3 for fils. */
const minorDigitsByCurrency: ReadonlyMap<string, number> = new Map([
	...data.map(({ code, digits }) => [code.toLowerCase(), digits] as const).filter(([code]) => !noMoney.has(code)),
	...notInPackage.map((code) => [code, 2] as const),
]);

/** All currencies of ISO 4217, lower case; the 116 of the wire contract are among them. */
export const currencyCodes: readonly string[] = [...minorDigitsByCurrency.keys()].sort();

export function minorDigits(currency: string): number {
	const digits = minorDigitsByCurrency.get(currency);
	assert(digits !== undefined, `'${currency}' is a currency of ISO 4217`);
	return digits;
}

/** An exact amount in major units: 12.5 is twelve dollars fifty. */
export interface Money {
	readonly amount: Decimal;
	readonly currency: string;
}

/**
 * Rounds to the currency's minor unit, half up. Each invoice line is rounded once, so that its amount can be paid.
 * Source: docs/interface/invoices.md#money.
 */
export const roundToMinor = (value: Big, currency: string): Big => round(value, minorDigits(currency), "half-up");

/** Returns numerator / denominator, rounded once to the currency's minor unit, half up. */
export const divideToMinor = (numerator: Big, denominator: Big, currency: string): Big =>
	divide(numerator, denominator, minorDigits(currency), "half-up");

/**
 * Splits `total` (in whole minor units) by weight so that the parts sum to it exactly. Each part is truncated to the minor unit. The rest
 * goes, one unit each, to the largest remainders; ties go to the earlier part.
 */
export function allocate(total: Big, weights: readonly Big[], currency: string): Big[] {
	const weightSum = sum(weights);
	if (weights.length === 0 || weightSum.eq(0)) return weights.map(() => exact(0));
	const places = minorDigits(currency);
	const unit = exact(`1e-${places}`).times(total.lt(0) ? -1 : 1);
	const parts = weights.map((weight) => divide(total.times(weight), weightSum, places, "down"));
	const left = total.minus(sum(parts)).div(unit).toNumber();
	const byRemainder = weights
		.map((weight, at) => ({
			at,
			remainder: total
				.times(weight)
				.minus((parts[at] ?? exact(0)).times(weightSum))
				.abs(),
		}))
		.sort((one, other) => other.remainder.cmp(one.remainder) || one.at - other.at);
	for (const { at } of byRemainder.slice(0, left)) parts[at] = (parts[at] ?? exact(0)).plus(unit);
	return parts;
}
