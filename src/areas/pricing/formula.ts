import type { Decimal } from "../../kernel/decimal";

/** A cost formula as `parseFormula` has checked it; it is plain data, and nothing in it can do more than arithmetic. */
export type Formula =
	| { readonly kind: "number"; readonly value: Decimal }
	| { readonly kind: "dimension"; readonly name: string }
	| { readonly kind: "negation"; readonly of: Formula }
	| {
			readonly kind: "operation";
			readonly operator: FormulaOperator;
			readonly left: Formula;
			readonly right: Formula;
	  }
	| { readonly kind: "call"; readonly name: FormulaFunction; readonly given: readonly Formula[] };

export type FormulaOperator = "+" | "-" | "*" | "/";

/** How many values each function takes. The list is the whole list: there is no other. */
export const formulaFunctions = {
	min: { least: 1, most: 10 },
	max: { least: 1, most: 10 },
	ceil: { least: 1, most: 1 },
	floor: { least: 1, most: 1 },
	round: { least: 1, most: 1 },
	abs: { least: 1, most: 1 },
} as const;
export type FormulaFunction = keyof typeof formulaFunctions;
