import { assertValidSchema, buildSchema, type GraphQLObjectType, type GraphQLSchema, isObjectType } from "graphql";
import { assert } from "../kernel/errors";
import type { GraphqlArea, ObjectFields, QueryField } from "./area";
import type { Asking } from "./asking";
import { connect } from "./connection";
import { definitionsOf } from "./definitions";
import type { Lists } from "./filter";
import { absentField } from "./lenient";
import type { List } from "./list";
import { attachScalars } from "./scalars";

export interface Schemas {
	/** What callers see, and what their operations are held against. */
	readonly shown: GraphQLSchema;
	/** The same, with `_absent` on every object: for operations that ask for more than there is (lenient.ts). */
	readonly lenient: GraphQLSchema;
}

/** Merges what the areas add. A name that one of them misspells stops the start, not a request. */
export function buildAreas(areas: readonly GraphqlArea[]): Schemas {
	const lists = areas.flatMap((area) => area.lists ?? []);
	const definitions = definitionsOf(
		areas.map(({ typeDefs }) => typeDefs),
		lists,
	);
	const shown = buildSchema(definitions);
	assertValidSchema(shown);
	const objects = Object.values(shown.getTypeMap()).filter(
		(type) => isObjectType(type) && !type.name.startsWith("__") && type !== shown.getQueryType(),
	);
	const absences = objects.map(({ name }) => `extend type ${name} { ${absentField}: JSON }`);
	const lenient = buildSchema([definitions, ...absences].join("\n"));
	for (const schema of [shown, lenient]) attach(schema, areas, lists);
	return { shown, lenient };
}

function attach(schema: GraphQLSchema, areas: readonly GraphqlArea[], lists: readonly List[]): void {
	attachScalars(schema);
	for (const { types, queries } of areas) {
		for (const [name, fields] of Object.entries(types ?? {})) attachObject(objectOf(schema, name), fields);
		for (const [name, query] of Object.entries(queries ?? {})) attachQuery(objectOf(schema, "Query"), name, query);
	}
	attachLists(objectOf(schema, "Query"), lists);
}

function objectOf(schema: GraphQLSchema, name: string): GraphQLObjectType {
	const type = schema.getType(name);
	assert(isObjectType(type), `the schema has an object type ${name}`);
	return type;
}

function fieldOf(type: GraphQLObjectType, name: string) {
	const field = type.getFields()[name];
	assert(field, `${type.name} has a field ${name}`);
	return field;
}

/** A type's scope guards its fields, also those that are read from the source under their own name. */
function attachObject(type: GraphQLObjectType, { scope, open = [], fields }: ObjectFields): void {
	for (const name of [...Object.keys(fields), ...open]) fieldOf(type, name);
	for (const [name, field] of Object.entries(type.getFields())) {
		const resolve = fields[name] ?? ((source: object) => Reflect.get(source, name));
		const needs = open.includes(name) || name === absentField ? undefined : scope;
		field.resolve = (source: object, args, asking: Asking) => {
			if (needs) asking.assertMay(needs);
			return resolve(source, args, asking);
		};
	}
}

function attachQuery(query: GraphQLObjectType, name: string, { scope, resolve }: QueryField): void {
	fieldOf(query, name).resolve = (_: unknown, args, asking: Asking) => {
		if (scope) asking.assertMay(scope);
		return resolve(args, asking);
	};
}

function attachLists(query: GraphQLObjectType, given: readonly List[]): void {
	const lists: Lists = new Map(given.map((list) => [list.type, list]));
	for (const list of given)
		if (list.field !== undefined)
			attachQuery(query, list.field, {
				scope: list.scope,
				resolve: (args, asking) => connect(asking, lists, list, args),
			});
}
