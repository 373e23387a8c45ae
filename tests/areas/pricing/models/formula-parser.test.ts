import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Formula } from "../../../../src/areas/pricing/models/formula";
import { parseFormula } from "../../../../src/areas/pricing/models/formula-parser";
import { formulas, print } from "../formula-trees";
import { refusalOf } from "../samples";

/** A tree as nested lists, operator first. */
const shown = (tree: Formula): unknown => {
	switch (tree.kind) {
		case "number":
			return Number(tree.value);
		case "dimension":
			return tree.name;
		case "negation":
			return ["-", shown(tree.of)];
		case "call":
			return [tree.name, ...tree.given.map(shown)];
		case "operation":
			return [tree.operator, shown(tree.left), shown(tree.right)];
	}
};

describe("worked examples", () => {
	test.each([
		["2 + 3 * 4", ["+", 2, ["*", 3, 4]]],
		["(2 + 3) * 4", ["*", ["+", 2, 3], 4]],
		["2 - 3 - 4", ["-", ["-", 2, 3], 4]],
		["24 / 4 / 2", ["/", ["/", 24, 4], 2]],
		["-2 * -(3 - 5)", ["*", ["-", 2], ["-", ["-", 3, 5]]]],
		["2--3", ["-", 2, ["-", 3]]],
		["tokens--cached", ["-", "tokens", ["-", "cached"]]],
		["ceil(tokens / 1000) * 0.2", ["*", ["ceil", ["/", "tokens", 1000]], 0.2]],
		["max(1, min(tokens, 1000, cached) / 100)", ["max", 1, ["/", ["min", "tokens", 1000, "cached"], 100]]],
		["$rate", "$rate"],
		["'input-tokens' * 2 + \"4k\"", ["+", ["*", "input-tokens", 2], "4k"]],
		["\t tokens\n+1 ", ["+", "tokens", 1]],
		["constructor + __proto__", ["+", "constructor", "__proto__"]],
	])("%s", (text, tree) => expect(shown(parseFormula(text))).toEqual(tree));
});

const nested = (depth: number) => "(".repeat(depth) + "1".padEnd(depth + 1, ")");

describe("refusals and their places", () => {
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
		const long = Array.from({ length: 201 }, () => "a").join("+");
		for (const text of [nested(31), long, "1".padEnd(1000)])
			expect(refusalOf(() => parseFormula(text))).toBeUndefined();
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
					refusalOf(() => parseFormula(text));
				},
			),
			{ numRuns: 500 },
		);
	});
});

/** Neither too deep nor too long to be read. */
const isReadable = (text: string) => refusalOf(() => parseFormula(text)) === undefined;
const dividesByZero = (text: string): boolean => / \/ 0(\.0+)?(?![.\d])/.test(text);

describe("properties", () => {
	test("a formula that was printed from a tree is read as that tree", () => {
		let read = 0;
		fc.assert(
			fc.property(formulas, (tree) => {
				const text = print(tree);
				if (text.length > 1000 || !isReadable(text)) return text.length > 1000 || dividesByZero(text);
				read += 1;
				return Bun.deepEquals(parseFormula(text), tree);
			}),
			{ numRuns: 600 },
		);
		expect(read).toBeGreaterThan(400);
	});

	test("spaces and brackets around the whole change nothing", () => {
		fc.assert(
			fc.property(formulas, (tree) => {
				const text = print(tree);
				fc.pre(text.length < 900 && isReadable(text) && isReadable(`(${text})`));
				expect(parseFormula(`( ${text.replaceAll(" ", "  ")}\n)`)).toEqual(parseFormula(text));
			}),
			{ numRuns: 100 },
		);
	});
});
