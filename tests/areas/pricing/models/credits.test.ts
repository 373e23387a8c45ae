import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { creditsForEvent, creditsForUnits } from "../../../../src/areas/pricing/models/credits";
import { parseFormula } from "../../../../src/areas/pricing/models/formula-parser";
import { exact, toDecimal } from "../../../../src/kernel/decimal";
import { add, ceiling, compare, parse, ratio, same, times } from "../../../support/oracle/rational";
import { decimal, decimals } from "../samples";

describe("credits", () => {
	test.each([
		// 3 images at 5 credits
		["by the unit", 5, null, 3, "15"],
		["part of a unit", 0.2, null, 2.5, "0.5"],
		// 2500 tokens in blocks of 1000: 3 × 2
		["by started blocks", 2, 1_000, 2_500, "6"],
		["nothing", 2, 1_000, 0, "0"],
		["less than nothing", 2, null, -4, "0"],
	] as const)("%s", (_, creditAmount, size, units, cost) => {
		const rate = { creditAmount: decimal(creditAmount), blockSize: size === null ? null : decimal(size) };
		expect(String(creditsForUnits(rate, decimal(units)))).toBe(cost);
	});

	test("by a formula over one event: 1200 in at 1 and 350 out at 4 for a thousand, never less than nothing", () => {
		const formula = parseFormula("(input * 1 + output * 4) / 1000");
		// 1.2 + 1.4
		expect(String(creditsForEvent(formula, { input: 1_200, output: "350" }))).toBe("2.6");
		expect(String(creditsForEvent(formula, { input: 1_200 }))).toBe("1.2");
		expect(String(creditsForEvent(formula, {}))).toBe("0");
		expect(String(creditsForEvent(formula, { input: -5_000 }))).toBe("0");
	});

	test("units cost amount × units, in started blocks where there are any", () => {
		fc.assert(
			fc.property(decimals(), decimals(99), fc.option(fc.integer({ min: 1, max: 500 })), (units, amount, size) => {
				const rate = { creditAmount: amount, blockSize: size === null ? null : decimal(size) };
				const counted = size === null ? parse(units) : ceiling(times(parse(units), ratio(1, size)));
				expect(same(creditsForUnits(rate, units), times(parse(amount), counted))).toBe(true);
				const twice = add(parse(creditsForUnits(rate, units)), parse(creditsForUnits(rate, units)));
				const together = creditsForUnits(rate, toDecimal(exact(units).times(2)));
				expect(compare(parse(together), twice) <= 0n).toBe(true);
			}),
		);
	});
});
