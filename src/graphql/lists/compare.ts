import { isNotNull, isNull, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { assert, fail } from "../../kernel/errors";
import { costs } from "../request/budget";
import { globOf, likeOf } from "./like";
import type { Kind } from "./list";

/** More than any screen or client sends in one filter. */
export const valuesMax = 500;
const patternLengthMax = 255;

type Values = Readonly<Record<string, unknown>>;

export const isValues = (value: unknown): value is Values =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** As in SQL, neither `eq` nor `neq` of a value holds for null. */
export function compare(value: SQLWrapper, kind: Kind, operator: string, operand: unknown): SQL {
	if (operator === "is" || operator === "isNot") return compareNull(value, kind, operator, operand);
	if (operand === null) {
		if (operator === "eq") return isNull(value);
		if (operator === "neq") return isNotNull(value);
		throw fail(
			"BadUserInput",
			`The filter's '${operator}' takes a value; use 'is: null' to find values that are not set.`,
		);
	}
	switch (operator) {
		case "eq":
			return sql`${value} = ${operand}`;
		case "neq":
			return sql`${value} <> ${operand}`;
		case "gt":
			return sql`${value} > ${operand}`;
		case "gte":
			return sql`${value} >= ${operand}`;
		case "lt":
			return sql`${value} < ${operand}`;
		case "lte":
			return sql`${value} <= ${operand}`;
		case "in":
			return sql`${value} in ${valuesOf(operand)}`;
		case "notIn":
			return sql`${value} not in ${valuesOf(operand)}`;
		case "like":
			return sql`${value} glob ${globOf(patternOf(operand))}`;
		case "notLike":
			return sql`${value} not glob ${globOf(patternOf(operand))}`;
		case "iLike":
			return sql`${value} like ${likeOf(patternOf(operand))} escape '\\'`;
		case "notILike":
			return sql`${value} not like ${likeOf(patternOf(operand))} escape '\\'`;
		case "between":
		case "notBetween": {
			assert(isValues(operand), "a range is an object");
			const inside = sql`${value} between ${operand.lower} and ${operand.upper}`;
			return operator === "between" ? inside : not(inside);
		}
		default:
			throw new Error(`Assertion failed: the schema lets through an operator '${operator}'`);
	}
}

/** `is` and `isNot` accept null, and for Boolean fields also true and false. */
function compareNull(value: SQLWrapper, kind: Kind, operator: "is" | "isNot", operand: unknown): SQL {
	if (operand === null) return operator === "is" ? isNull(value) : isNotNull(value);
	if (kind !== "Boolean")
		throw fail("BadUserInput", `The filter's '${operator}' takes null here; use 'eq' or 'neq' to compare values.`);
	return operator === "is" ? sql`${value} is ${operand}` : sql`${value} is not ${operand}`;
}

export function valuesOf(operand: unknown): readonly unknown[] {
	assert(Array.isArray(operand), "the schema has checked the list");
	if (operand.length > valuesMax)
		throw fail(
			"BadUserInput",
			`A list in the filter has more than ${valuesMax} values; split it into several requests.`,
		);
	// SQLite accepts "()". No value is in it.
	return operand;
}

function patternOf(operand: unknown): string {
	assert(typeof operand === "string", "the schema has checked the pattern");
	if (operand.length > patternLengthMax)
		throw fail("BadUserInput", `A pattern in the filter is longer than ${patternLengthMax} characters.`);
	return operand;
}

/** The cost of the comparison with one row. */
export function comparisonCost(operator: string, operand: unknown): number {
	// A list of values is searched by bisection.
	if (Array.isArray(operand)) return costs.comparison * (1 + Math.log2(operand.length + 1));
	if (typeof operand !== "string" || !/like/i.test(operator)) return costs.comparison;
	const wildcards = operand.split("%").length - 1;
	return costs.comparison + wildcards * costs.wildcard + operand.length * costs.patternCharacter;
}
