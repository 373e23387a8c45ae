import type { GraphQLInputType } from "graphql";
import type { Scope } from "../areas/access/rules.actors";
import type { Actor, Work } from "../kernel/work";
import type { Services } from "../server/context";
import type { List, RelationField } from "./lists/list";
import type { OperationContext } from "./request/context";

/** Nothing is asynchronous here: an operation is answered inside one transaction. */
type Resolve<Source> = {
	resolve(source: Source, args: Readonly<Record<string, unknown>>, context: OperationContext): unknown;
}["resolve"];

export interface ObjectFields<Source = object> {
	/**
	 * What a key must be allowed to see the fields of this type, on whatever way they are reached. `open` names the fields
	 * that every referring object shows in REST as well (its id): they need nothing more than the referring object did.
	 */
	readonly scope?: Scope;
	readonly open?: readonly string[];
	/** Fields that are left out are read from the source under their own name. */
	readonly fields: Readonly<Record<string, Resolve<Source>>>;
}

/** A field of a root type. Its arguments and its type are stated here, and nowhere else. */
interface RootField {
	/** In the schema language, without the name: `(refId: String!): Product`. */
	readonly signature: string;
	readonly comment?: string | undefined;
}

export interface QueryField extends RootField {
	/** Undefined: any server key may ask. */
	readonly scope?: Scope;
	/** What it takes of the request's budget, where that is more than a statement (budget.ts). */
	readonly cost?: number;
	/** Arguments have passed the schema; they are still read one by one, since GraphQL's types end at run time. */
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

/** What is done elsewhere than in the main file: it answers a scalar, or the source of an object, once that is done. */
export interface AwaitedMutation extends RootField {
	readonly scope: Scope;
	perform(
		args: Readonly<Record<string, unknown>>,
		actor: Actor,
		services: Services,
	): Promise<string | boolean | object>;
}

export type MutationField = TransactionalMutation | AwaitedMutation;

/** Tells one event; a promise is waited for before the next is looked for. */
export type Tell = (source: object) => Promise<void> | undefined;

/** What is pushed to whoever subscribes (push/). */
export interface SubscriptionField extends RootField {
	readonly scope: Scope;
	/** Tells the sources of its answers from now on, of all in the environment; answers what ends that. */
	follow(services: Services, environmentId: string, tell: Tell): () => void;
}

/** What one area adds to the GraphQL schema. */
export interface GraphqlArea {
	/** Schema language: the area's object and input types, most of them derived from REST's schemas (derive/). */
	readonly typeDefs?: string;
	readonly types?: Readonly<Record<string, ObjectFields>>;
	/** Of a union, the type of each source; left out where the sources say so themselves, as `__typename`. */
	readonly unions?: Readonly<Record<string, (source: object) => string>>;
	readonly queries?: Readonly<Record<string, QueryField>>;
	readonly mutations?: Readonly<Record<string, MutationField>>;
	readonly subscriptions?: Readonly<Record<string, SubscriptionField>>;
	readonly lists?: readonly List[];
	/** Filters that it adds to the lists of areas before it, by their types: relations to its own. */
	readonly relations?: Readonly<Record<string, Readonly<Record<string, RelationField>>>>;
}

/** The fields of an object type whose source is `Source`; the schema knows the source only by the type's name. */
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

/** The types of a union whose sources are `Source`. */
export const unionOf = <Source extends object>(typeOf: (source: Source) => string): ((source: object) => string) =>
	typeOf as (source: object) => string;

type Values = Readonly<Record<string, unknown>>;

/** An input object among arguments, or inside another one; empty when it is left out or null. */
export function inputOf(args: Values, name: string): Values {
	const input = args[name];
	return typeof input === "object" && input !== null ? { ...input } : {};
}

/** A text of an input object; undefined when it is left out or null. The schema has checked its type. */
export function textOf(input: Values, name: string): string | undefined {
	const value = input[name];
	return typeof value === "string" ? value : undefined;
}
