/** The oracles' own arithmetic: fractions of two BigInts. It shares nothing with the code under test. */
export interface Rational {
	readonly over: bigint;
	readonly under: bigint;
}

export const ratio = (over: bigint | number, under: bigint | number = 1): Rational => {
	const sign = BigInt(under) < 0n ? -1n : 1n;
	return { over: BigInt(over) * sign, under: BigInt(under) * sign };
};

export function parse(text: string): Rational {
	const [, minus = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
	const over = BigInt(whole + fraction);
	return ratio(minus ? -over : over, 10n ** BigInt(fraction.length));
}

export const add = (one: Rational, other: Rational) =>
	ratio(one.over * other.under + other.over * one.under, one.under * other.under);
export const times = (one: Rational, other: Rational) => ratio(one.over * other.over, one.under * other.under);
export const less = (one: Rational, other: Rational) => add(one, times(ratio(-1), other));
export const compare = (one: Rational, other: Rational) => one.over * other.under - other.over * one.under;
export const smaller = (one: Rational, other: Rational) => (compare(one, other) <= 0n ? one : other);
export const total = (parts: readonly Rational[]) => parts.reduce(add, ratio(0));

/** The smallest whole number that is not below. */
export const ceiling = ({ over, under }: Rational) => ratio(over >= 0n ? (over + under - 1n) / under : over / under);

/** To `places` digits, halves away from zero. */
export function rounded(value: Rational, places = 2): Rational {
	const scale = 10n ** BigInt(places);
	const size = value.over < 0n ? -value.over : value.over;
	const units = (size * scale * 2n + value.under) / (2n * value.under);
	return ratio(value.over < 0n ? -units : units, scale);
}

export const same = (actual: string, expected: Rational) => compare(parse(actual), expected) === 0n;
