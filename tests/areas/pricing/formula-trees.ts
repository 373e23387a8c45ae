import fc from "fast-check";
import type { Formula, FormulaFunction, FormulaOperator } from "../../../src/areas/pricing/models/formula";
import type { Decimal } from "../../../src/kernel/decimal";
import { decimals } from "./samples";

const number = (value: Decimal): Formula => ({ kind: "number", value });
const dimension = (name: string): Formula => ({ kind: "dimension", name });

export const { tree: formulas } = fc.letrec<{ tree: Formula }>((tie) => {
	const call = (names: readonly FormulaFunction[], given: fc.Arbitrary<readonly Formula[]>) =>
		fc.record({ kind: fc.constant("call" as const), name: fc.constantFrom(...names), given });
	return {
		tree: fc.oneof(
			{ maxDepth: 5, depthSize: "small" },
			{
				arbitrary: decimals(999)
					.filter((value) => !value.startsWith("-"))
					.map(number),
				weight: 1,
			},
			{ arbitrary: fc.constantFrom("a", "$rate", "x-y", "4k", "min").map(dimension), weight: 1 },
			{ arbitrary: fc.record({ kind: fc.constant("negation" as const), of: tie("tree") }), weight: 1 },
			{
				arbitrary: fc.record({
					kind: fc.constant("operation" as const),
					operator: fc.constantFrom<FormulaOperator>("+", "-", "*", "/"),
					left: tie("tree"),
					right: tie("tree"),
				}),
				weight: 6,
			},
			{ arbitrary: call(["min", "max"], fc.array(tie("tree"), { minLength: 1, maxLength: 3 })), weight: 1 },
			{ arbitrary: call(["ceil", "floor", "round", "abs"], fc.tuple(tie("tree"))), weight: 1 },
		),
	};
});

const strength = (tree: Formula): number => (tree.kind === "operation" ? ("+-".includes(tree.operator) ? 1 : 2) : 3);

/** With the fewest brackets that say the same, so that precedence and grouping are what is tested. */
export function print(tree: Formula): string {
	switch (tree.kind) {
		case "number":
			return tree.value;
		case "dimension":
			return /^[A-Za-z_$]/.test(tree.name) && !tree.name.includes("-") ? tree.name : `'${tree.name}'`;
		case "negation":
			return `-${bracketed(tree.of, 3)}`;
		case "call":
			return `${tree.name}(${tree.given.map(print).join(", ")})`;
		case "operation": {
			const own = strength(tree);
			return `${bracketed(tree.left, own)} ${tree.operator} ${bracketed(tree.right, own + 1)}`;
		}
	}
}
const bracketed = (tree: Formula, least: number) => (strength(tree) < least ? `(${print(tree)})` : print(tree));
