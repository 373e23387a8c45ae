import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { costOf, pricesWholeUnits, type UseRate } from "../../../../src/areas/credits/costs/rules";
import type { Decimal } from "../../../../src/kernel/decimal";

const decimal = (value: number): Decimal => String(value) as Decimal;
const perUnit: UseRate = { creditAmount: decimal(2), blockSize: null, costFormula: null };
const perTen: UseRate = { creditAmount: decimal(3), blockSize: decimal(10), costFormula: null };
const byFormula: UseRate = { creditAmount: decimal(9), blockSize: null, costFormula: "(input + 4 * output) / 10" };
const thousands = { divide: decimal(1000), round: "UP" as const, featureUnits: "k", featureUnitsPlural: "k" };
const dimensions = { input: 10, output: 5 };

describe("the cost of a use", () => {
	test.each([
		["each unit", perUnit, 4, null, 0, 8],
		["each started block", perTen, 11, null, 0, 6],
		["no block that an earlier use started", perTen, 5, null, 5, 0],
		["only further blocks", perTen, 6, null, 5, 3],
		["whole converted units", perUnit, 1001, thousands, 0, 4],
		["no unit that an earlier use started", perUnit, 999, thousands, 1, 0],
		["nothing for negative usage", perUnit, -1, null, 0, 0],
		["nothing for no usage", perTen, 0, null, 0, 0],
	] as const)("is that of %s", (_, rate, added, conversion, before, cost) => {
		expect(costOf(rate, { added: decimal(added), dimensions: {} }, conversion, decimal(before))).toBe(decimal(cost));
	});

	test("is the result of the formula, also for usage of unknown amount, but not for negative usage", () => {
		expect(costOf(byFormula, { added: decimal(1), dimensions }, null, decimal(0))).toBe(decimal(3));
		expect(costOf(byFormula, { added: null, dimensions }, null, decimal(0))).toBe(decimal(3));
		expect(costOf(byFormula, { added: decimal(0), dimensions }, null, decimal(0))).toBe(decimal(3));
		expect(costOf(byFormula, { added: decimal(-1), dimensions }, null, decimal(0))).toBe(decimal(0));
	});

	test("is nothing without a formula and a definite amount", () => {
		expect(costOf(perUnit, { added: null, dimensions }, null, decimal(0))).toBe(decimal(0));
	});

	test("is the same for one use and for its parts, in any split", () => {
		const uses = fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 8 });
		fc.assert(
			fc.property(fc.constantFrom(perUnit, perTen), uses, (rate, parts) => {
				let before = 0;
				let total = 0;
				for (const part of parts) {
					total += Number(costOf(rate, { added: decimal(part), dimensions: {} }, null, decimal(before)));
					before += part;
				}
				expect(total).toBe(Number(costOf(rate, { added: decimal(before), dimensions: {} }, null, decimal(0))));
			}),
		);
	});
});

test.each([
	["a price for each unit", perUnit, null, false],
	["blocks", perTen, null, true],
	["converted units", perUnit, thousands, true],
	["a formula, also with converted units", byFormula, thousands, false],
] as const)("earlier usage matters as expected for %s", (_, rate, conversion, expected) => {
	expect(pricesWholeUnits(rate, conversion)).toBe(expected);
});
