import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Dimensions, evaluateFormula } from "../../../../src/areas/pricing/models/formula";
import { parseFormula } from "../../../../src/areas/pricing/models/formula-parser";
import { amountOf } from "../../../../src/areas/usage/rules";
import { toDecimal } from "../../../../src/kernel/decimal";
import { parse, rounded, same } from "../../../support/oracle/rational";
import { exactValue, held, print, type Tree, trees } from "../formula-oracle";
import { decimals, refusalOf } from "../samples";

const dimensions: Dimensions = {
	tokens: 1500,
	cached: "250",
	price_in: 0.000003,
	$rate: "1.5e2",
	model: "large",
	isBatch: true,
	"input-tokens": 40,
	"4k": 4,
	zero: 0,
};

describe("worked examples", () => {
	test.each([
		["2 + 3 * 4", "14"],
		["(2 + 3) * 4", "20"],
		["2 - 3 - 4", "-5"],
		["24 / 4 / 2", "3"],
		["-2 * -(3 - 5)", "-4"],
		["2--3", "5"],
		["tokens--cached", "1750"],
		["0.1 + 0.2", "0.3"],
		["tokens", "1500"],
		// 1500 / 1000 = 1.5 thousands at 0.2 credits.
		["tokens / 1000 * 0.2", "0.3"],
		// Whole started thousands: 2 × 0.2.
		["ceil(tokens / 1000) * 0.2", "0.4"],
		// (1500 − 250) × 0.000003; a numeric string is a number.
		["(tokens - cached) * price_in", "0.00375"],
		["max(1, min(tokens, 1000, cached) / 100)", "2.5"],
		["$rate", "150"],
		["'input-tokens' * 2 + \"4k\"", "84"],
		["1 / 3", `0.${"3".repeat(40)}`],
		["2 / 3", `0.${"6".repeat(39)}7`],
		["floor(1.5) + floor(-1.5)", "-1"],
		["ceil(1.5) + ceil(-1.5)", "1"],
		["round(2.5) + round(-2.5)", "0"],
		["round(2.4)", "2"],
		["abs(-7.25)", "7.25"],
		["\t tokens\n+1 ", "1501"],
		// Missing, not a number, not a number, and divided by nothing: 0.
		["missing + 1", "1"],
		["model + 1", "1"],
		["isBatch + 1", "1"],
		["tokens / zero", "0"],
		["missing / missing", "0"],
		// Inherited properties of objects are not dimensions.
		["constructor + __proto__ + toString", "0"],
		["0 - 0", "0"],
		["-zero", "0"],
	])("%s = %s", (text, value) => {
		expect(String(evaluateFormula(parseFormula(text), dimensions))).toBe(value);
	});

	test("an inherited property of an object is not a dimension either", () => {
		expect(String(evaluateFormula(parseFormula("a + b"), Object.create({ a: 5 }, { b: { value: 2 } })))).toBe("2");
	});

	test("values stay within bounds, so that no event is costly to cost", () => {
		const power = parseFormula(Array.from({ length: 200 }, () => "a").join("*"));
		expect(String(evaluateFormula(power, { a: "1e300" }))).toBe(`1${"0".repeat(40)}`);
		expect(String(evaluateFormula(power, { a: -1e300 }))).toBe(`1${"0".repeat(40)}`);
		expect(String(evaluateFormula(parseFormula("0 - a"), { a: 1e300 }))).toBe(`-1${"0".repeat(40)}`);
		expect(String(evaluateFormula(parseFormula("0 - a - a"), { a: 1e300 }))).toBe(`-1${"0".repeat(40)}`);
		expect(String(evaluateFormula(power, { a: "1e-300" }))).toBe("0");
		expect(String(evaluateFormula(parseFormula("a"), { a: Number.POSITIVE_INFINITY }))).toBe("0");
	});
});

const isReadable = (text: string) => refusalOf(() => parseFormula(text)) === undefined;
const dividesByZero = (tree: Tree): boolean =>
	"operator" in tree
		? (tree.operator === "/" && "text" in tree.right && tree.right.value.over === 0n) ||
			dividesByZero(tree.left) ||
			dividesByZero(tree.right)
		: "minus" in tree
			? dividesByZero(tree.minus)
			: "of" in tree && tree.of.some(dividesByZero);

describe("properties, against exact fractions", () => {
	test("a formula's value is that of its tree", () => {
		let read = 0;
		fc.assert(
			fc.property(trees, (tree) => {
				const text = print(tree);
				if (text.length > 1000 || !isReadable(text)) return text.length > 1000 || dividesByZero(tree);
				read += 1;
				return same(evaluateFormula(parseFormula(text), held), exactValue(tree));
			}),
			{ numRuns: 600 },
		);
		expect(read).toBeGreaterThan(400);
	});

	test("spaces and brackets around the whole change nothing", () => {
		fc.assert(
			fc.property(trees, (tree) => {
				const text = print(tree);
				fc.pre(text.length < 900 && isReadable(text));
				const value = evaluateFormula(parseFormula(text), held);
				expect(evaluateFormula(parseFormula(`( ${text.replaceAll(" ", "  ")}\n)`), held)).toBe(value);
			}),
			{ numRuns: 100 },
		);
	});

	test("a dimension is read as meters read it", () => {
		const texts = fc.oneof(
			fc.string(),
			decimals(),
			fc.constantFrom("", " 1", "1 ", "+1", "-1", "1.", ".1", "0x1", "1e2", "1E-2", "NaN", "١", "1_0", "true"),
		);
		fc.assert(
			fc.property(fc.oneof(texts, fc.boolean(), fc.double({ noNaN: true, min: -1e30, max: 1e30 })), (value) => {
				const asMeter = rounded(parse(toDecimal(amountOf(value))), 40);
				expect(same(evaluateFormula(parseFormula("d"), { d: value }), asMeter)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});
});
