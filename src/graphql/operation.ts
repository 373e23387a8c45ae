import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { explain } from "../http/validation";
import { fail } from "../kernel/errors";
import { RefId } from "../kernel/schema";
import type { Scope, Work } from "../kernel/work";
import { inputOf, type MutationField } from "./area";
import { restMeterTypes } from "./spelling";

/** For operations whose REST route takes no body: everything they need stands in the path. */
export const NoBody = Type.Object({}, { additionalProperties: false });

/** The path of most routes: `/things/{id}`. */
export const byRefId = { refId: "id" } as const;

interface Declared<Body extends TSchema, Parameter extends string> {
	readonly scope: Scope;
	/** The input's fields that stand in the path of the REST route → its parameters there. */
	readonly path?: Readonly<Record<string, Parameter>>;
	/** The schema of the REST body. What else the input has, makes it up. */
	readonly body: Body;
	/** Where the input holds only one part of the body, that part's key. */
	readonly under?: string;
	run(work: Work, body: Static<Body>, path: Readonly<Record<Parameter, string>>): object;
}

/**
 * A field of the root that does what a REST route does, with the same operation: its input becomes that route's path and
 * body, which the same schemas check. So refusals read the same, and what is allowed is said once. In front of them GraphQL
 * refuses, in its own words, what its types do not know.
 */
export function operation<Body extends TSchema, const Parameter extends string = never>(
	declared: Declared<Body, Parameter>,
): MutationField {
	const { scope, path, body, under, run } = declared;
	const names: Readonly<Record<string, string>> = Object.fromEntries(
		Object.entries(path ?? {}).map(([field, parameter]) => [restNames.get(field) ?? field, parameter]),
	);
	const parameters = Type.Object(Object.fromEntries(Object.values(names).map((parameter) => [parameter, RefId])));
	const readPath = reader("params", parameters);
	const readBody = reader("body", body);
	return {
		scope,
		resolve(args, { work }) {
			const given = Object.entries(bodyOf(inputOf(args, "input")));
			const inPath = readPath(
				Object.fromEntries(given.flatMap(([name, value]) => (names[name] === undefined ? [] : [[names[name], value]]))),
			);
			const rest = Object.fromEntries(given.filter(([name]) => names[name] === undefined));
			const content = readBody(under === undefined ? rest : { [under]: rest });
			return run(work, content, inPath as Readonly<Record<Parameter, string>>);
		},
	};
}

/** Says what the REST route says of the same value. Compiled when first needed: most servers use few of the mutations. */
function reader<Schema extends TSchema>(type: "body" | "params", schema: Schema): (value: unknown) => Static<Schema> {
	let compiled: TypeCheck<Schema> | undefined;
	return (value) => {
		compiled ??= TypeCompiler.Compile(schema);
		if (!compiled.Check(value))
			throw fail("BadUserInput", explain({ type, valueError: compiled.Errors(value).First() }));
		return value;
	};
}

/** graphql.md, section 2. */
const restNames: ReadonlyMap<string, string> = new Map([
	["refId", "id"],
	["additionalMetaData", "metadata"],
]);

/** An input object as the REST body it stands for: the names and spellings of section 2, at every depth. */
const bodyOf = (input: object): Record<string, unknown> =>
	Object.fromEntries(Object.entries(input).map(([name, value]) => [restNames.get(name) ?? name, spelt(name, value)]));

function spelt(name: string, value: unknown): unknown {
	// The caller's own keys: they are nobody's to rename.
	if (name === "additionalMetaData") return value;
	if (name === "currency" && typeof value === "string") return value.toLowerCase();
	if (name === "meterType" && typeof value === "string") return restMeterTypes.get(value) ?? value;
	if (Array.isArray(value)) return value.map((item) => spelt("", item));
	return typeof value === "object" && value !== null ? bodyOf(value) : value;
}
