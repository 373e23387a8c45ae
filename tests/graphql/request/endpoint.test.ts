import { describe, expect, test } from "bun:test";
import { getIntrospectionQuery } from "graphql";
import { longText, world } from "../../support/world";
import { ask, codes, data } from "../ask";

const count = "{ products { totalCount } }";
const counted = { data: { products: { totalCount: 0 } } };

describe("authorization", () => {
	const ours = world();
	const cases = [
		["no key", "", 401, "Unauthenticated"],
		["an unknown key", "server-nothing", 401, "Unauthenticated"],
		["an expired key", ours.expiredKey(), 401, "Unauthenticated"],
		["a publishable key", ours.publishableKey, 403, "IdentityForbidden"],
	] as const;
	for (const [name, key, expected, code] of cases)
		test(`${name}: ${expected} with ${code}, as the error body and as GraphQL errors, and no data`, async () => {
			const { status, body } = await ours.call("POST", "/graphql", { key, body: { query: count } });
			expect(status).toBe(expected);
			expect(body).toMatchObject({ message: body.errors[0].message, code });
			expect(body).not.toHaveProperty("data");
			expect(codes(body)).toEqual([code]);
			expect(body.errors[0].message).toMatch(/key/);
		});

	test("a bad key learns nothing of the body, not even that it is no JSON", async () => {
		const { body } = await ours.call("POST", "/graphql", { key: "server-nothing", body: "{ nope" });
		expect(codes(body)).toEqual(["Unauthenticated"]);
	});

	test("full access, and a scoped key of any scope, are accepted", async () => {
		expect(await ask(ours, count)).toEqual(counted);
		const start = "{ sdkConfiguration { sentryDsn } }";
		const key = ours.scopedKey("WEBHOOK:READ");
		expect(await ask(ours, start, undefined, { key })).toEqual({ data: { sdkConfiguration: { sentryDsn: null } } });
	});

	const lists = {
		products: "CATALOG:READ",
		features: "CATALOG:READ",
		plans: "CATALOG:READ",
		addons: "CATALOG:READ",
		coupons: "COUPON:READ",
		customers: "CUSTOMER:READ",
		subscriptions: "SUBSCRIPTION:READ",
	} as const;
	for (const [field, scope] of Object.entries(lists))
		test(`${field} needs ${scope}; without it that field is null, the others are answered`, async () => {
			const query = `{ ${Object.keys(lists)
				.map((name) => `${name} { totalCount }`)
				.join(" ")} }`;
			const { data: shown, errors } = await ask(ours, query, undefined, { key: ours.scopedKey(scope) });
			const allowed = Object.entries(lists).flatMap(([name, needs]) => (needs === scope ? name : []));
			for (const name of Object.keys(lists))
				expect(shown[name]).toEqual(allowed.includes(name) ? { totalCount: 0 } : null);
			expect(shown[field]).toEqual({ totalCount: 0 });
			expect(errors).toHaveLength(7 - allowed.length);
			expect(new Set(codes({ errors }))).toEqual(new Set(["AccessDeniedError"]));
			expect(errors.map(({ path }: { path: string[] }) => path[0])).not.toContain(field);
		});

	test("additional headers of clients are ignored", async () => {
		const headers = {
			source: "NODE_SERVER_SDK",
			"x-api-version": "1",
			"x-graphql-operation-name": "X",
			accept: "text/html",
		};
		expect(await ask(ours, count, undefined, { headers })).toEqual(counted);
	});
});

describe("requests", () => {
	const ours = world();
	const refused = [
		["no JSON", "{ nope"],
		["an empty body", ""],
		["a number", "7"],
		["an empty batch", "[]"],
		["a batch of numbers", "[1]"],
		["no query", "{}"],
		["a query that is no text", '{"query":7}'],
		["variables that are no object", '{"query":"{__typename}","variables":[1]}'],
		["a name that is no text", '{"query":"{__typename}","operationName":7}'],
		["a syntax error", '{"query":"{"}'],
		["an unknown operation name", '{"query":"query A {__typename}","operationName":"B"}'],
		["two operations and no name", '{"query":"query A {__typename} query B {__typename}"}'],
		["a mutation that there is none of", '{"query":"mutation { x }"}'],
		["JSON nested too deep", `{"query":"{__typename}","variables":{"a":${"[".repeat(80)}${"]".repeat(80)}}}`],
		["more than the body may hold", JSON.stringify({ query: count, variables: { a: longText(8 * 1024 * 1024) } })],
		["a query longer than it may be", JSON.stringify({ query: `${count}#${longText(100_000)}` })],
	] as const;
	for (const [name, body] of refused)
		test(`${name}: 200 with BadUserInput and no data`, async () => {
			const answer = await ours.call("POST", "/graphql", { body });
			expect(answer.status).toBe(200);
			expect(codes(answer.body)).toEqual(["BadUserInput"]);
			expect(answer.body.data ?? null).toBeNull();
		});

	test("another content type than JSON: 415, whatever the body holds", async () => {
		for (const type of [
			"application/graphql",
			"text/plain",
			"application/x-www-form-urlencoded",
			"multipart/form-data",
		]) {
			const headers = { "content-type": type };
			const { status, body } = await ours.call("POST", "/graphql", { headers, body: JSON.stringify({ query: count }) });
			expect([status, body.code, codes(body)]).toEqual([415, "BadUserInput", ["BadUserInput"]]);
			expect(body.message).toContain(type);
		}
		expect((await ours.call("POST", "/graphql", { headers: { "content-type": "text/plain" }, key: "" })).status).toBe(
			401,
		);
	});

	test("JSON in UTF-8 by name is JSON", async () => {
		const headers = { "content-type": "application/json; charset=utf-8" };
		expect((await ours.call("POST", "/graphql", { headers, body: JSON.stringify({ query: count }) })).body).toEqual(
			counted,
		);
	});

	test("operationName chooses, null stands for nothing, unknown keys are left aside", async () => {
		const body = {
			query: "query A { products { totalCount } } query B { sdkConfiguration { __typename } }",
			operationName: "B",
			variables: null,
			extensions: { persistedQuery: { version: 1 } },
		};
		const answer = await ours.call("POST", "/graphql", { body });
		expect(answer.body).toEqual({ data: { sdkConfiguration: { __typename: "SdkConfiguration" } } });
		const plain = await ours.call("POST", "/graphql", { body: { query: count, operationName: null } });
		expect(plain.body).toEqual(counted);
	});

	test("variables are typed, with defaults; a wrong type is refused by name", async () => {
		await ours.call("POST", "/products", { body: { id: "app", displayName: "App" } });
		const query = `query ($ref: String = "app", $first: Int) {
			products(filter: { refId: { eq: $ref } }, paging: { first: $first }) { edges { node { refId } } }
		}`;
		expect((await data(ours, query)).products.edges).toEqual([{ node: { refId: "app" } }]);
		expect((await data(ours, query, { ref: "other" })).products.edges).toEqual([]);
		const { errors } = await ask(ours, query, { ref: 7 });
		expect(codes({ errors })).toEqual(["BadUserInput"]);
		expect(errors[0].message).toContain("$ref");
	});

	test("GET is 405 and says what is allowed", async () => {
		const { status, headers, body } = await ours.call("GET", "/graphql?query={__typename}");
		expect([status, headers.get("allow"), body.code]).toEqual([405, "POST", null]);
	});
});

describe("batches", () => {
	const ours = world();
	const send = async (operations: readonly unknown[]) =>
		(await ours.call("POST", "/graphql", { body: operations })).body;

	test("are answered in order, each on its own", async () => {
		const batch = [
			{ query: "{ a: __typename }" },
			{ query: "{ nope }" },
			{ query: count },
			{ query: "{ b: __typename }" },
		];
		const [first, second, third, fourth] = await send(batch);
		expect([first, third, fourth]).toEqual([{ data: { a: "Query" } }, counted, { data: { b: "Query" } }]);
		expect(second).not.toHaveProperty("data");
		expect(codes(second)).toEqual(["BadUserInput"]);
	});

	test("hold 25 operations and no more", async () => {
		const operations = (size: number) => Array.from({ length: size }, (_, at) => ({ query: `{ t${at}: __typename }` }));
		const answers: object[] = await send(operations(25));
		expect(answers).toEqual(Array.from({ length: 25 }, (_, at) => ({ data: { [`t${at}`]: "Query" } })));
		const refused = await send(operations(26));
		expect(codes(refused)).toEqual(["BadUserInput"]);
		expect(refused.errors[0].message).toContain("25");
	});

	test("a bad key answers the batch once", async () => {
		const { body } = await ours.call("POST", "/graphql", { key: "", body: [{ query: count }, { query: count }] });
		expect(codes(body)).toEqual(["Unauthenticated"]);
	});
});

describe("answers", () => {
	test("introspection is on, within the limits", async () => {
		const { __schema: schema } = await data(world(), getIntrospectionQuery());
		expect(schema.queryType.name).toBe("Query");
		const names = schema.types.map(({ name }: { name: string }) => name);
		for (const type of [
			"Customer",
			"CustomerSubscription",
			"Plan",
			"Addon",
			"Product",
			"Feature",
			"Coupon",
			"PageInfo",
		])
			expect(names).toContain(type);
	});

	test("introspection that feeds on itself is refused", async () => {
		const query = "{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }";
		expect(codes(await ask(world(), query))).toEqual(["BadUserInput"]);
	});

	test("errors carry the request id, the path and the place", async () => {
		const ours = world();
		const query = 'query { here: getCustomerByRefId(input: { customerId: "none" }) { refId } }';
		const body = await ask(ours, query, undefined, { headers: { "x-request-id": "mine" } });
		expect(body).toEqual({
			data: { here: null },
			errors: [
				{
					message: "There is no customer 'none' in this environment; provision it first.",
					locations: [{ line: 1, column: 9 }],
					path: ["here"],
					extensions: { code: "CustomerNotFound", traceId: "mine" },
				},
			],
		});
	});

	test("a failure of ours is masked, and logged with its request id", async () => {
		const ours = world();
		const logged: unknown[] = [];
		ours.services.log.error = (entry: unknown) => logged.push(entry);
		ours.db.$client.exec("ALTER TABLE coupons RENAME TO gone");
		const body = await ask(ours, "{ coupons { totalCount } }", undefined, { headers: { "x-request-id": "mine" } });
		expect(body.errors.map(({ message }: { message: string }) => message)).toEqual(["Internal error"]);
		expect(codes(body)).toEqual(["UnexpectedError"]);
		expect(JSON.stringify(body)).not.toMatch(/coupons.*(select|from)|SQLITE/i);
		expect(logged).toMatchObject([{ requestId: "mine" }]);
	});

	test("a value that its type cannot show is a failure of ours, not the caller's", async () => {
		const ours = world();
		await ours.call("POST", "/products", { body: { id: "app", displayName: "App" } });
		ours.db.$client.exec("UPDATE products SET usage_reset = 'a-secret'");
		const body = await ask(ours, '{ product(refId: "app") { productSettings { __typename } usageReset } }');
		expect(codes(body)).toEqual(["UnexpectedError"]);
		expect(JSON.stringify(body)).not.toContain("a-secret");
	});
});
