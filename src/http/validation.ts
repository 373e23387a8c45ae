import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { fail, shorten } from "../kernel/errors";
import { explainNumber } from "../kernel/number-schema";

/** Returns the validated value, or throws. The schema is compiled at the first use, because most servers use few routes. */
export function checker<Schema extends TSchema>(
	type: "body" | "params",
	schema: Schema,
): (value: unknown) => Static<Schema> {
	let compiled: TypeCheck<Schema> | undefined;
	return (value) => {
		compiled ??= TypeCompiler.Compile(schema);
		if (!compiled.Check(value))
			throw fail("BadUserInput", explain({ type, valueError: compiled.Errors(value).First() }));
		return compiled.Decode(value);
	};
}

/** Explains a validation error: the place, and the expected value. It does not repeat values, because they may be secrets. */
export function explain({ type, valueError }: { readonly type: string; readonly valueError?: unknown }): string {
	if (!valueError) return `${type}: is not valid.`;
	const { path, says } = closest(valueError as ValueError);
	return `${type}${shorten(path)}: ${says}.`;
}

interface Explanation {
	readonly path: string;
	readonly says: string;
}

/** Returns the union member that best matches the value: one with a matching discriminator, whose first error is deepest. */
function closest(error: ValueError): Explanation {
	// The iterators can be read only once.
	const alternatives = error.errors.map((alternative) => [...alternative]);
	const inner = alternatives
		.flatMap((found) => {
			const [first] = found;
			if (!first) return [];
			const fits = !found.some(({ path }) => path.endsWith("/type"));
			return [{ fits, explanation: closest(first) }];
		})
		.sort(
			(one, other) => Number(other.fits) - Number(one.fits) || depth(other.explanation) - depth(one.explanation),
		)[0];
	if (inner && inner.explanation.path.length > error.path.length) return inner.explanation;
	// For a nullable number, the error is about the number.
	const number = alternatives.flat().find(isWrongNumber);
	if (number) return { path: error.path, says: expectation(number) };
	// One kind of value can be meant, such as the text of a nullable date.
	const meant = alternatives.flatMap(([first]) => (first && isOfKind(first.schema, error.value) ? [first] : []));
	const [only] = meant;
	if (only && meant.length === 1 && only.path === error.path && typeof error.value !== "object")
		return { path: error.path, says: expectation(only) };
	return { path: error.path, says: expectation(error) };
}

const depth = ({ path }: Explanation): number => path.split("/").length;

const isWrongNumber = ({ schema, path, value }: ValueError): boolean =>
	path !== "" && typeof value === "number" && explainNumber(schema, value) !== undefined;

function expectation({ schema, message, value }: ValueError): string {
	const wrong = explainNumber(schema, value);
	if (wrong !== undefined) return wrong;
	const { expects, enum: choices, format } = schema as { expects?: string; enum?: unknown[]; format?: string };
	if (expects) return expects;
	if (format === "instant") return "must be an ISO 8601 date-time with a zone, such as 2026-01-31T00:00:00Z";
	if (format === "uuid") return "must be a UUID";
	if (choices && choices.length <= 40) return `must be one of ${choices.join(", ")}`;
	if (choices) return "is not one of the allowed values";
	const kinds = [...new Set(membersOf(schema).map(kindOf))];
	if (kinds.length > 0 && kinds.length <= kindsMax) return `must be ${kinds.join(", or ")}`;
	if (kinds.length > 0) return "has none of the allowed forms; the OpenAPI document lists them";
	return message.charAt(0).toLowerCase() + message.slice(1);
}

/** A longer list is no help. */
const kindsMax = 8;

/** The forms that a value can have; none for a schema with one form. A missing value is no form. */
const membersOf = ({ anyOf }: TSchema): TSchema[] =>
	((anyOf as TSchema[] | undefined) ?? []).filter(({ type }) => type !== "undefined");

const isOfKind = ({ type, const: only }: TSchema, value: unknown): boolean =>
	(type === typeof value && only === undefined) || (type === "integer" && typeof value === "number");

const kindNames: Readonly<Record<string, string>> = {
	string: "a text",
	number: "a number",
	integer: "a whole number",
	boolean: "true or false",
	array: "a list",
	null: "null",
};

/** Describes a form of a value, an object by the properties that it requires. */
function kindOf(schema: TSchema): string {
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	const members = membersOf(schema);
	if (members.length > 0) return members.map(kindOf).join(", or ");
	if (schema.type !== "object") return kindNames[String(schema.type)] ?? "a value of another form";
	const required = ((schema.required as string[] | undefined) ?? []).slice(0, 5).map((key) => `'${key}'`);
	return required.length === 0 ? "an object" : `an object with ${required.join(", ")}`;
}
