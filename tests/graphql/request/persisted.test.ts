import { describe, expect, test } from "bun:test";
import { PersistedOperations } from "../../../src/graphql/request/persisted";
import { hashText } from "../../../src/http/hash";
import { type World, world } from "../../support/world";
import { codes, data } from "../ask";

const query = "{ products { totalCount } }";
const counted = { data: { products: { totalCount: 0 } } };
const named = (text: string, sha256Hash: unknown = hashText(text)) => ({
	extensions: { persistedQuery: { version: 1, sha256Hash } },
});

const send = async (ours: World, body: unknown) => (await ours.call("POST", "/graphql", { body })).body;

describe("an operation that is named by its hash", () => {
	test("is unknown, then learnt with its text, then known", async () => {
		const ours = world();
		const unknown = await send(ours, named(query));
		expect([unknown.errors[0].message, codes(unknown), unknown.data ?? null]).toEqual([
			"PersistedQueryNotFound",
			["BadUserInput"],
			null,
		]);
		expect(await send(ours, { query, ...named(query) })).toEqual(counted);
		expect(await send(ours, named(query))).toEqual(counted);
		expect(await send(ours, [named(query), { query: "{ __typename }" }])).toEqual([
			counted,
			{ data: { __typename: "Query" } },
		]);
	});

	test("must be what its hash says, and the hash be one", async () => {
		const ours = world();
		expect(codes(await send(ours, { query, ...named("{ __typename }") }))).toEqual(["BadUserInput"]);
		expect(codes(await send(ours, named("{ __typename }")))).toEqual(["BadUserInput"]);
		for (const hash of ["", "x", 5, null, hashText(query).toUpperCase()])
			expect(codes(await send(ours, named(query, hash)))).toEqual(["BadUserInput"]);
		expect(codes(await send(ours, { extensions: { persistedQuery: "x" } }))).toEqual(["BadUserInput"]);
		expect(codes(await send(ours, { extensions: 5 }))).toEqual(["BadUserInput"]);
	});

	test("is counted for, as if its text had come", () => {
		const persisted = new PersistedOperations(undefined);
		const long = (at: number) => `{ products { totalCount } } # ${at} ${"x".repeat(90_000)}`;
		for (let at = 0; at < 200; at += 1) persisted.textOf(long(at), hashText(long(at)));
		expect(() => persisted.textOf(undefined, hashText(long(0)))).toThrow("PersistedQueryNotFound");
		expect(persisted.textOf(undefined, hashText(long(199)))).toBe(long(199));
	});
});

describe("which thread answers", () => {
	const mutation = 'mutation { createOneProduct(input: { refId: "p", displayName: "P" }) { refId } }';
	const body = (given: object) => JSON.stringify(given);

	test("is decided by the text, or by the known properties of the hash", () => {
		const persisted = new PersistedOperations(undefined);
		for (const text of [query, mutation]) persisted.textOf(text, hashText(text));
		expect(persisted.mayMutate(body({ query }))).toBe(false);
		expect(persisted.mayMutate(body({ query: mutation }))).toBe(true);
		expect(persisted.mayMutate(body(named(query)))).toBe(false);
		expect(persisted.mayMutate(body(named(mutation)))).toBe(true);
		expect(persisted.mayMutate(body({ query, ...named("another") }))).toBe(false);
		// Another thread may know it.
		expect(persisted.mayMutate(body(named("another")))).toBe(true);
		expect(persisted.mayMutate(body([named(query), named(mutation)]))).toBe(true);
	});
});

describe("a list of what may be asked for", () => {
	const allowing = (...texts: string[]) => {
		const ours = world();
		const allowed = Object.fromEntries(texts.map((text) => [hashText(text), text]));
		Object.assign(ours.services, { persisted: new PersistedOperations(allowed) });
		return ours;
	};

	test("lets in what it has, by text or by hash, and nothing else", async () => {
		const ours = allowing(query);
		expect(await send(ours, { query })).toEqual(counted);
		expect(await send(ours, named(query))).toEqual(counted);
		for (const refused of [
			{ query: "{ __typename }" },
			{ query: `${query} ` },
			{ query: "{ __typename }", ...named("{ __typename }") },
		]) {
			const body = await send(ours, refused);
			expect([codes(body), body.errors[0].message]).toEqual([
				["BadUserInput"],
				expect.stringContaining("TOLLGATE_GRAPHQL_OPERATIONS"),
			]);
		}
		expect((await send(ours, named("{ __typename }"))).errors[0].message).toBe("PersistedQueryNotFound");
		for (const name of ["toString", "__proto__"])
			expect(codes(await send(ours, { query: name }))).toEqual(["BadUserInput"]);
	});
});

test("a server may keep its schema to itself", async () => {
	const ours = world();
	Object.assign(ours.services, { api: { ...ours.services.api, introspection: false } });
	const routed = [
		"{ __schema { types { name } } }",
		'{ __type(name: "Plan") { name } }',
		"{ ...S } fragment S on Query { __schema { types { name } } }",
	];
	for (const query of routed) {
		const body = await send(ours, { query });
		expect([codes(body), body.data ?? null, body.errors[0].message]).toEqual([
			["BadUserInput"],
			null,
			expect.stringContaining("schema"),
		]);
	}
	expect(await data(ours, "{ products { __typename } }")).toEqual({ products: { __typename: "ProductConnection" } });
});

/** A name that GraphQL has suggestions for, and a word of the suggestion that is not in the document. */
const misspelt: ReadonlyArray<readonly [what: string, body: object, suggested: string]> = [
	["a field of the root", { query: "{ productss { __typename } }" }, "products"],
	["an argument", { query: "{ products(filters: {}) { __typename } }" }, "filter"],
	["an argument of a directive", { query: "{ products @skip(iff: true) { __typename } }" }, "if"],
	["a field of an input", { query: '{ products(filter: { refIdd: { eq: "a" } }) { __typename } }' }, '"refId"'],
	[
		"a value of an enum",
		{ query: "{ features(filter: { featureType: { eq: BOOLEANN } }) { __typename } }" },
		'"BOOLEAN"',
	],
	[
		"a text in place of a value",
		{ query: '{ features(filter: { featureType: { eq: "BOOLEAN" } }) { __typename } }' },
		"the enum value",
	],
	[
		"a variable's field",
		{ query: "query ($f: ProductFilter) { products(filter: $f) { __typename } }", variables: { f: { refIdd: {} } } },
		'"refId"',
	],
	[
		"a variable's value",
		{
			query: "query ($t: FeatureType) { features(filter: { featureType: { eq: $t } }) { __typename } }",
			variables: { t: "BOOLEANN" },
		},
		'"BOOLEAN"',
	],
	[
		"a mutation's variable",
		{
			query: "mutation ($i: CreateProductInput!) { createOneProduct(input: $i) { id } }",
			variables: { i: { refId: "a", displayNames: "A" } },
		},
		'"displayName"',
	],
	["no selection of an object", { query: "{ products }" }, "{ ... }"],
];

test.each(misspelt)("a server that keeps its schema to itself suggests nothing for %s", async (_, body, suggested) => {
	const ours = world();
	const message = async () => JSON.stringify((await send(ours, body)).errors);
	const telling = await message();
	expect(telling).toContain("Did you mean");
	expect(telling).toContain(suggested.replaceAll('"', '\\"'));
	Object.assign(ours.services, { api: { ...ours.services.api, introspection: false } });
	const silent = await message();
	expect(silent).not.toContain("Did you mean");
	expect(silent).toContain("BadUserInput");
});
