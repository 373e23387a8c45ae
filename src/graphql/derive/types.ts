import { OptionalKind, type TSchema } from "@sinclair/typebox";
import { assert } from "../../kernel/errors";
import { type FieldNotation, readNotation } from "./notation";

/** Names of GraphQL → those of REST (docs/interface/graphql.md). */
export const restNames: Readonly<Record<string, string>> = { refId: "id", additionalMetaData: "metadata" };

/** Fields that mean the same in every object. They need no property of the schema. */
const knownFields: Readonly<Record<string, string>> = {
	id: "ID!",
	refId: "String!",
	additionalMetaData: "JSON",
	environmentId: "String!",
	createdAt: "DateTime!",
	updatedAt: "DateTime!",
};

/** The same of inputs. */
const knownInputs: Readonly<Record<string, string>> = {
	refId: "String!",
	customerId: "String!",
	additionalMetaData: "JSON",
	environmentId: "String",
};

/** They are JSON, whatever the schema says of their keys; a row id is an ID. */
const alwaysKnown: ReadonlySet<string> = new Set(["additionalMetaData", "id"]);

/** REST's answers hold instants as text: their names tell them. */
const isNameOfInstant = (name: string): boolean =>
	/(^timestamp|Date|At|Until|Since|period(Start|End)|Period(Start|End))$/.test(name);

/** Schemas by the names that a text refers to. */
type Schemas = Readonly<Record<string, TSchema>>;

/**
 * Schema language with types that are derived from REST's schemas:
 *
 *     type Name from Schema { fields }      an object type, with these fields (notation.ts); without braces: all of them
 *     input Name from Schema.path { … }     an input type; a property that may be left out or null is nullable
 *     enum Name from Schema                 the values of a schema
 *
 * `Schema.path` is the schema of a property, or of its items. Everything else is left as it is.
 */
export function derive(schemas: Schemas, text: string): string {
	let [derived, at] = ["", 0];
	for (const found of text.matchAll(definition)) {
		if (found.index < at) continue;
		const [whole, comment, keyword = "", name = "", path = "", brace] = found;
		const start = found.index + whole.length;
		const end = brace ? closingBrace(text, start) : start;
		derived += text.slice(at, found.index);
		derived += definitionOf(keyword, name, comment, schemaAt(schemas, path), brace ? text.slice(start, end) : "*");
		at = brace ? end + 1 : end;
	}
	return derived + text.slice(at);
}

const definition = /(?:("[^"]*")\s+)?\b(type|input|enum) (\w+) from ([\w.]+)( \{)?/g;

function definitionOf(
	keyword: string,
	name: string,
	comment: string | undefined,
	schema: TSchema,
	fields: string,
): string {
	if (keyword === "enum") return `${comment ?? ""} enum ${name} { ${valuesOf(schema).join(" ")} }`;
	const kind = keyword === "type" ? keyword : "input";
	return typeOf({ keyword: kind, name, comment, schema, fields: readNotation(fields) });
}

/** Where the brace is closed that was opened before `at`. Comments may hold braces of their own. */
function closingBrace(text: string, at: number): number {
	let depth = 1;
	for (const { 0: token, index } of text.slice(at).matchAll(/"[^"]*"|[{}]/g)) {
		if (token === "{") depth += 1;
		if (token === "}") depth -= 1;
		if (depth === 0) return at + index;
	}
	throw new Error("Assertion failed: a derived type ends with a brace");
}

/** The schema of `Name.property.property`. */
function schemaAt(schemas: Schemas, path: string): TSchema {
	const [name = "", ...names] = path.split(".");
	const schema = schemas[name];
	assert(schema, `a schema ${name} was given`);
	return names.reduce((outer, property) => {
		const inner = propertiesOf(outer)[property];
		assert(inner, `the schema has a property ${property}`);
		return itemOf(inner).schema;
	}, schema);
}

/** The page of a list whose field of the root an area declares by itself. `hasCount`: with `totalCount`. */
export const connectionTypes = (type: string, hasCount: boolean): string => `
	type ${type}Edge { node: ${type}! cursor: ConnectionCursor! }
	type ${type}Connection { edges: [${type}Edge!]! pageInfo: PageInfo! ${hasCount ? "totalCount: Int!" : ""} }`;

function valuesOf(schema: TSchema): readonly string[] {
	const values: unknown = schema.enum;
	assert(Array.isArray(values), "an enum has values");
	return values;
}

interface TypeToDerive {
	readonly keyword: "type" | "input";
	readonly name: string;
	readonly comment: string | undefined;
	readonly schema: TSchema;
	readonly fields: readonly FieldNotation[];
}

function typeOf({ keyword, name, comment, schema, fields }: TypeToDerive): string {
	const properties = propertiesOf(schema);
	const named = new Set(fields.flatMap((field) => [field.name, restNames[field.name] ?? field.name]));
	const others = Object.keys(properties)
		.filter((property) => !named.has(property))
		.map((property) => graphqlNameOf(keyword, property));
	const nested: string[] = [];
	const lines = fields
		.flatMap((field) => (field.name === "*" ? others.map(fieldNamed) : field))
		.map((field) => {
			const property = properties[field.name] ?? properties[restNames[field.name] ?? ""];
			const own = field.nested && field.named !== undefined && property;
			if (own) nested.push(typeOf({ keyword, name: field.named, schema: itemOf(own).schema, ...field.nested }));
			const initial = field.initial === undefined ? "" : ` = ${field.initial}`;
			return `${field.comment ?? ""} ${field.name}: ${field.type ?? fieldTypeOf(keyword, field, property, name)}${initial}`;
		});
	return [...nested, `${comment ?? ""} ${keyword} ${name} {\n${lines.join("\n")}\n}`].join("\n");
}

/** In an object `id` is the row's id; an input knows the caller's id only. */
function graphqlNameOf(keyword: TypeToDerive["keyword"], property: string): string {
	if (property === "metadata") return "additionalMetaData";
	return property === "id" && keyword === "input" ? "refId" : property;
}

const fieldNamed = (name: string): FieldNotation => ({
	...{ name, comment: undefined, type: undefined, named: undefined, isRequired: undefined },
	...{ nested: undefined, initial: undefined },
});

function fieldTypeOf(
	keyword: TypeToDerive["keyword"],
	{ name, named, isRequired }: FieldNotation,
	property: TSchema | undefined,
	type: string,
): string {
	const known = (keyword === "input" ? knownInputs : knownFields)[name];
	const isKnown = !property || alwaysKnown.has(name);
	if (known !== undefined && isKnown && named === undefined && isRequired === undefined) return known;
	assert(property, `the schema of ${type} has a property ${name}`);
	const { schema, isList, isNullable } = itemOf(property);
	const of = named ?? scalarOf(keyword, name, schema);
	return `${isList ? `[${of}!]` : of}${(isRequired ?? !isNullable) ? "!" : ""}`;
}

/** The schema of a value, or of each of a list's; null and lists put aside. */
function itemOf(property: TSchema): {
	readonly schema: TSchema;
	readonly isList: boolean;
	readonly isNullable: boolean;
} {
	const isOptional = OptionalKind in property;
	const { anyOf } = property as { readonly anyOf?: readonly TSchema[] };
	if (anyOf) {
		const [value, ...others] = anyOf.filter(({ type }) => type !== "null");
		assert(value, "a union has a member that is not null");
		// A number that REST also takes as digits is a Float.
		const inner = itemOf(others.find(({ type }) => type === "number") ?? value);
		return { ...inner, isNullable: isOptional || inner.isNullable || others.length + 1 < anyOf.length };
	}
	if (property.type !== "array") return { schema: property, isList: false, isNullable: isOptional };
	return { schema: itemOf(property.items as TSchema).schema, isList: true, isNullable: isOptional };
}

function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> {
	const { properties } = itemOf(schema).schema as { readonly properties?: Readonly<Record<string, TSchema>> };
	return properties ?? {};
}

function scalarOf(keyword: TypeToDerive["keyword"], name: string, schema: TSchema): string {
	switch (schema.type) {
		case "boolean":
			return "Boolean";
		case "integer":
			return "Int";
		case "number":
			return "Float";
		case "string":
			if (name === "currency") return "Currency";
			return keyword === "type" && isNameOfInstant(name) ? "DateTime" : "String";
		default:
			return isMoney(schema) ? (keyword === "type" ? "Money" : "MoneyInput") : "JSON";
	}
}

const isMoney = ({ properties }: TSchema): boolean => Object.keys(properties ?? {}).join() === "amount,currency";
