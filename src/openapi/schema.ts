/** A JSON Schema, with the keywords that TypeBox writes. */
export interface Schema {
	readonly [keyword: string]: unknown;
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly format?: string;
	readonly anyOf?: readonly Schema[];
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: Schema | boolean;
	readonly patternProperties?: Readonly<Record<string, Schema>>;
	readonly description?: string;
}

/** Keywords that only Tollgate's validator reads. */
const internalKeywords = new Set(["$id", "expects", "elysiaMeta", "style", "explode", "patternProperties"]);

/**
 * The framework closes an object at the first call of its route. The document ignores that, or it would depend on earlier
 * calls.
 */
const isClosing = (keyword: string, value: unknown): boolean => keyword === "additionalProperties" && value === false;

/** Tollgate's formats by their standard names. */
const formats: Readonly<Record<string, string>> = { instant: "date-time", "positive duration": "duration" };

/** The inner schemas of a schema, with the suffix of their names. */
type Inner = (schema: Schema, suffix: string) => Schema;

export function withInner(schema: Schema, inner: Inner): Schema {
	const { properties, items, anyOf, additionalProperties } = schema;
	return {
		...schema,
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([key, each]) => [key, inner(each, suffixOf(key, each))]),
			),
		}),
		...(items && { items: inner(items, "") }),
		...(anyOf && { anyOf: anyOf.map((each, at) => inner(each, alternative(each, at, anyOf))) }),
		...(typeof additionalProperties === "object" && { additionalProperties: inner(additionalProperties, "Value") }),
	};
}

/** `pricingModels` is a list of `PricingModel`. */
const suffixOf = (key: string, { items }: Schema): string =>
	capitalised(items === undefined ? key : key.replace(/(?<!serie)s$/, ""));

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the suffix of an alternative: `Feature` for `type: "FEATURE"`, otherwise its number. A schema or null has no suffix. */
function alternative(schema: Schema, at: number, all: readonly Schema[]): string {
	const tag = schema.properties?.type?.enum?.[0];
	if (typeof tag === "string") return capitalised(tag.toLowerCase());
	return all.filter(({ type }) => type !== "null").length > 1 ? String(at + 1) : "";
}

const plainOnes = new WeakMap<Schema, Schema>();

/** JSON Schema without keywords of TypeBox and Tollgate. Schemas that the code shares are shared in the result. */
export function plain(schema: Schema): Schema {
	const known = plainOnes.get(schema) ?? made(schema);
	plainOnes.set(schema, known);
	return known;
}

function made(schema: Schema): Schema {
	const some = schema.anyOf?.filter(({ type }) => type !== "undefined") ?? [];
	// An optional body is a union with `undefined`, which is no JSON.
	if (some.length === 1 && some[0] !== undefined) return plain(some[0]);
	const { pattern, format, ...kept } = Object.fromEntries(
		Object.entries(schema).filter(([keyword, value]) => !internalKeywords.has(keyword) && !isClosing(keyword, value)),
	);
	const [texts] = Object.values(schema.patternProperties ?? {});
	return withInner(
		{
			...kept,
			...(texts && { additionalProperties: texts }),
			...(typeof format === "string" && { format: formats[format] ?? format }),
			// The values of an enumeration are enough.
			...(pattern !== undefined && schema.enum === undefined && { pattern }),
		},
		(inner) => plain(inner),
	);
}
