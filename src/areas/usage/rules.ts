import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { unreachable } from "../../kernel/errors";
import type { MeterAggregation, MeterCondition, MeterFilter } from "../features/schema";

export type DimensionValue = string | number | boolean;

/** What a meter looks at. */
export interface EventFacts {
	readonly eventName: string;
	/** Undefined when the event has no dimension of this name. */
	dimension(name: string): DimensionValue | undefined;
}

export interface MeterDefinition {
	readonly aggregation: MeterAggregation;
	readonly filters: readonly MeterFilter[];
}

type Test = (event: EventFacts) => boolean;

/**
 * Whether a meter takes an event: groups are alternatives, the conditions inside one all have to hold
 * (docs/interface/catalogue.md).
 */
export function compileFilters(filters: readonly MeterFilter[]): Test {
	if (filters.length === 0) return () => true;
	const groups = filters.map(({ conditions }) => conditions.map(compileCondition));
	return (event) => groups.some((conditions) => conditions.every((holds) => holds(event)));
}

/** Finds what an event holds in the meter's field; undefined when it holds nothing there. */
export function compileField({ aggregation }: MeterDefinition): (event: EventFacts) => DimensionValue | undefined {
	const { field } = aggregation;
	if (field === undefined) return () => undefined;
	return (event) => fieldOf(event, field);
}

/** Whether the name of an event alone decides if a meter takes it. */
export const filtersByName = (filters: readonly MeterFilter[]): boolean =>
	filters.every(({ conditions }) => conditions.every(({ field }) => field === "eventName"));

/** Plain or with an exponent as large as a double's: as JSON writes numbers, and short enough to compute with. */
const decimalPattern = /^-?\d{1,64}(\.\d{1,64})?([eE][+-]?\d{1,3})?$/;

/** The number in a dimension, exact; undefined where there is none. */
export function measureOf(value: DimensionValue | undefined): number | Decimal | undefined {
	if (typeof value === "number") return value;
	return typeof value === "string" && decimalPattern.test(value) ? decimalOf(value) : undefined;
}

/** What an event adds to a sum: a missing or non-numeric value counts as 0 (our choice; the sources are silent). */
export const amountOf = (value: DimensionValue | undefined): number | Decimal => measureOf(value) ?? 0;

/** One text for each number: "1.50" and 1.5 are both "1.5", and "-0" is "0". */
export function decimalOf(value: number | string): Decimal {
	if (typeof value === "number" && Number.isSafeInteger(value)) return String(value) as Decimal;
	const decimal = toDecimal(value);
	return decimal === "-0" ? zero : decimal;
}

/** The event's name under `eventName`, else the dimension; undefined when there is none. */
const fieldOf = (event: EventFacts, field: string): DimensionValue | undefined =>
	field === "eventName" ? event.eventName : event.dimension(field);

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
