import { describe, expect, test } from "bun:test";
import { type CallOptions, longText, type World, world } from "../support/world";

const product = { id: "product-one", displayName: "One" };

describe("authorization", () => {
	const table: Array<[string, (w: World) => string, number, string | null]> = [
		["no key", () => "", 401, "Unauthenticated"],
		["an unknown key", () => "server-nobody-knows-this-one", 401, "Unauthenticated"],
		["a key that is too long for one", (w) => w.key.padEnd(300, "x"), 401, "Unauthenticated"],
		["an expired key", (w) => w.expiredKey(), 401, "Unauthenticated"],
		["a scoped key without the scope", (w) => w.scopedKey("COUPON:WRITE"), 403, "AccessDeniedError"],
		["a scoped key that only reads", (w) => w.scopedKey("CATALOG:READ"), 403, "AccessDeniedError"],
		["a publishable key", (w) => w.publishableKey, 403, "IdentityForbidden"],
		["a scoped key with the scope", (w) => w.scopedKey("CATALOG:WRITE"), 201, null],
		["the full-access key", (w) => w.key, 201, null],
	];
	test.each(table)("%s", async (_, key, status, code) => {
		const w = world();
		const answer = await w.call("POST", "/products", { key: key(w), body: product });
		expect(answer.status).toBe(status);
		if (code !== null) {
			expect(answer.body).toEqual({ message: expect.any(String), code });
		}
	});

	test("WRITE includes READ, and READ does not include WRITE", async () => {
		const w = world();
		expect((await w.call("GET", "/products", { key: w.scopedKey("CATALOG:WRITE") })).status).toBe(200);
		expect((await w.call("GET", "/products", { key: w.scopedKey("CATALOG:READ") })).status).toBe(200);
	});

	test("with a key, X-ACCOUNT-ID and X-ENVIRONMENT-ID are ignored", async () => {
		const w = world();
		await w.call("POST", "/products", { body: product });
		const answer = await w.call("GET", "/products", {
			key: w.foreignKey,
			headers: { "x-environment-id": w.environmentId, "x-account-id": w.actor.accountId },
		});
		expect(answer.body.data).toEqual([]);
	});
});

describe("the order of checks", () => {
	test.each<[string, (w: World) => CallOptions, number]>([
		["a malformed body on a bad key is 401", () => ({ key: "server-bad", body: "{" }), 401],
		["a malformed body on a publishable key is 403", (w) => ({ key: w.publishableKey, body: "{" }), 403],
		["a malformed body on a good key is 400", () => ({ body: "{" }), 400],
		["a wrong body on a bad key is 401", () => ({ key: "server-bad", body: {} }), 401],
	])("%s", async (_, options, status) => {
		const w = world();
		expect((await w.call("POST", "/products", options(w))).status).toBe(status);
	});

	test("validation comes before existence, existence before rules", async () => {
		const { call } = world();
		expect(await call("PATCH", "/products/unknown", { body: { displayName: 5 } })).toMatchObject({ status: 400 });
		expect(await call("PATCH", "/products/unknown", { body: { displayName: "x" } })).toMatchObject({
			status: 404,
			body: { code: "ProductNotFoundError" },
		});
	});
});

describe("bodies", () => {
	test.each([
		["malformed JSON", { body: "{" }, "JSON"],
		["a wrong content type", { body: "id=1", headers: { "content-type": "text/plain" } }, "application/json"],
		["nesting too deep", { body: `${"[".repeat(100_000)}${"]".repeat(100_000)}` }, "nests"],
		["an unknown key", { body: { ...product, colour: "red" } }, "/colour"],
		["a number in quotes", { body: { ...product, multipleSubscriptions: "true" } }, "/multipleSubscriptions"],
		["a missing field", { body: { id: "a" } }, "/displayName"],
		["an id that is too long", { body: { ...product, id: longText(256) } }, "/id"],
		["an id with a bad pattern", { body: { ...product, id: "-a" } }, "/id"],
	])("%s is 400 and names the place", async (_, options, place) => {
		const answer = await world().call("POST", "/products", options);
		expect(answer.status).toBe(400);
		expect(answer.body).toEqual({ message: expect.stringContaining(place), code: "BadUserInput" });
	});

	test("a body over the limit is 413 with the error body", async () => {
		const answer = await world().call("POST", "/products", { body: `"${longText(1024 * 1024)}"` });
		expect(answer.status).toBe(413);
		expect(answer.body).toEqual({ message: expect.stringContaining("larger"), code: null });
	});

	test("a query key that the route does not know is 400", async () => {
		expect(await world().call("GET", "/products?colour=red")).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining("/colour") },
		});
	});
});

describe("x-request-id", () => {
	test("is taken when it is sane, else made", async () => {
		const { call } = world();
		const sane = await call("GET", "/products", { headers: { "x-request-id": "abc-1" } });
		expect(sane.headers.get("x-request-id")).toBe("abc-1");
		const odd = await call("GET", "/products", { headers: { "x-request-id": "a b\tc" } });
		expect(odd.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
	});
});

describe("Idempotency-Key", () => {
	const headers = { "idempotency-key": "once" };

	test("the answer is kept and replayed, and nothing happens twice", async () => {
		const { call } = world();
		const first = await call("POST", "/products", { body: product, headers });
		const second = await call("POST", "/products", { body: product, headers });
		expect(second.status).toBe(201);
		expect(second.body).toEqual(first.body);
		expect(first.headers.get("idempotent-replayed")).toBeNull();
		expect(second.headers.get("idempotent-replayed")).toBe("true");
	});

	test("the same key with another body is 400", async () => {
		const { call } = world();
		await call("POST", "/products", { body: product, headers });
		expect(await call("POST", "/products", { body: { ...product, id: "other" }, headers })).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining("'once'") },
		});
	});

	test("a refusal is not kept: the caller may correct the call and send it again", async () => {
		const { call } = world();
		expect((await call("POST", "/products", { body: {}, headers })).status).toBe(400);
		expect((await call("POST", "/products", { body: product, headers })).status).toBe(201);
	});

	test("an answer is replayed to the caller who earned it, and to nobody else", async () => {
		const w = world();
		const [first, second, reader] = [
			w.scopedKey("CATALOG:WRITE"),
			w.scopedKey("CATALOG:WRITE"),
			w.scopedKey("CATALOG:READ"),
		];
		const send = (key: string) => w.call("POST", "/products", { body: product, headers, key });
		expect((await send(first)).status).toBe(201);
		for (const key of [second, w.key])
			expect(await send(key)).toMatchObject({
				status: 400,
				body: { code: "BadUserInput", message: expect.stringContaining("another caller") },
			});
		expect(await send(reader)).toMatchObject({ status: 403, body: { code: "AccessDeniedError" } });
		expect(await send(w.publishableKey)).toMatchObject({ status: 403, body: { code: "IdentityForbidden" } });
		expect((await send(first)).headers.get("idempotent-replayed")).toBe("true");
	});

	test("writes to other files than the main file belong to their caller too", async () => {
		const w = world();
		await w.call("POST", "/customers", { body: { id: "acme" } });
		const body = { events: [{ eventName: "used", customerId: "acme", idempotencyKey: "1" }] };
		const send = (key: string) => w.call("POST", "/events", { body, headers, key });
		expect((await send(w.scopedKey("USAGE:WRITE"))).status).toBe(200);
		expect(await send(w.scopedKey("USAGE:WRITE"))).toMatchObject({
			status: 400,
			body: { message: expect.stringContaining("another caller") },
		});
		expect((await send(w.scopedKey("USAGE:READ"))).status).toBe(403);
	});

	test("is kept for each environment, and for 24 hours", async () => {
		const w = world();
		await w.call("POST", "/products", { body: product, headers });
		expect((await w.call("POST", "/products", { body: product, headers, key: w.foreignKey })).status).toBe(201);
		w.clock.at = (w.clock.at + 24 * 60 * 60 * 1000) as typeof w.clock.at;
		expect((await w.call("POST", "/products", { body: product, headers })).status).toBe(409);
	});
});
