import { Kind, type NumberOptions, TransformKind, Type, TypeRegistry } from "@sinclair/typebox";

/** A double preserves a decimal of so many significant digits. With more digits it may print others than were sent. */
const significantDigitsMax = 15;

const kind = "ExactNumber";

const plainNumber = /^-?\d{1,20}(\.\d{1,20})?$/;

const digitsOf = (value: number): number => value.toExponential().replace(/e.*$/, "").replace(/\D/g, "").length;

/** Returns the fault of a value; undefined for a valid one. */
function complaint(bounds: NumberOptions, value: unknown): string | undefined {
	if (typeof value !== "number" && typeof value !== "string") return "expected number";
	if (typeof value === "string" && !plainNumber.test(value))
		return 'expected a number, or a string of digits such as "12.5"';
	const number = Number(value);
	const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = bounds;
	if (!Number.isFinite(number)) return "expected number";
	if (typeof value === "string" ? significantIn(value) > significantDigitsMax : digitsOf(number) > significantDigitsMax)
		return `has more than ${significantDigitsMax} significant digits; send fewer digits; REST also takes a string such as "12.5"`;
	if (minimum !== undefined && number < minimum) return `expected number to be greater or equal to ${minimum}`;
	if (exclusiveMinimum !== undefined && number <= exclusiveMinimum)
		return `expected number to be greater than ${exclusiveMinimum}`;
	if (maximum !== undefined && number > maximum) return `expected number to be less or equal to ${maximum}`;
	if (exclusiveMaximum !== undefined && number >= exclusiveMaximum)
		return `expected number to be less than ${exclusiveMaximum}`;
	return undefined;
}

/** Removes leading and trailing zeros. */
const significantIn = (text: string): number => {
	const digits = text.replace("-", "");
	const trimmed = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits.replace(/0+$/, "");
	return trimmed.replace(".", "").replace(/^0+/, "").length;
};

TypeRegistry.Set(kind, (bounds: NumberOptions, value) => complaint(bounds, value) === undefined);

/** Explains why a schema of this kind rejects a value; undefined for another kind of schema. */
export const explainNumber = (schema: NumberOptions & { [Kind]?: unknown }, value: unknown): string | undefined =>
	schema[Kind] === kind ? complaint(schema, value) : undefined;

/**
 * A price, an amount, a rate or a quantity that is sold: a number of at most 15 significant digits, so that Tollgate stores and shows
 * the decimal that was sent. It may be a string, for callers whose JSON writes `1.1300000000000001` for 1.13.
 */
export const ExactNumber = (bounds: NumberOptions = {}) =>
	Type.Unsafe<number>({
		[Kind]: kind,
		[TransformKind]: { Decode: Number, Encode: (value: unknown) => value },
		...bounds,
		anyOf: [
			{ type: "number", ...bounds },
			{ type: "string", pattern: plainNumber.source },
		],
	});
