import { type Big, type Decimal, divide, exact, round, toDecimal } from "../../../kernel/decimal";
import { unreachable } from "../../../kernel/errors";

/** A cost formula that `parseFormula` has checked. It is plain data that can only express arithmetic. */
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

/** The number of arguments of each function. No other function exists. */
export const formulaFunctions = {
	min: { least: 1, most: 10 },
	max: { least: 1, most: 10 },
	ceil: { least: 1, most: 1 },
	floor: { least: 1, most: 1 },
	round: { least: 1, most: 1 },
	abs: { least: 1, most: 1 },
} as const;
export type FormulaFunction = keyof typeof formulaFunctions;

/** The dimensions of an event. */
export type Dimensions = Readonly<Record<string, string | number | boolean>>;

/**
 * Every value has at most this many digits after the point (rounded half up) and stays within ±10^40. No price comes
 * near either. Without these limits, an event could send numbers that take seconds to multiply.
 */
const formulaPlaces = 40;
const valueMax = exact("1e40");

/**
 * Evaluates the formula for the dimensions of one event. An accepted event must have a cost, so a result always exists. Our choice (docs/interface/usage.md#credits): a dimension that is missing or not a number is 0, and so is a division by 0. Meters do the same, and a ratio of two missing dimensions costs nothing. `round` rounds half up, away from zero.
 */
export const evaluateFormula = (formula: Formula, dimensions: Dimensions): Decimal =>
	toDecimal(evaluate(formula, dimensions));

/** Returns the names of the dimensions that a formula reads. */
export function dimensionsOf(formula: Formula): string[] {
	switch (formula.kind) {
		case "number":
			return [];
		case "dimension":
			return [formula.name];
		case "negation":
			return dimensionsOf(formula.of);
		case "operation":
			return [...dimensionsOf(formula.left), ...dimensionsOf(formula.right)];
		case "call":
			return formula.given.flatMap(dimensionsOf);
		default:
			return unreachable(formula);
	}
}

function evaluate(formula: Formula, dimensions: Dimensions): Big {
	switch (formula.kind) {
		case "number":
			return exact(formula.value);
		case "dimension":
			return numberIn(Object.hasOwn(dimensions, formula.name) ? dimensions[formula.name] : undefined);
		case "negation":
			return evaluate(formula.of, dimensions).times(-1);
		case "operation":
			return held(operate(formula.operator, evaluate(formula.left, dimensions), evaluate(formula.right, dimensions)));
		case "call":
			return call(
				formula.name,
				formula.given.map((one) => evaluate(one, dimensions)),
			);
		default:
			return unreachable(formula);
	}
}

function operate(operator: FormulaOperator, left: Big, right: Big): Big {
	switch (operator) {
		case "+":
			return left.plus(right);
		case "-":
			return left.minus(right);
		case "*":
			return left.times(right);
		case "/":
			return right.eq(0) ? exact(0) : divide(left, right, formulaPlaces, "half-up");
		default:
			return unreachable(operator);
	}
}

function call(name: FormulaFunction, given: readonly Big[]): Big {
	const [first = exact(0)] = given;
	switch (name) {
		case "min":
			return given.reduce((least, one) => (one.lt(least) ? one : least), first);
		case "max":
			return given.reduce((most, one) => (one.gt(most) ? one : most), first);
		case "ceil":
			return floor(first.times(-1)).times(-1);
		case "floor":
			return floor(first);
		case "round":
			return round(first, 0, "half-up");
		case "abs":
			return first.abs();
		default:
			return unreachable(name);
	}
}

/** Returns the largest whole number that is not above the value, also below zero. The kernel's "down" rounds toward zero. */
function floor(value: Big): Big {
	const cut = round(value, 0, "down");
	return cut.gt(value) ? cut.minus(1) : cut;
}

function held(value: Big): Big {
	if (value.abs().gt(valueMax)) return value.lt(0) ? valueMax.times(-1) : valueMax;
	return round(value, formulaPlaces, "half-up");
}

/** Meters read a dimension in the same way (usage/rules.ts, `amountOf`); a test compares the two. */
const decimalPattern = /^-?\d{1,64}(\.\d{1,64})?([eE][+-]?\d{1,3})?$/;

function numberIn(value: string | number | boolean | undefined): Big {
	if (typeof value === "number") return Number.isFinite(value) ? held(exact(value)) : exact(0);
	return typeof value === "string" && decimalPattern.test(value) ? held(exact(value)) : exact(0);
}
