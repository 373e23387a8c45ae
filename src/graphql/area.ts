import type { TSchema } from "@sinclair/typebox";
import type { GraphQLInputType } from "graphql";
import type { Scope } from "../areas/access/rules.actors";
import type { Actor, Work } from "../kernel/work";
import type { Services } from "../server/context";
import type { List, RelationField } from "./lists/list";
import type { OperationContext } from "./request/context";

/** Resolvers are synchronous: an operation is executed in one transaction. */
type Resolve<Source> = {
	resolve(source: Source, args: Readonly<Record<string, unknown>>, context: OperationContext): unknown;
}["resolve"];

export interface ObjectFields<Source = object> {
	/**
	 * The scope that a key needs for the fields of this type, on every path. `open` lists the fields that referring objects
	 * also show in REST (the id). They need no scope beyond that of the referring object.
	 */
	readonly scope?: Scope;
	readonly open?: readonly string[];
	/** An omitted field is read from the source under its own name. */
	readonly fields: Readonly<Record<string, Resolve<Source>>>;
}

/** A field of a root type. Its arguments and its type are stated here, and nowhere else. */
interface RootField {
	/** In the schema language, without the name: `(refId: String!): Product`. */
	readonly signature: string;
	readonly comment?: string | undefined;
}

export interface QueryField extends RootField {
	/** Undefined: every server key may query it. */
	readonly scope?: Scope;
	/** Its cost, if it is more than a statement (budget.ts). */
	readonly cost?: number;
	/** The schema has checked the arguments. They are still read one by one: GraphQL's types are no TypeScript types. */
	resolve(args: Readonly<Record<string, unknown>>, context: OperationContext, types: ArgumentTypes): unknown;
}

/** The types of a field's arguments, by their names. */
export type ArgumentTypes = Readonly<Record<string, GraphQLInputType>>;

export interface TransactionalMutation extends RootField {
	readonly scope: Scope;
	/** Runs in a transaction of its own (mutations.ts). An error rolls it back. Made by `operation`. */
	resolve(
		args: Readonly<Record<string, unknown>>,
		context: OperationContext,
		types: ArgumentTypes,
	): object | string | null;
}

/** A mutation outside the main file. It returns a scalar, or the source of an object, when the work is done. */
export interface AwaitedMutation extends RootField {
	readonly scope: Scope;
	perform(
		args: Readonly<Record<string, unknown>>,
		actor: Actor,
		services: Services,
	): Promise<string | boolean | object>;
}

export type MutationField = TransactionalMutation | AwaitedMutation;

/** Emits one event. The next event waits for a returned promise. */
export type Emit = (source: object) => Promise<void> | undefined;

/** A field that pushes events to subscribers (push/). */
export interface SubscriptionField extends RootField {
	readonly scope: Scope;
	/** Emits the sources of new events of the environment. Returns a function that stops. */
	follow(services: Services, environmentId: string, emit: Emit): () => void;
}

/** The part of the GraphQL schema that one area adds. */
export interface GraphqlArea {
	/** REST's schemas, by the names that `typeDefs` refers to. */
	readonly schemas?: Readonly<Record<string, TSchema>>;
	/** Schema language: the area's object and input types, most of them derived from these schemas (derive/). */
	readonly typeDefs?: string;
	readonly types?: Readonly<Record<string, ObjectFields>>;
	/** The type of each source of a union. Omitted where the sources have a `__typename`. */
	readonly unions?: Readonly<Record<string, (source: object) => string>>;
	readonly queries?: Readonly<Record<string, QueryField>>;
	readonly mutations?: Readonly<Record<string, MutationField>>;
	readonly subscriptions?: Readonly<Record<string, SubscriptionField>>;
	readonly lists?: readonly List[];
	/** Relations to its own lists, which it adds as filters to the lists of earlier areas, by their types. */
	readonly relations?: Readonly<Record<string, Readonly<Record<string, RelationField>>>>;
}

/** The fields of an object type with sources of type `Source`. The schema knows only the type's name. */
export const fieldsOf = <Source extends object>(given: ObjectFields<Source>): ObjectFields => given as ObjectFields;

/** A field that shows what its row refers to by a row id. */
export const referred =
	<Source extends object, Value>(
		keyOf: (source: Source) => string | null,
		load: (work: Work, keys: readonly string[]) => ReadonlyMap<string, Value>,
	) =>
	(source: Source, _: unknown, context: OperationContext): Value | undefined =>
		context.related(source, keyOf, load);

/** `thing(refId)`: one row by the caller's id. */
export const byRefIdQuery = (
	type: string,
	scope: Scope,
	comment: string | undefined,
	get: (work: Work, refId: string) => unknown,
): QueryField => ({
	...{ signature: `(refId: String!): ${type}`, comment, scope },
	resolve: (args, { work }) => get(work, textOf(args, "refId") ?? ""),
});

/** The types of a union with sources of type `Source`. */
export const unionOf = <Source extends object>(typeOf: (source: Source) => string): ((source: object) => string) =>
	typeOf as (source: object) => string;

type Values = Readonly<Record<string, unknown>>;

/** An input object among arguments or in another input. Empty when it is omitted or null. */
export function inputOf(args: Values, name: string): Values {
	const input = args[name];
	return typeof input === "object" && input !== null ? { ...input } : {};
}

/** A text of an input object. Undefined when it is omitted or null. The schema has checked its type. */
export function textOf(input: Values, name: string): string | undefined {
	const value = input[name];
	return typeof value === "string" ? value : undefined;
}
