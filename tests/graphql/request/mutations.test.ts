import { beforeEach, describe, expect, test } from "bun:test";
import { type World, world } from "../../support/world";
import { ask, codes, data, nodes } from "../ask";

let ours: World;
beforeEach(() => {
	ours = world();
});

const product = (refId: string, alias = refId) =>
	`${alias}: createOneProduct(input: { refId: "${refId}", displayName: "P" }) { refId }`;

const productIds = async (): Promise<string[]> =>
	(await ours.call("GET", "/products")).body.data.map(({ id }: { id: string }) => id);

describe("each field of the root is a transaction of its own", () => {
	test("in the order in which they stand; what one wrote, the next one sees", async () => {
		const body = await ask(
			ours,
			`mutation { first: createOneProduct(input: { refId: "app", displayName: "App" }) { refId displayName }
				second: updateOneProduct(input: { refId: "app", displayName: "Better", additionalMetaData: { refId: "x" } })
					{ displayName additionalMetaData }
				__typename }`,
		);
		expect(body).toEqual({
			data: {
				first: { refId: "app", displayName: "App" },
				second: { displayName: "Better", additionalMetaData: { refId: "x" } },
				__typename: "Mutation",
			},
		});
	});

	test("a failed field is null and says where; those before and after it stay", async () => {
		const body = await ask(ours, `mutation { ${product("a")} ${product("a", "again")} ${product("b")} }`);
		expect(body.data).toEqual({ a: { refId: "a" }, again: null, b: { refId: "b" } });
		expect(body.errors).toEqual([
			{
				message: "There is a product 'a' already; choose another id.",
				locations: [{ line: 1, column: expect.any(Number) }],
				path: ["again"],
				extensions: { code: "DuplicatedEntityNotAllowed", traceId: expect.any(String) },
			},
		]);
		expect(await productIds()).toEqual(["b", "a"]);
	});

	test("arguments that do not fit fail their own field only", async () => {
		const query = `mutation ($name: String) { ${product("a")}
			bad: createOneProduct(input: { refId: "bad", displayName: $name }) { refId } ${product("b")} }`;
		const body = await ask(ours, query.replace("$name: String", "$name: String = null"));
		expect(body).not.toHaveProperty("data");
		const late = await ask(ours, query.replace("$name: String", '$name: String = "x"'), { name: null });
		expect(late.data).toEqual({ a: { refId: "a" }, bad: null, b: { refId: "b" } });
		expect([codes(late), late.errors[0].path]).toEqual([["BadUserInput"], ["bad"]]);
		expect(await productIds()).toEqual(["b", "a"]);
	});

	test("a field that cannot be answered in full is rolled back", async () => {
		const key = ours.scopedKey("COUPON:WRITE");
		const query = (fields: string) =>
			`mutation { createOneCoupon(input: { refId: "C", name: "C", percentOff: 5 }) { refId ${fields} } }`;
		const refused = await ask(ours, query("customers { refId }"), undefined, { key });
		expect([refused.data, codes(refused)]).toEqual([{ createOneCoupon: null }, ["AccessDeniedError"]]);
		expect(refused.errors[0].path).toEqual(["createOneCoupon", "customers"]);
		expect((await ours.call("GET", "/coupons/C")).status).toBe(404);
		expect(await ask(ours, query("percentOff amountsOff { amount }"), undefined, { key })).toEqual({
			data: { createOneCoupon: { refId: "C", percentOff: 5, amountsOff: null } },
		});
	});

	test("fragments, directives and one field named twice run each thing once", async () => {
		const body = await ask(
			ours,
			`mutation ($no: Boolean = false) { ...Both ... on Mutation { ${product("c")} }
				${product("d").replace("{ refId }", "@include(if: $no) { refId }")} }
			fragment Both on Mutation { ${product("a")} ${product("a").replace("{ refId }", "{ status }")} ${product("b")} }`,
		);
		expect(body).toEqual({
			data: { a: { refId: "a", status: "PUBLISHED" }, b: { refId: "b" }, c: { refId: "c" } },
		});
		expect(await productIds()).toEqual(["c", "b", "a"]);
	});

	test("runs only the named one of several operations", async () => {
		const query = `mutation A { ${product("a")} } mutation B { ${product("b")} } query C { products { totalCount } }`;
		const run = async (operationName: string) =>
			(await ours.call("POST", "/graphql", { body: { query, operationName } })).body.data;
		expect(await run("C")).toEqual({ products: { totalCount: 0 } });
		expect(await run("B")).toEqual({ b: { refId: "b" } });
		expect(await productIds()).toEqual(["b"]);
	});

	test("a storage that fails is our fault, says nothing, and undoes nothing but its own field", async () => {
		ours.db.$client.run("create trigger full before insert on features begin select raise(abort, 'disk'); end");
		const body = await ask(
			ours,
			`mutation { ${product("a")} createOneFeature(input: { refId: "f", displayName: "F", featureType: BOOLEAN }) { refId } }`,
		);
		expect([body.data, codes(body)]).toEqual([{ a: { refId: "a" }, createOneFeature: null }, ["UnexpectedError"]]);
		expect(body.errors[0].message).toBe("Internal error");
	});
});

describe("limits hold for mutations", () => {
	const many = (times: number) =>
		`mutation { ${Array.from({ length: times }, (_, at) => product(`p${at}`)).join(" ")} }`;

	test("twenty fields of the root; one more and none of them is done, however often it is sent", async () => {
		for (const _ of [1, 2]) {
			const body = await ask(ours, many(21));
			expect([body.data, codes(body)]).toEqual([undefined, ["BadUserInput"]]);
			expect(await productIds()).toEqual([]);
		}
		expect(Object.keys(await data(ours, many(20)))).toHaveLength(20);
		expect((await ours.call("GET", "/products?limit=100")).body.data).toHaveLength(20);
	});

	test("depth too", async () => {
		const deep = `${"productSettings { downgradePlan { product { ".repeat(5)} refId ${"} } } ".repeat(5)}`;
		const body = await ask(ours, `mutation { ${product("a").replace("{ refId }", `{ ${deep} }`)} }`);
		expect([body.data, codes(body)]).toEqual([undefined, ["BadUserInput"]]);
		expect(await productIds()).toEqual([]);
	});

	test("unknown fields of the root stay unknown, of objects they are null", async () => {
		expect(codes(await ask(ours, "mutation { createOneNothing(input: {}) { refId } }"))).toEqual(["BadUserInput"]);
		const body = await ask(ours, `mutation { ${product("a").replace("{ refId }", "{ refId future }")} }`);
		expect(body.data).toEqual({ a: { refId: "a", future: null } });
		expect(body.extensions).toEqual({ unknownFields: ["Product.future"] });
	});
});

describe("the type of a variable", () => {
	const query = (type: string) => `mutation ($input: ${type}) { createOneProduct(input: $input) { refId } }`;

	test("may have another release's name; its value is checked all the same", async () => {
		const body = await ask(ours, query("ProductCreateInput!"), { input: { refId: "a", displayName: "A" } });
		expect(body).toEqual({
			data: { createOneProduct: { refId: "a" } },
			extensions: { unknownFields: ["$input: ProductCreateInput"] },
		});
		const wrong = await ask(ours, query("ProductCreateInput!"), { input: { refId: "b" } });
		expect([wrong.data, codes(wrong)]).toEqual([undefined, ["BadUserInput"]]);
		expect(await productIds()).toEqual(["a"]);
	});

	test("is strict where the name is known, or the shape does not fit", async () => {
		for (const type of ["UpdateProductInput!", "Int!", "[Whatever!]!", "Whatever"]) {
			const body = await ask(ours, query(type), { input: { refId: "a", displayName: "A" } });
			expect([type, body.data, codes(body)]).toEqual([type, undefined, ["BadUserInput"]]);
		}
	});

	test("for an argument inside a list's filter, in a query", async () => {
		const filter =
			"query ($ref: RefString, $f: Older!) { products(filter: { or: [{ refId: { eq: $ref } }, $f] }) { totalCount } }";
		expect((await data(ours, filter, { ref: "a", f: { displayName: { eq: "x" } } })).products.totalCount).toBe(0);
	});
});

describe("an Idempotency-Key", () => {
	const headers = { "idempotency-key": "k-1" };
	const send = (query: string, more: object = {}) =>
		ours.call("POST", "/graphql", { body: { query }, headers: { ...headers, ...more } });

	test("answers again what was answered, and runs what has not run yet", async () => {
		await ours.call("POST", "/products", { body: { id: "taken", displayName: "T" } });
		const query = `mutation { ${product("a")} ${product("taken")} }`;
		const first = await send(query);
		expect([first.body.data, codes(first.body)]).toEqual([
			{ a: { refId: "a" }, taken: null },
			["DuplicatedEntityNotAllowed"],
		]);
		expect(first.headers.get("idempotent-replayed")).toBeNull();
		const again = await send(query);
		expect(again.body.data).toEqual({ a: { refId: "a" }, taken: null });
		expect(again.headers.get("idempotent-replayed")).toBe("true");
		expect(await productIds()).toEqual(["a", "taken"]);
	});

	test("belongs to one body", async () => {
		await send(`mutation { ${product("a")} }`);
		const other = await send(`mutation { ${product("b", "a")} }`);
		expect([other.body.data, codes(other.body)]).toEqual([{ a: null }, ["BadUserInput"]]);
		expect(other.body.errors[0].message).toContain("another body");
		expect(codes((await send(`mutation { ${product("b")} }`, { "idempotency-key": "x".repeat(256) })).body)).toEqual([
			"BadUserInput",
		]);
	});

	test("belongs to one caller, who must still be allowed to call", async () => {
		const query = `mutation { ${product("a", "made")} }`;
		const sendAs = (key: string) => ours.call("POST", "/graphql", { body: { query }, headers, key });
		const [owner, other, reader] = [
			ours.scopedKey("CATALOG:WRITE"),
			ours.scopedKey("CATALOG:WRITE"),
			ours.scopedKey("CUSTOMER:READ"),
		];
		expect((await sendAs(owner)).body.data).toEqual({ made: { refId: "a" } });
		for (const [key, code] of [
			[other, "BadUserInput"],
			[reader, "AccessDeniedError"],
		] as const) {
			const { body, headers: answered } = await sendAs(key);
			expect([body.data, codes(body)]).toEqual([{ made: null }, [code]]);
			expect(answered.get("idempotent-replayed")).toBeNull();
		}
		expect((await sendAs(owner)).headers.get("idempotent-replayed")).toBe("true");
		ours.db.$client.run("UPDATE api_keys SET scopes = '[\"CATALOG:READ\"]' WHERE scopes = '[\"CATALOG:WRITE\"]'");
		expect(codes((await sendAs(owner)).body)).toEqual(["AccessDeniedError"]);
	});

	test("tells the operations of a batch apart", async () => {
		const body = ["a", "b"].map((id) => ({ query: `mutation { ${product(id, "made")} }` }));
		for (const replayed of [null, "true"]) {
			const answer = await ours.call("POST", "/graphql", { body, headers });
			expect(answer.body).toEqual([{ data: { made: { refId: "a" } } }, { data: { made: { refId: "b" } } }]);
			expect(answer.headers.get("idempotent-replayed")).toBe(replayed);
		}
	});
});

describe("reads by id", () => {
	test("each kind, and its not-found code", async () => {
		const { errors } = await ask(
			ours,
			`{ product(refId: "x") { id } feature(refId: "x") { id } plan(refId: "x") { id } addon(refId: "x") { id }
				coupon(refId: "x") { id } customCurrency(refId: "x") { id } customCurrencyAssociatedEntities(refId: "x") { type } }`,
		);
		expect(codes({ errors })).toEqual([
			"ProductNotFoundError",
			"FeatureNotFound",
			"PlanNotFound",
			"AddonNotFound",
			"CouponNotFound",
			"CustomCurrencyNotFound",
			"CustomCurrencyNotFound",
		]);
		expect(nodes((await data(ours, "{ customCurrencies { edges { node { refId } } } }")).customCurrencies)).toEqual([]);
	});
});
