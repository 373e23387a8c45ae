import { OptionalKind, type TSchema } from "@sinclair/typebox";
import { assert } from "../../kernel/errors";
import { TypeNames } from "./names";
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

/** The types of an area, and REST's schemas by the names that the text refers to. */
interface Derived {
	readonly schemas?: Readonly<Record<string, TSchema>>;
	readonly typeDefs?: string;
}

/**
 * Schema language with types that are derived from REST's schemas:
 *
 *     type Name from Schema { fields }      an object type, with these fields (notation.ts); without braces: all of them
 *     input Name from Schema.path { … }     an input type; a property that may be left out or null is nullable
 *     enum Name from Schema                 the values of a schema
 *
 * `Schema.path` is the schema of a property, or of its items. A property of a schema from which one type is derived has this
 * type (names.ts). Everything else is left as it is.
 */
export function derive(all: readonly Derived[]): string[] {
	const texts = all.map(partsOf);
	const names = new TypeNames();
	for (const part of texts.flat()) if (typeof part !== "string") addNames(names, part);
	return texts.map((parts) => parts.map((part) => (typeof part === "string" ? part : sdlOf(part, names))).join(""));
}

interface DerivedType {
	readonly keyword: "type" | "input" | "enum";
	readonly name: string;
	readonly comment: string | undefined;
	readonly schema: TSchema;
	readonly fields: readonly FieldNotation[];
}

const definition = /(?:("[^"]*")\s+)?\b(type|input|enum) (\w+) from ([\w.]+)( \{)?/g;

/** The derived types of a text, and the texts between them. */
function partsOf({ schemas = {}, typeDefs: text = "" }: Derived): (string | DerivedType)[] {
	const parts: (string | DerivedType)[] = [];
	let at = 0;
	for (const found of text.matchAll(definition)) {
		if (found.index < at) continue;
		const [whole, comment, keyword, name = "", path = "", brace] = found;
		const start = found.index + whole.length;
		const end = brace ? closingBrace(text, start) : start;
		const fields = readNotation(brace ? text.slice(start, end) : "*");
		parts.push(text.slice(at, found.index), {
			...{ keyword: keyword as DerivedType["keyword"], name, comment },
			...{ schema: schemaAt(schemas, path), fields },
		});
		at = brace ? end + 1 : end;
	}
	return [...parts, text.slice(at)];
}

/** The types of fields whose types are derived with their object. */
const nestedIn = ({ keyword, schema, fields }: DerivedType): DerivedType[] =>
	fields.flatMap(({ name, named, nested }) => {
		const property = propertyOf(schema, name);
		if (!nested || named === undefined || !property) return [];
		return { keyword, name: named, schema: itemOf(property).schema, ...nested };
	});

function addNames(names: TypeNames, type: DerivedType): void {
	names.add(type.keyword, type.schema, type.name);
	for (const inner of nestedIn(type)) addNames(names, inner);
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
function schemaAt(schemas: NonNullable<Derived["schemas"]>, path: string): TSchema {
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

function sdlOf(type: DerivedType, names: TypeNames): string {
	const { keyword, name, comment = "", schema, fields } = type;
	if (keyword === "enum") return `${comment} enum ${name} { ${valuesOf(schema).join(" ")} }`;
	const named = new Set(fields.flatMap((field) => [field.name, restNames[field.name] ?? field.name]));
	const others = Object.keys(propertiesOf(schema))
		.filter((property) => !named.has(property))
		.map((property) => fieldNamed(graphqlNameOf(keyword, property)));
	const lines = fields
		.flatMap((field) => (field.name === "*" ? others : field))
		.map((field) => {
			const initial = field.initial === undefined ? "" : ` = ${field.initial}`;
			return `${field.comment ?? ""} ${field.name}: ${field.type ?? fieldTypeOf(type, field, names)}${initial}`;
		});
	const nested = nestedIn(type).map((inner) => sdlOf(inner, names));
	return [...nested, `${comment} ${keyword} ${name} {\n${lines.join("\n")}\n}`].join("\n");
}

/** In an object `id` is the row's id; an input knows the caller's id only. */
function graphqlNameOf(keyword: DerivedType["keyword"], property: string): string {
	if (property === "metadata") return "additionalMetaData";
	return property === "id" && keyword === "input" ? "refId" : property;
}

const fieldNamed = (name: string): FieldNotation => ({
	...{ name, comment: undefined, type: undefined, named: undefined, isRequired: undefined },
	...{ nested: undefined, initial: undefined },
});

function fieldTypeOf(
	{ keyword, name: type, schema: outer }: DerivedType,
	{ name, named, isRequired }: FieldNotation,
	names: TypeNames,
): string {
	const known = (keyword === "input" ? knownInputs : knownFields)[name];
	const property = propertyOf(outer, name);
	const isKnown = !property || alwaysKnown.has(name);
	if (known !== undefined && isKnown && named === undefined && isRequired === undefined) return known;
	assert(property, `the schema of ${type} has a property ${name}`);
	const { schema, isList, isNullable } = itemOf(property);
	const of = named ?? names.of(keyword, schema) ?? scalarOf(keyword, name, schema);
	return `${isList ? `[${of}!]` : of}${(isRequired ?? !isNullable) ? "!" : ""}`;
}

const propertyOf = (schema: TSchema, name: string): TSchema | undefined => {
	const properties = propertiesOf(schema);
	return properties[name] ?? properties[restNames[name] ?? ""];
};

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

function scalarOf(keyword: DerivedType["keyword"], name: string, schema: TSchema): string {
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
