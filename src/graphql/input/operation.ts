import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type GraphQLInputType, getNullableType, isInputObjectType, isListType } from "graphql";
import type { Scope } from "../../areas/access/rules.actors";
import type { LimitedRoute } from "../../http/limits/limits";
import { checker } from "../../http/validation";
import { type Instant, toIso } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { RefId } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Outgoing } from "../../server/context";
import { inputOf, type TransactionalMutation } from "../area";
import { restMeterTypes } from "./value-formats";

/** The body of REST routes without a body: the path has all parameters. */
export const NoBody = Type.Object({}, { additionalProperties: false });

/** The path of most routes: `/things/{id}`. */
export const byRefId = { refId: "id" } as const;

export interface Operation<Body extends TSchema, Parameter extends string> {
	readonly scope: Scope;
	/** The limited REST route with which the mutation shares its counter. A mutation for two routes selects it by the input. */
	readonly limitedBy?: LimitedRoute | ((input: Input) => LimitedRoute);
	/** The first argument of the signature is the input. */
	readonly signature: string;
	readonly comment?: string | undefined;
	/** The members of the input that are parameters of the REST path → their names there. */
	readonly path?: Readonly<Record<string, Parameter>>;
	/** The schemas of these parameters; RefId by default. */
	readonly params?: Readonly<Record<Parameter, TSchema>>;
	/** Null means omitted, for routes that accept no null. */
	readonly dropsNulls?: boolean;
	/** Maps an input whose members differ from the route's. Names are still GraphQL's; instants are text. */
	readonly read?: (input: Input, work: Work) => Input;
	/** The schema of the REST body: all other members of the input. */
	readonly body: Body;
	/** The key of the body under which the input is a part. */
	readonly under?: string;
	/** Returns the source of an object, a list of sources, a scalar, or null. */
	run(
		work: Work,
		body: Static<Body>,
		path: Readonly<Record<Parameter, string>>,
		outgoing: Outgoing,
	): object | string | null;
}

export type Input = Readonly<Record<string, unknown>>;

/**
 * A field of the root that runs the operation of a REST route. Its input becomes the route's path and body, which the same
 * schemas check, so both refuse the same inputs with the same errors. GraphQL checks its own types before.
 */
export function operation<Body extends TSchema, const Parameter extends string = never>(
	declared: Operation<Body, Parameter>,
): TransactionalMutation {
	const { signature, comment, scope, limitedBy, path, params: kinds, dropsNulls, body, under, run } = declared;
	const argument = signature.match(/^\((\w+):/)?.[1] ?? "input";
	const read = declared.read ?? ((input: Input) => (dropsNulls ? sent(input) : input));
	const names: Readonly<Record<string, string>> = Object.fromEntries(
		Object.entries(path ?? {}).map(([field, parameter]) => [restNames.get(field) ?? field, parameter]),
	);
	const schemas: Readonly<Record<string, TSchema>> = kinds ?? {};
	const parameters = Type.Object(
		Object.fromEntries(Object.values(names).map((parameter) => [parameter, schemas[parameter] ?? RefId])),
	);
	const readPath = checker("params", parameters);
	const readBody = checker("body", body);
	return {
		...{ signature, comment, scope },
		resolve(args, context, types) {
			const given = inputOf({ [argument]: restValueOf(types[argument], args[argument]) }, argument);
			const input = Object.entries(bodyOf(read(given, context.work)));
			const params = Object.fromEntries(
				input.flatMap(([name, value]) => (names[name] === undefined ? [] : [[names[name], value]])),
			);
			const rest = Object.fromEntries(input.filter(([name]) => names[name] === undefined));
			const limited = typeof limitedBy === "function" ? limitedBy(given) : limitedBy;
			if (limited) context.countCall(limited, params, rest);
			const inPath = readPath(params);
			const content = readBody(under === undefined ? rest : { [under]: rest });
			const { work, outgoing } = context;
			assert(outgoing, "a request has the settings of outgoing calls");
			return run(work, content, inPath as Readonly<Record<Parameter, string>>, outgoing);
		},
	};
}

/** An input as REST has it: instants are text, currencies lower case, and the environment is the key's. */
function restValueOf(type: GraphQLInputType | undefined, value: unknown): unknown {
	if (value === null || value === undefined || !type) return value;
	const nullable = getNullableType(type);
	if (isListType(nullable))
		return Array.isArray(value) ? value.map((item) => restValueOf(nullable.ofType, item)) : value;
	if (!isInputObjectType(nullable)) {
		if (nullable.name === "DateTime") return toIso(value as Instant);
		return nullable.name === "Currency" ? `${value}`.toLowerCase() : value;
	}
	const fields = nullable.getFields();
	const members = Object.entries(value as Input).filter(([name]) => name !== "environmentId");
	return Object.fromEntries(members.map(([name, inner]) => [name, restValueOf(fields[name]?.type, inner)]));
}

/** Without null and undefined members. */
export const sent = (input: Input): Input =>
	Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));

/** docs/interface/graphql.md. */
const restNames: ReadonlyMap<string, string> = new Map([
	["refId", "id"],
	["additionalMetaData", "metadata"],
]);

/** Members with keys of the caller, which are never renamed. */
const callersOwn: ReadonlySet<string> = new Set([
	"additionalMetaData",
	"metadata",
	"invoiceCustomFields",
	"dimensions",
]);

/** An input object with the names and formats of REST, at every depth. */
const bodyOf = (input: object): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(input).map(([name, value]) => [restNames.get(name) ?? name, formatted(name, value)]),
	);

function formatted(name: string, value: unknown): unknown {
	if (callersOwn.has(name)) return value;
	if (name === "currency" && typeof value === "string") return value.toLowerCase();
	if (name === "meterType" && typeof value === "string") return restMeterTypes.get(value) ?? value;
	if (Array.isArray(value)) return value.map((item) => formatted("", item));
	return typeof value === "object" && value !== null ? bodyOf(value) : value;
}
