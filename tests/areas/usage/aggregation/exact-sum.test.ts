import { expect, test } from "bun:test";
import fc from "fast-check";
import { ExactSum } from "../../../../src/areas/usage/aggregation/exact-sum";
import { toDecimal } from "../../../../src/kernel/decimal";

test("sums are exact for whole numbers of any size and decimals, in any order, whole or in parts", () => {
	const thousandths = fc.oneof(
		fc.bigInt({ min: -3000n, max: 3000n }),
		fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
	);
	const text = (value: bigint) => {
		const digits = (value < 0n ? -value : value).toString().padStart(4, "0");
		return toDecimal(`${value < 0n ? "-" : ""}${digits.slice(0, -3)}.${digits.slice(-3)}`);
	};
	fc.assert(
		fc.property(fc.array(thousandths, { maxLength: 20 }), fc.nat(20), (values, cut) => {
			const whole = new ExactSum();
			const parts = [new ExactSum(), new ExactSum()] as const;
			for (const [index, value] of values.entries()) {
				whole.add(text(value));
				parts[index < cut ? 0 : 1].add(text(value));
			}
			const joined = new ExactSum();
			for (const part of parts) joined.add(part.value);
			const expected = text(values.reduce((sum, value) => sum + value, 0n));
			expect(whole.value).toBe(expected);
			expect(joined.value).toBe(expected);
		}),
		{ numRuns: 300 },
	);
});
