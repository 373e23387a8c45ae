import { expect, test } from "bun:test";
import { assert, bigInt, constantFrom, nat, property, tuple } from "fast-check";
import { type Decimal, divide, exact, isLess, minus, plus, toDecimal } from "../../src/kernel/decimal";

/** A decimal as it is stored, of whole units of its last place: no digits that say nothing. */
function stored(units: bigint, places: number): Decimal {
	const digits = `${units < 0n ? -units : units}`.padStart(places + 1, "0");
	const whole = digits.slice(0, digits.length - places);
	const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
	return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}` as Decimal;
}

const placesMax = 12;
/** Numbers of any length up to the limit, so that each way of adding has its turn, and the border between them. */
const decimals = tuple(nat({ max: 29 }), nat({ max: placesMax }), bigInt({ min: -(10n ** 30n), max: 10n ** 30n })).map(
	([digits, places, units]) => ({ units: units % 10n ** BigInt(digits), places }),
);
const inLast = ({ units, places }: { units: bigint; places: number }) => units * 10n ** BigInt(placesMax - places);

test("sums and differences are exact, and written as they are stored, however long", () => {
	assert(
		property(decimals, decimals, (one, other) => {
			const [a, b] = [stored(one.units, one.places), stored(other.units, other.places)];
			expect(plus(a, b)).toBe(stored(inLast(one) + inLast(other), placesMax));
			expect(minus(a, b)).toBe(stored(inLast(one) - inLast(other), placesMax));
			expect(isLess(a, b)).toBe(inLast(one) < inLast(other));
		}),
		{ numRuns: 5000 },
	);
});

test.each([
	["0.000001", "0.0000005", "0.0000015", "0.0000005"],
	["0.0000001", "0", "0.0000001", "0.0000001"],
	["99999999999999", "99999999999999", "199999999999998", "0"],
	["9999999.9999999", "0.0000001", "10000000", "9999999.9999998"],
	["0.1", "0.2", "0.3", "-0.1"],
	["-0.3", "0.3", "0", "-0.6"],
] as const)("%s and %s", (one, other, sum, difference) => {
	expect(plus(one as Decimal, other as Decimal)).toBe(sum as Decimal);
	expect(minus(one as Decimal, other as Decimal)).toBe(difference as Decimal);
});

test("a quotient is rounded once, whatever its signs and lengths", () => {
	const modes = ["half-up", "up", "down"] as const;
	assert(
		property(decimals, decimals, nat({ max: placesMax }), constantFrom(...modes), (one, other, places, rounding) => {
			if (other.units === 0n) return;
			const [a, b] = [inLast(one) * 10n ** BigInt(places), inLast(other)];
			const isBelow = a < 0n !== b < 0n;
			const [size, by] = [a < 0n ? -a : a, b < 0n ? -b : b];
			// The largest whole number that goes into it, and how much of the next one is left.
			const whole = size / by;
			const left = size - whole * by;
			const isUp = { down: false, up: left !== 0n, "half-up": left * 2n >= by }[rounding];
			const expected = (isUp ? whole + 1n : whole) * (isBelow ? -1n : 1n);
			const found = divide(
				exact(stored(one.units, one.places)),
				exact(stored(other.units, other.places)),
				places,
				rounding,
			);
			expect(toDecimal(found)).toBe(stored(expected, places));
		}),
		{ numRuns: 5000 },
	);
});

test("text that is no number is refused, however short", () => {
	for (const [one, other] of [
		["nothing", "1"],
		["1", "nothing"],
		["no.thing", "0.5"],
	] as const) {
		expect(() => plus(one as Decimal, other as Decimal)).toThrow("Invalid number");
		expect(() => minus(one as Decimal, other as Decimal)).toThrow("Invalid number");
	}
});
