import { describe, expect, test } from "bun:test";
import { createApp } from "../../../src/app";
import { world } from "../../support/world";

describe("the headers of every answer", () => {
	test.each([
		["a list", "GET", "/products", 200],
		["a refusal", "POST", "/products", 400],
		["an unknown route", "GET", "/nothing", 404],
		["another method", "PUT", "/products", 405],
		["GraphQL", "POST", "/graphql", 200],
	])("%s is data: never a page, never framed, never kept", async (_, method, path, status) => {
		const { call } = world();
		const answer = await call(method, path, method === "POST" ? { body: {} } : {});
		expect(answer.status).toBe(status);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"cache-control": "no-store",
			"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
			"referrer-policy": "no-referrer",
			"x-content-type-options": "nosniff",
			"x-request-id": expect.any(String),
		});
	});

	test("without a key, and where a bug of ours answers, they are there too", async () => {
		const { call, db } = world();
		expect((await call("GET", "/products", { key: "" })).headers.get("x-content-type-options")).toBe("nosniff");
		db.$client.run("PRAGMA foreign_keys = OFF");
		db.$client.run("ALTER TABLE products RENAME TO products_gone");
		const answer = await call("GET", "/products");
		expect([answer.status, answer.headers.get("cache-control")]).toEqual([500, "no-store"]);
	});

	test("the documentation says for itself what it loads, and is framed by nobody either", async () => {
		const app = createApp(world().services);
		await app.modules;
		const { headers } = await app.handle(new Request("http://localhost/docs"));
		const policy = headers.get("content-security-policy") ?? "";
		expect(policy).toContain("'self'");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(headers.get("x-content-type-options")).toBe("nosniff");
	});

	test("nobody can claim HTTPS but a trusted proxy", async () => {
		const { call } = world();
		const answer = await call("GET", "/products", { headers: { "x-forwarded-proto": "https" } });
		expect(answer.headers.get("strict-transport-security")).toBeNull();
	});
});

describe("a refusal shortens its echo of", () => {
	const long = "x".repeat(255);
	test.each<[string, string, string, unknown]>([
		["an id of the path", "GET", `/customers/${long}`, undefined],
		["an id of the body", "POST", "/subscriptions", { customerId: long, planId: long }],
		["an unknown path", "GET", `/${long}`, undefined],
		["an unknown query parameter", "GET", `/products?${long}=1`, undefined],
		["a query parameter where there is none", "GET", `/customers/a?${long}=1`, undefined],
		["an unknown key", "POST", "/products", { [long]: 1 }],
		["a key where there is no body", "POST", "/products/a/archive", { [long]: 1 }],
		[
			"a customer of an event",
			"POST",
			"/events",
			{ events: [{ eventName: "e", customerId: long, idempotencyKey: "k" }] },
		],
		["an unknown key of an event", "POST", "/events", { [long]: 1 }],
	])("%s: at most 100 characters", async (_, method, path, body) => {
		const answer = await world().call(method, path, body === undefined ? {} : { body });
		expect(answer.status).toBeGreaterThanOrEqual(400);
		expect(answer.body.message).not.toContain("x".repeat(101));
		expect(answer.body.message.length).toBeLessThan(500);
	});

	test("a content type, and whatever GraphQL repeats", async () => {
		const { call } = world();
		const typed = await call("POST", "/products", { body: "x", headers: { "content-type": `text/${long}` } });
		expect(typed.body.message).not.toContain("x".repeat(101));
		const asked = await call("POST", "/graphql", { body: { query: `query { ${long} { id } __typename @${long} }` } });
		expect(JSON.stringify(asked.body.errors)).not.toContain("x".repeat(101));
	});
});
