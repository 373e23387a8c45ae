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

/** What only our own validator reads. */
const internalKeywords = new Set(["$id", "expects", "elysiaMeta", "style", "explode", "patternProperties"]);

/**
 * The framework closes each object at the first call of a route that has it, so that it would depend on what was called before
 * whether the document says so.
 */
const isClosing = (keyword: string, value: unknown): boolean => keyword === "additionalProperties" && value === false;

/** Our own formats by the names that the world knows. */
const formats: Readonly<Record<string, string>> = { instant: "date-time", "positive duration": "duration" };

/** The schema that stands inside another, at each place, with the suffix by which it is named there. */
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

/** `Feature` of `type: "FEATURE"`; nothing for the only one alongside null; else its number. */
function alternative(schema: Schema, at: number, all: readonly Schema[]): string {
	const tag = schema.properties?.type?.enum?.[0];
	if (typeof tag === "string") return capitalised(tag.toLowerCase());
	return all.filter(({ type }) => type !== "null").length > 1 ? String(at + 1) : "";
}

const plainOnes = new WeakMap<Schema, Schema>();

/** JSON Schema without what is TypeBox's or ours alone. The code shares schemas, and so does what is made of them. */
export function plain(schema: Schema): Schema {
	const known = plainOnes.get(schema) ?? made(schema);
	plainOnes.set(schema, known);
	return known;
}

function made(schema: Schema): Schema {
	const some = schema.anyOf?.filter(({ type }) => type !== "undefined") ?? [];
	// A body that may be left out is a union with `undefined`, which is no JSON.
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
			// The values of an enumeration say it already.
			...(pattern !== undefined && schema.enum === undefined && { pattern }),
		},
		(inner) => plain(inner),
	);
}
