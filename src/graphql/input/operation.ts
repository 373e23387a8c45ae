import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Scope } from "../../areas/access/rules.actors";
import type { LimitedRoute } from "../../http/limits/limits";
import { checker } from "../../http/validation";
import { assert } from "../../kernel/errors";
import { RefId } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Outgoing } from "../../server/context";
import { inputOf, type TransactionalMutation } from "../area";
import { restMeterTypes } from "./value-formats";

/** For operations whose REST route takes no body: everything they need stands in the path. */
export const NoBody = Type.Object({}, { additionalProperties: false });

/** The path of most routes: `/things/{id}`. */
export const byRefId = { refId: "id" } as const;

interface Declared<Body extends TSchema, Parameter extends string> {
	readonly scope: Scope;
	/**
	 * The limited route that the mutation counts as: what was called by REST counts here, and the other way round. Told by
	 * the input where one mutation stands for two routes.
	 */
	readonly limitedBy?: LimitedRoute | ((input: Input) => LimitedRoute);
	/** The name of its argument; `input` when left out. */
	readonly argument?: string;
	/** The input's fields that stand in the path of the REST route → its parameters there. */
	readonly path?: Readonly<Record<string, Parameter>>;
	/** What these parameters may be; RefId for those that are left out. */
	readonly params?: Readonly<Record<Parameter, TSchema>>;
	/** An input that is put together otherwise than the path and body of the route: with GraphQL's own names still. */
	readonly read?: (input: Input, work: Work) => Input;
	/** The schema of the REST body. What else the input has, makes it up. */
	readonly body: Body;
	/** Where the input holds only one part of the body, that part's key. */
	readonly under?: string;
	/** Answers the source of an object, several of them, a scalar, or null where there is nothing. */
	run(
		work: Work,
		body: Static<Body>,
		path: Readonly<Record<Parameter, string>>,
		outgoing: Outgoing,
	): object | string | null;
}

export type Input = Readonly<Record<string, unknown>>;

/**
 * A field of the root that does what a REST route does, with the same operation: its input becomes that route's path and
 * body, which the same schemas check. So refusals read the same, and what is allowed is said once. In front of them GraphQL
 * refuses, in its own words, what its types do not know.
 */
export function operation<Body extends TSchema, const Parameter extends string = never>(
	declared: Declared<Body, Parameter>,
): TransactionalMutation {
	const { scope, limitedBy, argument = "input", path, params: kinds, body, under, run } = declared;
	const read = declared.read ?? ((input: Input) => input);
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
		scope,
		resolve(args, context) {
			const given = inputOf(args, argument);
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
			assert(outgoing, "a request is told what addresses outside are held against");
			return run(work, content, inPath as Readonly<Record<Parameter, string>>, outgoing);
		},
	};
}

/** docs/interface/graphql.md. */
const restNames: ReadonlyMap<string, string> = new Map([
	["refId", "id"],
	["additionalMetaData", "metadata"],
]);

/** Their keys are the caller's: nobody's to rename. */
const callersOwn: ReadonlySet<string> = new Set([
	"additionalMetaData",
	"metadata",
	"invoiceCustomFields",
	"dimensions",
]);

/** An input object as the REST body it stands for: the names and spellings of section 2, at every depth. */
const bodyOf = (input: object): Record<string, unknown> =>
	Object.fromEntries(Object.entries(input).map(([name, value]) => [restNames.get(name) ?? name, spelt(name, value)]));

function spelt(name: string, value: unknown): unknown {
	if (callersOwn.has(name)) return value;
	if (name === "currency" && typeof value === "string") return value.toLowerCase();
	if (name === "meterType" && typeof value === "string") return restMeterTypes.get(value) ?? value;
	if (Array.isArray(value)) return value.map((item) => spelt("", item));
	return typeof value === "object" && value !== null ? bodyOf(value) : value;
}
