import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Dimensions, evaluateFormula } from "../../../src/areas/pricing/formula";
import { parseFormula } from "../../../src/areas/pricing/formula-parser";
import { amountOf } from "../../../src/areas/usage/rules";
import { toDecimal } from "../../../src/kernel/decimal";
import { parse, rounded, same } from "../../support/oracle/rational";
import { held, print, reckon, type Tree, trees } from "./formula-oracle";
import { decimals, refusalOf } from "./samples";

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
		// What every object has is not a dimension.
		["constructor + __proto__ + toString", "0"],
		["0 - 0", "0"],
		["-zero", "0"],
	])("%s = %s", (text, value) => {
		expect(String(evaluateFormula(parseFormula(text), dimensions))).toBe(value);
	});

	test("what an object inherits is not a dimension either", () => {
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

const nested = (depth: number) => "(".repeat(depth) + "1".padEnd(depth + 1, ")");

describe("what is refused, and where", () => {
	test.each([
		["", 1, "a number, a name or '(' is missing before the end"],
		["   ", 4, "before the end"],
		["1 +", 4, "before the end"],
		["* 2", 1, "before '*'"],
		["(1 + 2", 7, "')' is missing before the end"],
		["1 + 2)", 6, "an operator is missing before ')'"],
		["tokens cached", 8, "an operator is missing before 'c'"],
		["2 ** 3", 4, "before '*'"],
		["2 ^ 3", 3, "before '^'"],
		["a % b", 3, "before '%'"],
		["a.b", 2, "before '.'"],
		["a[0]", 2, "before '['"],
		["a = 1", 3, "before '='"],
		["`a`", 1, "before '`'"],
		["1;2", 2, "before ';'"],
		["'a b'", 1, "before '''"],
		["''", 1, "before '''"],
		["'a", 1, "before '''"],
		["größe", 3, "before 'ö'"],
		["1 + 💶", 5, "before '💶'"],
		["1e3", 1, "a number is written like"],
		["2x", 1, "a name that begins with a digit in quotes"],
		[".5", 1, "a number is written like"],
		["5.", 1, "a number is written like"],
		["9".repeat(31), 1, "at most 30 digits"],
		["0x10", 1, "a number is written like"],
		["eval(1)", 1, "there is no function 'eval'"],
		["1 + constructor(1)", 5, "there is no function 'constructor'"],
		["Max(1)", 1, "there is no function 'Max'"],
		["min()", 5, "before ')'"],
		["ceil(1, 2)", 1, "'ceil' takes one value"],
		[`max(${"1,".repeat(10)}1)`, 1, "'max' takes at most 10 values"],
		["1 + 2 / 0", 9, "nothing can be divided by 0"],
		["1 / 0.00", 5, "nothing can be divided by 0"],
		["1 + tokens-cached", 5, 'put the dimension\'s name in quotes ("tokens-cached"), or spaces around the minus'],
		["gpt-4-turbo", 1, '"gpt-4-turbo"'],
		[nested(32), 33, "nested more than 32 deep"],
		[`${"-".repeat(32)}1`, 33, "nested more than 32 deep"],
		[Array.from({ length: 202 }, () => "a").join("+"), 402, "more than 200 operations"],
	])("%p at character %i: %s", (text, position, why) => {
		const refusal = refusalOf(() => parseFormula(text));
		expect(refusal?.code).toBe("BadUserInput");
		expect(refusal?.message).toStartWith(`costFormula: character ${position}: `);
		expect(refusal?.message).toContain(why);
		expect(refusal?.message).toEndWith(
			"allowed are numbers, dimension names, + - * / ( ) and min, max, ceil, floor, round, abs.",
		);
	});

	test("the bounds themselves are allowed, and the field at fault is the caller's to name", () => {
		expect(String(evaluateFormula(parseFormula(nested(31)), {}))).toBe("1");
		expect(String(evaluateFormula(parseFormula(Array.from({ length: 201 }, () => "a").join("+")), { a: 2 }))).toBe(
			"402",
		);
		expect(String(evaluateFormula(parseFormula("1".padEnd(1000)), {}))).toBe("1");
		expect(refusalOf(() => parseFormula("1".padEnd(1001), "charges.pricingModels[2].creditRate"))?.message).toBe(
			"charges.pricingModels[2].creditRate: 1001 characters are too many; a formula has at most 1000.",
		);
	});

	test("any text is either read or refused: nothing else is ever thrown", () => {
		const pieces = fc.constantFrom(..."0123456789.+-*/(),ab_$'\" ", "min", "ceil", "--", "0.5", "constructor");
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
				),
				(text) => {
					refusalOf(() => parse(evaluateFormula(parseFormula(text), dimensions)));
				},
			),
			{ numRuns: 500 },
		);
	});
});

/** Neither too deep nor too long to be read. */
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
				return same(evaluateFormula(parseFormula(text), held), reckon(tree));
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
