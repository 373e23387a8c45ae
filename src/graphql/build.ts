import {
	buildASTSchema,
	type GraphQLField,
	type GraphQLObjectType,
	type GraphQLSchema,
	getNamedType,
	isIntrospectionType,
	isLeafType,
	isNullableType,
	isObjectType,
	isScalarType,
	isUnionType,
	parse,
} from "graphql";
import { assert } from "../kernel/errors";
import type { ArgumentTypes, GraphqlArea, MutationField, ObjectFields, QueryField, SubscriptionField } from "./area";
import { definitionsOf } from "./definitions";
import { derive } from "./derive/types";
import { listTypesInParts } from "./introspection";
import { connect } from "./lists/connection";
import type { Lists } from "./lists/filter";
import type { List } from "./lists/list";
import { costs, smallerPages } from "./request/budget";
import type { OperationContext } from "./request/context";
import { Documents } from "./request/documents";
import { yieldToOthers } from "./request/event-loop";
import { addAbsentField } from "./request/unknown-fields";
import { attachScalars } from "./scalars";

export interface Schemas {
	readonly schema: GraphQLSchema;
	/** The parsed texts of operations. */
	readonly documents: Documents;
	/** The fields of the mutation root by their names. */
	readonly mutations: ReadonlyMap<string, MutationField>;
	/** The fields of the subscription root by their names. */
	readonly subscriptions: ReadonlyMap<string, SubscriptionField>;
}

/** All definitions of the areas in the schema language. A test validates them; at run time that would take too long. */
export const definitionsOfAreas = (areas: readonly GraphqlArea[]): string =>
	definitionsOf([...derive(areas), ...areas.flatMap(rootsOfArea)], listsOf(areas));

const rootsOfArea = ({ queries, mutations, subscriptions }: GraphqlArea): string[] => [
	rootDefs("Query", queries),
	rootDefs("Mutation", mutations),
	rootDefs("Subscription", subscriptions),
];

function rootDefs(root: string, fields: GraphqlArea["queries" | "mutations" | "subscriptions"] = {}): string {
	const definitions = Object.entries(fields).map(([name, { comment, signature }]) =>
		comment === undefined ? `${name}${signature}` : `${JSON.stringify(comment)} ${name}${signature}`,
	);
	return definitions.length === 0 ? "" : `extend type ${root} { ${definitions.join("\n")} }`;
}

/** Builds the schema in parts, between which the event loop serves other requests. */
export async function buildAreas(areas: readonly GraphqlArea[]): Promise<Schemas> {
	listTypesInParts();
	const definitions = definitionsOfAreas(areas);
	await yieldToOthers();
	const document = parse(definitions, { noLocation: true });
	await yieldToOthers();
	const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
	await yieldToOthers();
	attach(schema, areas, listsOf(areas));
	await yieldToOthers();
	const mutations = new Map(areas.flatMap((area) => Object.entries(area.mutations ?? {})));
	const subscriptions = new Map(areas.flatMap((area) => Object.entries(area.subscriptions ?? {})));
	return { schema, documents: new Documents(schema), mutations, subscriptions };
}

/** All lists, with the relations that other areas add. */
function listsOf(areas: readonly GraphqlArea[]): List[] {
	const lists = areas.flatMap((area) => area.lists ?? []);
	const added = areas.flatMap(({ relations = {} }) => Object.entries(relations));
	for (const [type] of added)
		assert(
			lists.some((list) => list.type === type),
			`there is a list of ${type}`,
		);
	return lists.map((list) => {
		const relations = added.filter(([type]) => type === list.type).flatMap(([, fields]) => Object.entries(fields));
		return { ...list, fields: { ...list.fields, ...Object.fromEntries(relations) } };
	});
}

function attach(schema: GraphQLSchema, areas: readonly GraphqlArea[], lists: readonly List[]): void {
	attachScalars(schema);
	attachAbsentFields(schema);
	for (const [name, fields] of fieldsByType(areas)) attachObject(objectOf(schema, name), fields);
	for (const { unions, queries, mutations, subscriptions } of areas) {
		for (const [name, typeOf] of Object.entries(unions ?? {})) attachUnion(schema, name, typeOf);
		for (const [name, query] of Object.entries(queries ?? {})) attachQuery(objectOf(schema, "Query"), name, query);
		for (const [name, mutation] of Object.entries(mutations ?? {}))
			attachMutation(objectOf(schema, "Mutation"), name, mutation);
		for (const [name, field] of Object.entries(subscriptions ?? {}))
			attachSubscription(objectOf(schema, "Subscription"), name, field);
	}
	attachLists(objectOf(schema, "Query"), lists);
}

/** The fields of the roots stay strict. */
function attachAbsentFields(schema: GraphQLSchema): void {
	const json = schema.getType("JSON");
	assert(isScalarType(json), "the schema has a scalar JSON");
	const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
	for (const type of Object.values(schema.getTypeMap()))
		if (isObjectType(type) && !isIntrospectionType(type) && !roots.includes(type)) addAbsentField(type, json);
}

/** An area can add fields to another area's type (`extend type`). They need the scope of that type. */
function fieldsByType(areas: readonly GraphqlArea[]): ReadonlyMap<string, ObjectFields> {
	const types = new Map<string, ObjectFields>();
	for (const [name, added] of areas.flatMap((area) => Object.entries(area.types ?? {}))) {
		const known = types.get(name);
		const open = [...(known?.open ?? []), ...(added.open ?? [])];
		types.set(name, { ...known, ...added, open, fields: { ...known?.fields, ...added.fields } });
	}
	return types;
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

/**
 * The scope of a type guards all its fields, also those without a resolver of their own. A bare amount of money is in the
 * currency of its object.
 */
function attachObject(type: GraphQLObjectType, { scope, open = [], fields }: ObjectFields): void {
	for (const name of [...Object.keys(fields), ...open]) fieldOf(type, name);
	for (const [name, field] of Object.entries(type.getFields())) {
		const resolve = fields[name] ?? ((source: object) => Reflect.get(source, propertyOf(source, name)));
		const needs = open.includes(name) ? undefined : scope;
		const type = getNamedType(field.type);
		const [isLeaf, isMoney] = [isLeafType(type), type.name === "Money"];
		field.resolve = (source: object, args, context: OperationContext) => {
			if (!context.mayAnswer()) return null;
			if (needs) context.assertMay(needs);
			const value = resolve(source, args, context);
			if (isMoney && isBare(value)) return { amount: value, currency: Reflect.get(source, "currency") };
			return !isLeaf || context.mayAnswerText(value) ? value : null;
		};
	}
}

const isBare = (amount: unknown): boolean => typeof amount === "string" || typeof amount === "number";

/** In rows and views `additionalMetaData` has REST's name. */
const propertyOf = (source: object, name: string): string =>
	name === "additionalMetaData" && !(name in source) ? "metadata" : name;

function attachUnion(schema: GraphQLSchema, name: string, typeOf: (source: object) => string): void {
	const type = schema.getType(name);
	assert(isUnionType(type), `the schema has a union ${name}`);
	type.resolveType = typeOf;
}

function attachQuery(query: GraphQLObjectType, name: string, field: Omit<QueryField, "signature">): void {
	const { scope, cost = costs.statement, resolve } = field;
	const attached = fieldOf(query, name);
	const types = argumentTypesOf(attached);
	attached.resolve = (_: unknown, args, context: OperationContext) => {
		if (!context.mayAnswer()) return null;
		if (scope) context.assertMay(scope);
		context.spend(cost, smallerPages);
		return resolve(args, context, types);
	};
}

const argumentTypesOf = ({ args }: GraphQLField<unknown, OperationContext>): ArgumentTypes =>
	Object.fromEntries(args.map(({ name, type }) => [name, type]));

/** A mutation is executed alone, in its own transaction (mutations.ts). */
function attachMutation(root: GraphQLObjectType, name: string, mutation: MutationField): void {
	const field = fieldOf(root, name);
	assert(isNullableType(field.type), `${name} is nullable, so its refusal does not affect other fields`);
	if (!("resolve" in mutation)) return;
	const types = argumentTypesOf(field);
	field.resolve = (_: unknown, args, context: OperationContext) => {
		const answer = mutation.resolve(args, context, types);
		return Array.isArray(answer) && answer.every((item) => typeof item === "object")
			? context.together(answer)
			: answer;
	};
}

/** The root value is the event. Each event is executed by itself (push/). */
function attachSubscription(root: GraphQLObjectType, name: string, { scope }: SubscriptionField): void {
	fieldOf(root, name).resolve = (event: unknown, _, context: OperationContext) => {
		if (!context.mayAnswer()) return null;
		context.assertMay(scope);
		return event;
	};
}

function attachLists(query: GraphQLObjectType, given: readonly List[]): void {
	const lists: Lists = new Map(given.map((list) => [list.type, list]));
	for (const list of given) {
		const { scope, field, everyField, shown: _, ...every } = list;
		if (field !== undefined)
			attachQuery(query, field, { scope, resolve: (args, context) => connect(context, lists, list, args) });
		if (everyField !== undefined)
			attachQuery(query, everyField, {
				scope,
				resolve: (args, context) => connect(context, lists, { ...every, scope }, args),
			});
	}
}
