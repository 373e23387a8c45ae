import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import { unreachable } from "../../kernel/errors";
import type { MeterCondition, MeterFilter, MeterFunction } from "../features/schema";

export type DimensionValue = string | number | boolean;

/** What a meter looks at. */
export interface EventFacts {
	readonly eventName: string;
	readonly dimensions: Readonly<Record<string, DimensionValue>>;
}

export interface MeterDefinition {
	readonly aggregation: { readonly function: MeterFunction; readonly field?: string };
	readonly filters: readonly MeterFilter[];
}

type Test = (event: EventFacts) => boolean;

/** The functions whose totals add up: the ones that are counted now. */
export const isAdditive = ({ aggregation }: MeterDefinition): boolean =>
	aggregation.function === "COUNT" || aggregation.function === "SUM";

/** Whether a meter takes an event: groups are alternatives, the conditions inside one all have to hold (semantics 4). */
export function compileFilters(filters: readonly MeterFilter[]): Test {
	if (filters.length === 0) return () => true;
	const groups = filters.map(({ conditions }) => conditions.map(compileCondition));
	return (event) => groups.some((conditions) => conditions.every((holds) => holds(event)));
}

/** What an event adds to the meter's total. */
export function compileValue({ aggregation }: MeterDefinition): (event: EventFacts) => number | Decimal {
	const { function: name, field = "" } = aggregation;
	if (name !== "SUM") return () => 1;
	return (event) => amountOf(fieldOf(event, field));
}

/** Whether a meter needs the dimensions at all; reading them is what counting an event costs most. */
export const readsDimensions = ({ aggregation, filters }: MeterDefinition): boolean =>
	aggregation.function !== "COUNT" ||
	filters.some(({ conditions }) => conditions.some(({ field }) => field !== "eventName"));

/** Plain or with an exponent as large as a double's: as JSON writes numbers, and short enough to compute with. */
const decimalPattern = /^-?\d{1,64}(\.\d{1,64})?([eE][+-]?\d{1,3})?$/;

/** The number in a dimension: exact. A missing or non-numeric one counts as 0 (our choice; the sources are silent). */
export function amountOf(value: DimensionValue | undefined): number | Decimal {
	if (typeof value === "number") return value;
	return typeof value === "string" && decimalPattern.test(value) ? toDecimal(value) : 0;
}

/** The event's name under `eventName`, else the dimension; undefined when there is none. */
function fieldOf({ eventName, dimensions }: EventFacts, field: string): DimensionValue | undefined {
	if (field === "eventName") return eventName;
	return Object.hasOwn(dimensions, field) ? dimensions[field] : undefined;
}

function compileCondition({ field, operation, value = "", values = [] }: MeterCondition): Test {
	const text = (test: (text: string) => boolean): Test => {
		return (event) => {
			const found = fieldOf(event, field);
			return found !== undefined && test(String(found));
		};
	};
	switch (operation) {
		case "EQUALS":
			return (event) => equals(fieldOf(event, field), value);
		case "NOT_EQUALS":
			// What is not there is not equal to anything.
			return (event) => !equals(fieldOf(event, field), value);
		case "IN":
			return (event) => values.some((one) => equals(fieldOf(event, field), one));
		case "GREATER_THAN":
			return (event) => compare(fieldOf(event, field), value, (sign) => sign > 0);
		case "GREATER_THAN_OR_EQUAL":
			return (event) => compare(fieldOf(event, field), value, (sign) => sign >= 0);
		case "LESS_THAN":
			return (event) => compare(fieldOf(event, field), value, (sign) => sign < 0);
		case "LESS_THAN_OR_EQUAL":
			return (event) => compare(fieldOf(event, field), value, (sign) => sign <= 0);
		case "IS_NULL":
			return (event) => fieldOf(event, field) === undefined;
		case "IS_NOT_NULL":
			return (event) => fieldOf(event, field) !== undefined;
		case "CONTAINS":
			return text((found) => found.includes(value));
		case "STARTS_WITH":
			return text((found) => found.startsWith(value));
		case "ENDS_WITH":
			return text((found) => found.endsWith(value));
		default:
			return unreachable(operation);
	}
}

/** A condition's value is text: a number equals every way to write it ("5", "5.0"), all else equals its own text. */
function equals(found: DimensionValue | undefined, value: string): boolean {
	if (typeof found === "number") return decimalPattern.test(value) && exact(found).eq(exact(value));
	return found !== undefined && String(found) === value;
}

/** By exact decimals; what is no number on either side compares to nothing. */
function compare(found: DimensionValue | undefined, value: string, holds: (sign: number) => boolean): boolean {
	const isNumber = typeof found === "number" || (typeof found === "string" && decimalPattern.test(found));
	return isNumber && decimalPattern.test(value) && holds(exact(found).cmp(exact(value)));
}
