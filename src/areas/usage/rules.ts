import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { unreachable } from "../../kernel/errors";
import type { MeterAggregation, MeterCondition, MeterFilter } from "../features/schema";
import { dimensionsOf, evaluateFormula } from "../pricing/models/formula";
import { parseFormula } from "../pricing/models/formula-parser";
import type { Segmentation } from "../pricing/models/segment";
import type { TransactionPrice } from "../pricing/models/transaction";

export type DimensionValue = string | number | boolean;

/** The parts of an event that a meter sees. */
export interface EventFacts {
	readonly eventName: string;
	/** Returns undefined if the event has no dimension of this name. */
	dimension(name: string): DimensionValue | undefined;
}

export interface MeterDefinition {
	readonly aggregation: MeterAggregation;
	readonly filters: readonly MeterFilter[];
	/** Counts the cost of the events instead. */
	readonly transactionPrice?: TransactionPrice;
	/** Counts each segment by itself. */
	readonly segments?: Segmentation;
}

type Test = (event: EventFacts) => boolean;

/**
 * Returns whether a meter counts an event: groups are alternatives, and all conditions of a group must hold
 * (docs/interface/catalogue.md).
 */
export function compileFilters(filters: readonly MeterFilter[]): Test {
	if (filters.length === 0) return () => true;
	const groups = filters.map(({ conditions }) => conditions.map(compileCondition));
	return (event) => groups.some((conditions) => conditions.every((holds) => holds(event)));
}

/** Returns the event's value in the meter's field; undefined if it has none. */
export function compileField({
	aggregation,
	transactionPrice,
}: MeterDefinition): (event: EventFacts) => DimensionValue | undefined {
	const { field } = aggregation;
	if (transactionPrice?.formula !== undefined) return compileAmount(transactionPrice.formula);
	if (field === undefined) return () => undefined;
	return (event) => fieldOf(event, field);
}

/** Returns the dimensions from which a meter calculates the value of an event; none if it has a field. */
export const computedFrom = ({ transactionPrice }: MeterDefinition): string[] =>
	transactionPrice?.formula === undefined ? [] : dimensionsOf(parseFormula(transactionPrice.formula, "formula"));

/** Returns the amount of an event by a formula, at least 0. */
function compileAmount(text: string): (event: EventFacts) => DimensionValue {
	const formula = parseFormula(text, "formula");
	const names = [...new Set(dimensionsOf(formula))];
	return (event) => {
		const dimensions: Record<string, DimensionValue> = {};
		for (const name of names) {
			const value = event.dimension(name);
			if (value !== undefined) dimensions[name] = value;
		}
		const amount = evaluateFormula(formula, dimensions);
		return amount.startsWith("-") ? 0 : amount;
	};
}

/** Whether the name of an event alone decides if a meter counts it. */
export const filtersByName = (filters: readonly MeterFilter[]): boolean =>
	filters.every(({ conditions }) => conditions.every(({ field }) => field === "eventName"));

/** Plain, or with an exponent within a double's range: as JSON writes numbers, and short enough to compute with. */
const decimalPattern = /^-?\d{1,64}(\.\d{1,64})?([eE][+-]?\d{1,3})?$/;

/** Returns the exact number in a dimension; undefined if there is none. */
export function measureOf(value: DimensionValue | undefined): number | Decimal | undefined {
	if (typeof value === "number") return value;
	return typeof value === "string" && decimalPattern.test(value) ? decimalOf(value) : undefined;
}

/**
 * Returns the amount that an event adds to a sum. Our choice (docs/interface/catalogue.md#features-and-meters): a
 * missing or non-numeric value counts as 0.
 */
export const amountOf = (value: DimensionValue | undefined): number | Decimal => measureOf(value) ?? 0;

/** Returns one text for each number: "1.50" and 1.5 are both "1.5", and "-0" is "0". */
export function decimalOf(value: number | string): Decimal {
	if (typeof value === "number" && Number.isSafeInteger(value)) return String(value) as Decimal;
	const decimal = toDecimal(value);
	return decimal === "-0" ? zero : decimal;
}

/** Returns the event's name for `eventName`, otherwise the dimension; undefined if there is none. */
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
			// A missing dimension equals nothing.
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

/** A condition's value is text: a number equals every form of it ("5", "5.0"), any other value equals its own text. */
function equals(found: DimensionValue | undefined, value: string): boolean {
	if (typeof found === "number") return decimalPattern.test(value) && exact(found).eq(exact(value));
	return found !== undefined && String(found) === value;
}

/** Compares exact decimals; a side that is no number compares to nothing. */
function compare(found: DimensionValue | undefined, value: string, holds: (sign: number) => boolean): boolean {
	const isNumber = typeof found === "number" || (typeof found === "string" && decimalPattern.test(found));
	return isNumber && decimalPattern.test(value) && holds(exact(found).cmp(exact(value)));
}
