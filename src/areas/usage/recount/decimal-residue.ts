/** Primes below 2^26: two factors below them have a product that a double holds exactly. */
export const primes = [67_108_859, 67_108_837] as const;
export type Prime = (typeof primes)[number];

/** A decimal in units of its last place. */
export interface Scaled {
	readonly units: number | bigint;
	readonly places: number;
}

/** A double holds each whole number with so many digits exactly. */
const exactDigitsMax = 15;

/** Reads a decimal in Tollgate's form. Returns undefined for any other text. */
export function scaledOf(text: string): Scaled | undefined {
	const [, whole, places = ""] = /^(-?(?:0|[1-9]\d*))(?:\.(\d*[1-9]))?$/.exec(text) ?? [];
	if (whole === undefined) return undefined;
	const digits = whole + places;
	return { units: digits.length <= exactDigitsMax ? Number(digits) : BigInt(digits), places: places.length };
}

/** Returns the residue of a whole number or a decimal: a division by ten is a multiplication by the inverse of ten. */
export function residueOf(value: number | Scaled, prime: Prime): number {
	if (typeof value === "number") return value % prime;
	const { units, places } = value;
	const residue = typeof units === "number" ? units % prime : Number(units % BigInt(prime));
	return (residue * powerOf(tenths[prime], places, prime)) % prime;
}

function powerOf(base: number, exponent: number, prime: Prime): number {
	let [power, square] = [1, base];
	for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
		if (left % 2 === 1) power = (power * square) % prime;
		square = (square * square) % prime;
	}
	return power;
}

const tenthOf = (prime: Prime): number => powerOf(10, prime - 2, prime);

const tenths: Readonly<Record<Prime, number>> = {
	[primes[0]]: tenthOf(primes[0]),
	[primes[1]]: tenthOf(primes[1]),
};
