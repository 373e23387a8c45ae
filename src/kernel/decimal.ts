import Big from "big.js";

declare const decimal: unique symbol;

/** An exact decimal as it is stored: plain digits, no exponent. Binary floats never take part in arithmetic. */
export type Decimal = string & { readonly [decimal]: true };

export type { Big };

/** For arithmetic: addition, subtraction and multiplication of `Big` are exact; divide with `divide` below. */
export const exact = (value: Decimal | number | string | Big): Big => new Big(value);

export const toDecimal = (value: number | string | Big): Decimal =>
	(Number.isSafeInteger(value) ? String(Number(value)) : new Big(value).toFixed()) as Decimal;

/** The sum, as it is stored. */
export const plus = (one: Decimal, other: Decimal): Decimal =>
	smallSum(one, other, 1) ?? toDecimal(exact(one).plus(exact(other)));

/** The difference, as it is stored. */
export const minus = (one: Decimal, other: Decimal): Decimal =>
	smallSum(one, other, -1) ?? toDecimal(exact(one).minus(exact(other)));

/** Of so few digits, with the point and a sign, a whole number is exact as a double, and so is the sum of two. */
const smallLength = 14;

/**
 * What the sum of two short decimals is, or of one and the other's opposite, by whole numbers of their last place: ten times as
 * fast as `Big`. Undefined where they are not short.
 */
function smallSum(one: Decimal, other: Decimal, sign: 1 | -1): Decimal | undefined {
	const places = Math.max(placesOf(one), placesOf(other));
	if (one.length + places > smallLength || other.length + places > smallLength) return undefined;
	const total = unitsOf(one, places) + sign * unitsOf(other, places);
	return (places === 0 ? `${total}` : inPlaces(total, places)) as Decimal;
}

function placesOf(value: Decimal): number {
	const point = value.indexOf(".");
	return point < 0 ? 0 : value.length - point - 1;
}

function unitsOf(value: Decimal, places: number): number {
	const own = placesOf(value);
	const units = own === 0 ? Number(value) : Number(value.slice(0, -own - 1) + value.slice(-own));
	return units * 10 ** (places - own);
}

function inPlaces(units: number, places: number): string {
	const digits = `${Math.abs(units)}`.padStart(places + 1, "0");
	const fraction = digits.slice(-places).replace(/0+$/, "");
	const text = fraction === "" ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
	return units < 0 ? `-${text}` : text;
}

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
