import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { divide, exact } from "../../../src/kernel/decimal";
import { allocate } from "../../../src/kernel/money";

/** Whole minor units of a currency with two digits, without a float and without the code's own rounding. */
const unitsOf = (text: string): bigint => {
	const [, minus, whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
	const size = BigInt(whole + fraction.padEnd(2, "0"));
	return minus ? -size : size;
};
const textOf = (units: bigint): string => {
	const digits = String(units < 0n ? -units : units).padStart(3, "0");
	return `${units < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const totals = fc.bigInt({ min: -1_000_000_000n, max: 1_000_000_000n });
const weights = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 12 });
const split = (total: bigint, shares: readonly number[]): bigint[] =>
	allocate(
		exact(textOf(total)),
		shares.map((share) => exact(share)),
		"usd",
	).map((part) => unitsOf(part.toFixed()));
const sum = (parts: readonly bigint[]) => parts.reduce((all, part) => all + part, 0n);

describe("an amount that is split by weights", () => {
	test("is split whole: the parts sum to it, each within a unit of its exact share and on its side of zero", () => {
		fc.assert(
			fc.property(totals, weights, (total, shares) => {
				const parts = split(total, shares);
				const whole = BigInt(shares.reduce((all, share) => all + share, 0));
				if (whole === 0n) return expect(parts).toEqual(shares.map(() => 0n));
				expect(sum(parts)).toBe(total);
				for (const [at, part] of parts.entries()) {
					const distance = part * whole - total * BigInt(shares[at] ?? 0);
					expect(distance < whole && distance > -whole).toBe(true);
					expect(part * total >= 0n).toBe(true);
				}
			}),
			{ numRuns: 300 },
		);
	});

	test("is split fairly: who weighs more never gets less, and who weighs nothing gets nothing", () => {
		fc.assert(
			fc.property(totals, weights, (total, shares) => {
				const parts = split(total, shares).map((part) => (total < 0n ? -part : part));
				for (const [at, share] of shares.entries()) {
					if (share === 0) expect(parts[at]).toBe(0n);
					for (const [other, its] of shares.entries())
						if (share > its) expect((parts[at] ?? 0n) >= (parts[other] ?? 0n)).toBe(true);
				}
			}),
			{ numRuns: 200 },
		);
	});

	test("is split the same whatever the scale of the weights, and a credit mirrors its charge", () => {
		fc.assert(
			fc.property(totals, weights, fc.integer({ min: 2, max: 997 }), (total, shares, scale) => {
				const parts = split(total, shares);
				expect(
					split(
						total,
						shares.map((share) => share * scale),
					),
				).toEqual(parts);
				expect(split(-total, shares)).toEqual(parts.map((part) => -part));
			}),
			{ numRuns: 200 },
		);
	});
});

describe("a quotient", () => {
	const nonZero = fc.bigInt({ min: -1_000_000n, max: 1_000_000n }).filter((value) => value !== 0n);
	const places = fc.integer({ min: 0, max: 6 });

	test("is the nearest there is, once rounded; half goes away from zero", () => {
		fc.assert(
			fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), nonZero, places, (over, under, digits) => {
				const rounded = divide(exact(String(over)), exact(String(under)), digits, "half-up").toFixed(digits);
				const negative = over < 0n !== under < 0n;
				const [size, by] = [over < 0n ? -over : over, under < 0n ? -under : under];
				const whole = (2n * size * 10n ** BigInt(digits) + by) / (2n * by);
				const units = BigInt(rounded.replace(".", ""));
				expect(units).toBe(negative ? -whole : whole);
			}),
			{ numRuns: 300 },
		);
	});
});
