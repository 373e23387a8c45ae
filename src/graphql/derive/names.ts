import type { TSchema } from "@sinclair/typebox";

type Keyword = "type" | "input" | "enum";

/** The types that are derived from schemas. A schema from which two types are derived has no name of its own. */
export class TypeNames {
	readonly #names = { type: new Map<object, string | undefined>(), input: new Map<object, string | undefined>() };

	add(keyword: Keyword, schema: TSchema, name: string): void {
		const key = keyOf(schema);
		if (!key) return;
		for (const kind of keyword === "enum" ? (["type", "input"] as const) : [keyword]) {
			const names = this.#names[kind];
			names.set(key, names.has(key) && names.get(key) !== name ? undefined : name);
		}
	}

	of(keyword: Keyword, schema: TSchema): string | undefined {
		const key = keyOf(schema);
		return key && this.#names[keyword === "input" ? "input" : "type"].get(key);
	}
}

/** Optional and described copies of a schema share its values or its properties. */
const keyOf = (schema: TSchema): object | undefined => schema.enum ?? schema.properties;
