import fc from "fast-check";
import type { Dimensions, FormulaOperator } from "../../../src/areas/pricing/models/formula";
import {
	add,
	ceiling,
	compare,
	less,
	parse,
	type Rational,
	ratio,
	rounded,
	times,
} from "../../support/oracle/rational";
import { decimals } from "./samples";

/** The oracle's own tree, its own printer and its own arithmetic. */
export type Tree =
	| { readonly text: string; readonly value: Rational }
	| { readonly minus: Tree }
	| { readonly operator: FormulaOperator; readonly left: Tree; readonly right: Tree }
	| { readonly name: "min" | "max" | "ceil" | "floor" | "round" | "abs"; readonly of: readonly Tree[] };

export const held: Dimensions = { a: 12, b: "-3.75", c: 0.0625, n: 0, "x-y": 7 };
const names: readonly (readonly [string, string])[] = [
	["a", "12"],
	["b", "-3.75"],
	["c", "0.0625"],
	["n", "0"],
	["'x-y'", "7"],
	["gone", "0"],
];

const leaves: fc.Arbitrary<Tree> = fc.oneof(
	decimals(999).map((text) => ({ text, value: parse(text) })),
	fc.constantFrom(...names).map(([text, value]) => ({ text, value: parse(value) })),
);
export const { tree: trees } = fc.letrec<{ tree: Tree }>((tie) => ({
	tree: fc.oneof(
		{ maxDepth: 5, depthSize: "small" },
		{ arbitrary: leaves, weight: 2 },
		{ arbitrary: fc.record({ minus: tie("tree") }), weight: 1 },
		{
			arbitrary: fc.record({
				operator: fc.constantFrom<FormulaOperator>("+", "-", "*", "/"),
				left: tie("tree"),
				right: tie("tree"),
			}),
			weight: 6,
		},
		{
			arbitrary: fc.record({
				name: fc.constantFrom("min" as const, "max" as const),
				of: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
			}),
			weight: 1,
		},
		{
			arbitrary: fc.record({
				name: fc.constantFrom("ceil" as const, "floor" as const, "round" as const, "abs" as const),
				of: fc.tuple(tie("tree")),
			}),
			weight: 1,
		},
	),
}));

const strength = (tree: Tree): number => ("operator" in tree ? ("+-".includes(tree.operator) ? 1 : 2) : 3);

/** With the fewest brackets that say the same, so that precedence and grouping are what is tested. */
export function print(tree: Tree): string {
	if ("text" in tree) return tree.text;
	if ("minus" in tree) return `-${bracketed(tree.minus, 3)}`;
	if ("name" in tree) return `${tree.name}(${tree.of.map(print).join(", ")})`;
	const own = strength(tree);
	return `${bracketed(tree.left, own)} ${tree.operator} ${bracketed(tree.right, own + 1)}`;
}
const bracketed = (tree: Tree, least: number) => (strength(tree) < least ? `(${print(tree)})` : print(tree));

/** Exact to 40 digits after the point, as the formula promises; within ±10^40 these trees stay by themselves. */
export function exactValue(tree: Tree): Rational {
	if ("text" in tree) return tree.value;
	if ("minus" in tree) return times(ratio(-1), exactValue(tree.minus));
	if ("name" in tree) return apply(tree.name, tree.of.map(exactValue));
	const [left, right] = [exactValue(tree.left), exactValue(tree.right)];
	switch (tree.operator) {
		case "+":
			return add(left, right);
		case "-":
			return less(left, right);
		case "*":
			return rounded(times(left, right), 40);
		case "/":
			return right.over === 0n ? ratio(0) : rounded(times(left, ratio(right.under, right.over)), 40);
	}
}

function apply(name: Extract<Tree, { of: unknown }>["name"], given: readonly Rational[]): Rational {
	const [first = ratio(0)] = given;
	switch (name) {
		case "min":
			return given.reduce((one, other) => (compare(one, other) < 0n ? one : other));
		case "max":
			return given.reduce((one, other) => (compare(one, other) > 0n ? one : other));
		case "ceil":
			return ceiling(first);
		case "floor":
			return times(ratio(-1), ceiling(times(ratio(-1), first)));
		case "round":
			return rounded(first, 0);
		case "abs":
			return first.over < 0n ? times(ratio(-1), first) : first;
	}
}
