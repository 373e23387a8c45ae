import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { parse, print } from "graphql";
import { derive } from "../../../src/graphql/derive/types";
import { literals, Metadata, nullable } from "../../../src/kernel/schema";

const Status = literals("OPEN", "CLOSED");
const Tier = Type.Object({ upTo: nullable(Type.Number()), label: Type.String() });
const Thing = Type.Object({
	id: Type.String(),
	name: Type.String(),
	status: Status,
	count: Type.Integer(),
	tiers: nullable(Type.Array(Tier)),
	metadata: Metadata,
	createdAt: Type.String(),
});
const ThingCreate = Type.Object({
	id: Type.String(),
	name: Type.Optional(Type.String()),
	metadata: Type.Optional(Metadata),
});

const schemas = { Status, Thing, ThingCreate };
const sdlOf = (text: string): string => print(parse(text));
const derived = (typeDefs: string): string => sdlOf(derive([{ schemas, typeDefs }]).join("\n"));

test("an object has the properties of the schema, with GraphQL's names, types and nulls", () => {
	expect(derived("type Thing from Thing { refId * status as Status tiers as Tier createdAt }")).toBe(
		sdlOf(`type Thing {
			refId: String! name: String! count: Int! additionalMetaData: JSON status: Status! tiers: [Tier!] createdAt: DateTime!
		}`),
	);
});

test("an input may omit optional properties", () => {
	expect(derived("input CreateThingInput from ThingCreate")).toBe(
		sdlOf("input CreateThingInput { refId: String! name: String additionalMetaData: JSON }"),
	);
});

test("an enum has the values of the schema", () => {
	expect(derived("enum Status from Status")).toBe(sdlOf("enum Status { OPEN CLOSED }"));
});

test("a nested type precedes its object, with its own description", () => {
	expect(derived('"A thing." type Thing from Thing { tiers as Tier "A step {of} the price." { * } }')).toBe(
		sdlOf('"A step {of} the price." type Tier { upTo: Float label: String! } "A thing." type Thing { tiers: [Tier!] }'),
	);
});

test("a path derives a type from an inner schema", () => {
	expect(derived("input TierInput from Thing.tiers")).toBe(sdlOf("input TierInput { upTo: Float label: String! }"));
});

test("a field can state its type, its nulls, its description and its default", () => {
	expect(
		derived('input ThingInput from ThingCreate { "The caller\'s id." refId? name: String = null other: [Int!] }'),
	).toBe(sdlOf('input ThingInput { "The caller\'s id." refId: String name: String = null other: [Int!] }'));
});

test("a property has the type that is derived from its schema, also in the types of another area", () => {
	const [first = "", second = ""] = derive([
		{ schemas, typeDefs: "type Thing from Thing { status tiers }" },
		{ schemas, typeDefs: "enum Status from Status type Tier from Thing.tiers" },
	]);
	expect(sdlOf(first)).toBe(sdlOf("type Thing { status: Status! tiers: [Tier!] }"));
	expect(sdlOf(second)).toBe(sdlOf("enum Status { OPEN CLOSED } type Tier { upTo: Float label: String! }"));
});

test("a schema from which two types are derived names none of them", () => {
	expect(derived("enum One from Status enum Other from Status type Thing from Thing { status }")).toBe(
		sdlOf("enum One { OPEN CLOSED } enum Other { OPEN CLOSED } type Thing { status: String! }"),
	);
});

test("definitions without a schema stay unchanged", () => {
	expect(derived("type Plain { from: String! }")).toBe(sdlOf("type Plain { from: String! }"));
});

test.each(["type Thing from Missing", "type Thing from Thing { unknown }", "type Thing from Thing { name"])(
	"%s is rejected",
	(text) => {
		expect(() => derived(text)).toThrow("Assertion failed");
	},
);
