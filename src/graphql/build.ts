import { assertValidSchema, buildSchema, type GraphQLObjectType, type GraphQLSchema, isObjectType } from "graphql";
import { assert } from "../kernel/errors";
import type { GraphqlArea, ObjectFields, QueryField } from "./area";
import type { Asking } from "./asking";
import { connect } from "./connection";
import { definitionsOf } from "./definitions";
import type { Lists } from "./filter";
import type { List } from "./list";
import { attachScalars } from "./scalars";

/** Merges what the areas add. A name that one of them misspells stops the start, not a request. */
export function buildAreas(areas: readonly GraphqlArea[]): GraphQLSchema {
	const lists = areas.flatMap((area) => area.lists ?? []);
	const schema = buildSchema(
		definitionsOf(
			areas.map(({ typeDefs }) => typeDefs),
			lists,
		),
	);
	assertValidSchema(schema);
	attachScalars(schema);
	for (const { types, queries } of areas) {
		for (const [name, fields] of Object.entries(types ?? {})) attachObject(objectOf(schema, name), fields);
		for (const [name, query] of Object.entries(queries ?? {})) attachQuery(objectOf(schema, "Query"), name, query);
	}
	attachLists(objectOf(schema, "Query"), lists);
	return schema;
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
		const needs = open.includes(name) ? undefined : scope;
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
