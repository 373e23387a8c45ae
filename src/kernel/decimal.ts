import Big from "big.js";

declare const decimal: unique symbol;

/** An exact decimal as it is stored: plain digits, no exponent. Binary floats never take part in arithmetic. */
export type Decimal = string & { readonly [decimal]: true };

export type { Big };

/** For arithmetic: addition, subtraction and multiplication of `Big` are exact; divide with `divide` below. */
export const exact = (value: Decimal | number | string | Big): Big => new Big(value);

export const toDecimal = (value: number | string | Big): Decimal =>
	(Number.isSafeInteger(value) ? String(Number(value)) : new Big(value).toFixed()) as Decimal;

/** Exact; whole numbers, which nearly all are, without arbitrary precision. */
export const plus = (one: Decimal, other: Decimal): Decimal =>
	toDecimal(isSmall(one) && isSmall(other) ? Number(one) + Number(other) : exact(one).plus(exact(other)));

/** Stored decimals are plain digits: up to fifteen of them are a whole number that a double holds exactly. */
const isSmall = (value: Decimal): boolean => value.length <= 15 && !value.includes(".");

/** The wire speaks JSON numbers. Rounding to a double happens here and nowhere else. */
export const toWire = (stored: Decimal): number => Number(stored);
export const toWireOrNull = (stored: Decimal | null): number | null => (stored === null ? null : Number(stored));

export const zero = "0" as Decimal;

export type Rounding = "half-up" | "up" | "down";

const modes = { "half-up": Big.roundHalfUp, up: Big.roundUp, down: Big.roundDown } as const;

/** Rounds to `places` digits after the point. Half up and up go away from zero, so that a credit mirrors its charge. */
export const round = (value: Big, places: number, rounding: Rounding): Big => value.round(places, modes[rounding]);

/**
 * numerator / denominator, correctly rounded in one step. `Big.div` alone would round to its own precision first and
 * so could round twice; the quotient here is cut with a sticky digit that keeps the direction of the remainder.
 */
export function divide(numerator: Big, denominator: Big, places: number, rounding: Rounding): Big {
	const scale = new Big(10).pow(places + 2);
	const cut = wholeQuotient(numerator.times(scale), denominator);
	const remainder = numerator.times(scale).minus(cut.times(denominator));
	const sticky = remainder.eq(0) ? cut.times(10) : cut.times(10).plus(signOf(numerator) * signOf(denominator));
	return sticky.times(new Big(`1e-${places + 3}`)).round(places, modes[rounding]);
}

const signOf = (value: Big): 1 | -1 => (value.lt(0) ? -1 : 1);

/** The quotient cut toward zero to a whole number, by integers: exact for every size. */
function wholeQuotient(numerator: Big, denominator: Big): Big {
	const digits = Math.max(fractionDigits(numerator), fractionDigits(denominator));
	const scale = new Big(10).pow(digits);
	return new Big((BigInt(numerator.times(scale).toFixed(0)) / BigInt(denominator.times(scale).toFixed(0))).toString());
}

const fractionDigits = (value: Big): number => Math.max(0, value.c.length - 1 - value.e);

export const sum = (values: Iterable<Big>): Big => {
	let total = new Big(0);
	for (const value of values) total = total.plus(value);
	return total;
};
