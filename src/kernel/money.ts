import { type Big, type Decimal, divide, exact, round, sum } from "./decimal";

/** The 116 currencies of the wire contract, lower case (source: `CurrencyCode`). */
export const currencyCodes =
	"usd aed all amd ang aud awg azn bam bbd bdt bgn bif bmd bnd bsd bwp byn bzd brl cad cdf chf cny czk dkk dop dzd egp etb eur fjd gbp gel gip gmd gyd hkd hrk htg idr ils inr isk jmd jpy kes kgs khr kmf krw kyd kzt lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mro mvr mwk mxn myr mzn nad ngn nok npr nzd pgk php pkr pln qar ron rsd rub rwf sar sbd scr sek sgd sle sll sos szl thb tjs top try ttd tzs uah uzs vnd vuv wst xaf xcd yer zar zmw clp djf gnf ugx pyg xof xpf".split(
		" ",
	);

/** ISO 4217 minor units that are not two. */
const minorDigitsByCurrency: Readonly<Record<string, number>> = {
	bif: 0,
	clp: 0,
	djf: 0,
	gnf: 0,
	isk: 0,
	jpy: 0,
	kmf: 0,
	krw: 0,
	pyg: 0,
	rwf: 0,
	ugx: 0,
	uyi: 0,
	vnd: 0,
	vuv: 0,
	xaf: 0,
	xof: 0,
	xpf: 0,
};

export const minorDigits = (currency: string): number => minorDigitsByCurrency[currency] ?? 2;

/** An exact amount in major units: 12.5 is twelve dollars fifty. */
export interface Amount {
	readonly amount: Decimal;
	readonly currency: string;
}

/** To the currency's minor unit, half up. Happens once for each invoice line (choices.md, Money). */
export const roundToMinor = (value: Big, currency: string): Big => round(value, minorDigits(currency), "half-up");

/** numerator / denominator, rounded once to the currency's minor unit, half up. */
export const divideToMinor = (numerator: Big, denominator: Big, currency: string): Big =>
	divide(numerator, denominator, minorDigits(currency), "half-up");

/**
 * Splits `total` (already in whole minor units) by weight so that the parts sum to it exactly: each part is cut to the
 * minor unit, and what is left goes, one unit each, to the largest remainders; ties go to the earlier part.
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
