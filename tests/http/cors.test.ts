import { describe, expect, test } from "bun:test";
import { changeEnvironment } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { type World, world } from "../support/world";

const shop = "https://shop.example";

function allowing(...allowedOrigins: string[]): World {
	const w = world();
	w.transactions.write(systemActor(""), (work) => changeEnvironment(work, w.environmentId, { allowedOrigins }));
	return w;
}

const allowed = ({ headers }: { readonly headers: Headers }) => headers.get("access-control-allow-origin");

describe("a page of another origin", () => {
	test("reads with the publishable key what its environment allows, and no other origin does", async () => {
		const w = allowing(shop);
		const get = (origin: string) => w.call("GET", "/plans", { key: w.publishableKey, headers: { origin } });
		const answer = await get(shop);
		expect([answer.status, allowed(answer), answer.headers.get("vary")]).toEqual([200, shop, "Origin"]);
		expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After");
		expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
		for (const origin of ["https://evil.example", "http://shop.example", "https://shop.example.evil", "null"])
			expect(allowed(await get(origin))).toBeNull();
	});

	test("gets no headers while no origin is allowed", async () => {
		const w = world();
		expect(allowed(await w.call("GET", "/plans", { key: w.publishableKey, headers: { origin: shop } }))).toBeNull();
	});

	test.each<[string, (w: World) => string]>([
		["a full-access key", (w) => w.key],
		["a scoped key", (w) => w.scopedKey("CATALOG:READ")],
		["a server key that is unknown", () => "server-nobody"],
		["the key of an environment that allows none", (w) => w.foreignKey],
	])("reads nothing by %s", async (_, key) => {
		const w = allowing(shop);
		expect(allowed(await w.call("GET", "/plans", { key: key(w), headers: { origin: shop } }))).toBeNull();
	});

	test("reads nothing by a user's token", async () => {
		const w = allowing(shop);
		const headers = { origin: shop, authorization: "Bearer session-x" };
		expect(allowed(await w.call("GET", "/plans", { key: "", headers }))).toBeNull();
	});

	test.each<[string, string, string, (w: World) => string, number]>([
		["an unknown key", "GET", "/plans", () => "client-nobody", 401],
		["no key", "GET", "/plans", () => "", 401],
		["what such a key may not do", "POST", "/plans", (w) => w.publishableKey, 403],
		["an unknown plan", "GET", "/plans/none", (w) => w.publishableKey, 404],
		["a wrong query", "GET", "/plans?limit=0", (w) => w.publishableKey, 400],
	])("may read why it is refused: %s", async (_, method, path, key, status) => {
		const w = allowing(shop);
		const answer = await w.call(method, path, { key: key(w), headers: { origin: shop } });
		expect([answer.status, allowed(answer)]).toEqual([status, shop]);
	});

	test("sees a change of the origins at once", async () => {
		const w = allowing(shop);
		const get = () => w.call("GET", "/plans", { key: w.publishableKey, headers: { origin: shop } });
		expect(allowed(await get())).toBe(shop);
		w.transactions.write(systemActor(""), (work) => changeEnvironment(work, w.environmentId, { allowedOrigins: [] }));
		expect(allowed(await get())).toBeNull();
	});
});

describe("a browser that asks ahead", () => {
	const ask = (w: World, path: string, method: string, origin: string = shop) =>
		w.call("OPTIONS", path, { key: "", headers: { origin, "access-control-request-method": method } });

	test.each(["/plans", "/plans/one", "/products", "/features/one", "/customers/one/entitlements/check"])(
		"may read %s",
		async (path) => {
			const answer = await ask(allowing(shop), path, "GET");
			expect([answer.status, allowed(answer), answer.headers.get("vary")]).toEqual([204, shop, "Origin"]);
			expect(answer.headers.get("access-control-allow-methods")).toBe("GET");
			expect(answer.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-api-key");
			expect(answer.headers.get("x-request-id")).not.toBeNull();
		},
	);

	test.each([
		["what such a key may not read", "/customers", "GET", shop],
		["what writes", "/plans", "POST", shop],
		["no route", "/nothing", "GET", shop],
		["another origin", "/plans", "GET", "https://evil.example"],
	])("gets no headers for %s", async (_, path, method, origin) => {
		const answer = await ask(allowing(shop), path, method, origin);
		expect(answer.status).toBeGreaterThanOrEqual(404);
		expect(allowed(answer)).toBeNull();
	});
});
