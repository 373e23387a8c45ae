import { Kind, Type, TypeRegistry } from "@sinclair/typebox";

/**
 * Schemas of query parameters, which check the text itself. The framework's coercing types do so too, but their errors lack the parameter's
 * name. `expects` is part of the error message (http/errors.ts).
 */
interface Expecting {
	readonly expects: string;
}

interface WholeNumber extends Expecting {
	readonly minimum: number;
	readonly maximum: number;
}

TypeRegistry.Set<WholeNumber>(
	"QueryInteger",
	({ minimum, maximum }, text) =>
		typeof text === "string" && /^-?\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
);

/** A whole number in the query, as text: read it with `Number`. OpenAPI shows an integer. */
export const queryInteger = (minimum: number, maximum: number) =>
	Type.Unsafe<string>({
		[Kind]: "QueryInteger",
		type: "integer",
		minimum,
		maximum,
		expects: `must be a whole number from ${minimum} to ${maximum}`,
	});

TypeRegistry.Set<Expecting>(
	"QueryNumber",
	(_, text) => typeof text === "string" && /^-?\d{1,15}(\.\d{1,15})?$/.test(text),
);

export const queryNumber = () =>
	Type.Unsafe<string>({ [Kind]: "QueryNumber", type: "number", expects: "must be a decimal number" });

interface Choice extends Expecting {
	readonly items: { readonly enum: readonly string[] };
}

/** The raw value of a list parameter: a text, or an array if the key is repeated. */
type ListText<Value extends string> = Value | readonly Value[];

/** Returns the values of a list parameter; undefined if it was not sent. */
export const queryValues = <Value extends string>(sent: ListText<Value> | undefined): Value[] | undefined =>
	sent === undefined ? undefined : ([sent].flat().flatMap((text) => text.split(",")) as Value[]);

TypeRegistry.Set<Choice>("QueryList", ({ items }, sent) =>
	(queryValues(sent as ListText<string>) ?? []).every((value) => items.enum.includes(value)),
);

/** A list of values, comma-separated or repeated (docs/interface/http.md); read it with `queryValues`. */
export const queryList = <const T extends readonly string[]>(...values: T) =>
	Type.Unsafe<ListText<T[number]>>({
		[Kind]: "QueryList",
		type: "array",
		items: { type: "string", enum: [...values] },
		style: "form",
		explode: false,
		expects: `must be a comma-separated list of ${values.join(", ")}`,
		elysiaMeta: "ArrayQuery",
	});

interface Texts extends Expecting {
	readonly maxItems: number;
	readonly items: { readonly maxLength: number };
}

TypeRegistry.Set<Texts>("QueryTexts", ({ maxItems, items }, sent) => {
	const values = queryValues(sent as ListText<string>) ?? [];
	return values.length <= maxItems && values.every((value) => value.length <= items.maxLength);
});

/** A list of free texts, comma-separated or repeated; read it with `queryValues`. */
export const queryTexts = (maxItems: number, maxLength: number) =>
	Type.Unsafe<ListText<string>>({
		[Kind]: "QueryTexts",
		type: "array",
		items: { type: "string", maxLength },
		maxItems,
		expects: `must be a comma-separated list of at most ${maxItems} texts of at most ${maxLength} characters`,
		elysiaMeta: "ArrayQuery",
	});
