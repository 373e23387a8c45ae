import { and, eq, isNotNull, isNull, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { assert, fail } from "../kernel/errors";
import type { Work } from "../kernel/work";
import type { Asking } from "./asking";
import { globOf, likeOf } from "./like";
import type { ComparedField, Kind, List, RelationField } from "./list";

/** Our choices: no screen or client asks for more in one filter. */
const conditionsMax = 100;
const filterDepthMax = 10;
const valuesMax = 500;
const patternLengthMax = 255;

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** The lists by their types: relations look up each other's fields here. */
export type Lists = ReadonlyMap<string, List>;

export const filterNameOf = ({ type, filterName }: List): string => filterName ?? `${type}Filter`;

/** Undefined where nothing is asked for. Arguments come as GraphQL has coerced them: instants are milliseconds. */
export function conditionOf(asking: Asking, lists: Lists, list: List, filter: unknown): SQL | undefined {
	return new Compiler(asking, lists).filter(list, filter, 1);
}

class Compiler {
	#conditions = 0;

	constructor(
		readonly asking: Asking,
		readonly lists: Lists,
	) {}

	/** Fields, `and` and `or` of one object all have to hold, as the wire has it. */
	filter(list: List, filter: unknown, depth: number): SQL | undefined {
		if (!isValues(filter)) return undefined;
		if (depth > filterDepthMax)
			throw fail("BadUserInput", `The filter nests deeper than ${filterDepthMax} levels; make it flatter.`);
		return and(
			...Object.entries(filter).map(([name, given]) => {
				if (name === "and") return and(...this.#alternatives(list, given, depth));
				if (name === "or") return this.#any(this.#alternatives(list, given, depth));
				const field = list.fields[name];
				assert(field, `the schema lets ${name} through, so ${list.type} has it`);
				return "relation" in field ? this.#related(field, given, depth) : this.#compared(field, given);
			}),
		);
	}

	#alternatives(list: List, given: unknown, depth: number): SQL[] {
		if (!Array.isArray(given)) return [];
		// An empty alternative holds for every row.
		return given.map((alternative) => this.filter(list, alternative, depth + 1) ?? sql`true`);
	}

	/** No alternative at all asks for nothing, as an absent `or` does. */
	#any(alternatives: readonly SQL[]): SQL | undefined {
		return alternatives.length === 0 ? undefined : or(...alternatives);
	}

	#related({ relation, own, theirs }: RelationField, given: unknown, depth: number): SQL | undefined {
		if (!isValues(given)) return undefined;
		const other = this.lists.get(relation);
		assert(other, `the list of ${relation} is part of the schema`);
		// To filter by what a key may not see would tell it.
		this.asking.assertMay(other.scope);
		const met = and(other.within(this.asking.work), isNotNull(theirs), this.filter(other, given, depth + 1));
		return sql`${own} in (select ${theirs} from ${other.source} where ${met})`;
	}

	#compared(field: ComparedField, given: unknown): SQL | undefined {
		if (!isValues(given)) return undefined;
		const { through, kind } = field;
		const value = expressionOf(this.asking.work, field);
		return and(
			...Object.entries(given).map(([operator, operand]) => {
				this.#conditions += 1;
				if (this.#conditions > conditionsMax)
					throw fail("BadUserInput", `The filter has more than ${conditionsMax} conditions; ask in parts.`);
				if (!through) return compare(value, kind, operator, operand);
				// Whether it refers to anything is seen in the row itself.
				if (operand === null) return compare(through.own, kind, operator, operand);
				const met = and(
					eq(through.environment, this.asking.work.actor.environmentId),
					compare(value, kind, operator, operand),
				);
				return sql`${through.own} in (select ${through.theirs} from ${through.theirs.table} where ${met})`;
			}),
		);
	}
}

export const expressionOf = (work: Work, { value }: ComparedField): SQLWrapper =>
	typeof value === "function" ? value(work) : value;

/** Null is not compared: as in SQL, neither `eq` nor `neq` of a value holds for it. */
function compare(value: SQLWrapper, kind: Kind, operator: string, operand: unknown): SQL {
	if (operator === "is" || operator === "isNot") return compareNull(value, kind, operator, operand);
	if (operand === null) {
		if (operator === "eq") return isNull(value);
		if (operator === "neq") return isNotNull(value);
		throw fail("BadUserInput", `The filter's '${operator}' takes a value; use 'is: null' to ask for what is not set.`);
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

/** `is` and `isNot` take true, false or null; the first two only where the field is a Boolean. */
function compareNull(value: SQLWrapper, kind: Kind, operator: "is" | "isNot", operand: unknown): SQL {
	if (operand === null) return operator === "is" ? isNull(value) : isNotNull(value);
	if (kind !== "Boolean")
		throw fail("BadUserInput", `The filter's '${operator}' takes null here; use 'eq' or 'neq' to compare values.`);
	return operator === "is" ? sql`${value} is ${operand}` : sql`${value} is not ${operand}`;
}

function valuesOf(operand: unknown): readonly unknown[] {
	assert(Array.isArray(operand), "the schema has checked the list");
	if (operand.length > valuesMax)
		throw fail("BadUserInput", `A list in the filter has more than ${valuesMax} values; ask in parts.`);
	// No value is in an empty list; SQLite reads "()" as just that.
	return operand;
}

function patternOf(operand: unknown): string {
	assert(typeof operand === "string", "the schema has checked the pattern");
	if (operand.length > patternLengthMax)
		throw fail("BadUserInput", `A pattern in the filter is longer than ${patternLengthMax} characters.`);
	return operand;
}
