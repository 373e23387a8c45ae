import type { TSchema } from "@sinclair/typebox";

const variantsOf = (schema: TSchema | undefined): readonly TSchema[] => schema?.anyOf ?? [];

export const isNullable = (schema: TSchema | undefined): boolean =>
	schema?.type === "null" || variantsOf(schema).some(isNullable);

/** The schema without its null. */
export const plain = (schema: TSchema | undefined): TSchema | undefined =>
	variantsOf(schema).find(({ type }) => type !== "null") && !hasNumber(schema)
		? variantsOf(schema).find(({ type }) => type !== "null")
		: schema;

const hasNumber = (schema: TSchema | undefined): boolean => variantsOf(schema).some(({ type }) => type === "number");

/** Returns the schema of a value in a body, such as "address.city" or "taxIds.0.value". */
export const at = (schema: TSchema | undefined, name: string): TSchema | undefined =>
	name.split(".").reduce<TSchema | undefined>((within, part) => {
		const whole = plain(within);
		return whole?.type === "array" ? whole.items : whole?.properties?.[part];
	}, schema);

export function isRequired(schema: TSchema | undefined, name: string): boolean {
	const [last = name, ...parents] = name.split(".").reverse();
	const within = parents.length === 0 ? schema : plain(at(schema, parents.reverse().join(".")));
	return within?.required?.includes(last) === true && !isNullable(at(schema, name));
}

export type InputKind = "text" | "email" | "number" | "integer" | "checkbox" | "select" | "day" | "lines" | "rows";

/** Returns the kind of input for a value. */
export function inputKind(schema: TSchema): InputKind {
	const { type, enum: values, format, items, pattern } = plain(schema) ?? schema;
	if (type === "boolean") return "checkbox";
	if (type === "integer") return "integer";
	if (type === "number" || hasNumber(schema) || hasNumber(plain(schema))) return "number";
	if (type === "array") return items?.type === "object" ? "rows" : "lines";
	if (values) return "select";
	if (format === "instant") return "day";
	return pattern?.includes("@]+@") ? "email" : "text";
}

export const choicesOf = (schema: TSchema | undefined): readonly string[] => plain(schema)?.enum ?? [];
