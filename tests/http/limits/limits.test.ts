import { describe, expect, test } from "bun:test";
import { longText, world } from "../../support/world";

const patch = (call: ReturnType<typeof world>["call"], id: string, key?: string, body: unknown = { name: "N" }) =>
	call("PATCH", `/customers/${id}`, { body, ...(key && { key }) });

describe("entity limits", () => {
	test("the 31st call in a minute for one customer is 429, with the standard headers", async () => {
		const { call } = world();
		for (const id of ["a", "b"]) await call("POST", "/customers", { body: { id } });
		for (let at = 0; at < 30; at += 1) {
			const answer = await patch(call, "a");
			expect(answer.status).toBe(200);
			expect(answer.headers.get("ratelimit-remaining")).toBe(String(29 - at));
		}
		const refused = await patch(call, "a");
		expect(refused.status).toBe(429);
		expect(refused.body).toEqual({ message: expect.stringContaining("'a'"), code: "RateLimitExceeded" });
		expect(refused.headers.get("retry-after")).toBe("60");
		expect(refused.headers.get("ratelimit-limit")).toBe("30");
		expect(refused.headers.get("ratelimit-reset")).toBe("60");
		// Others, and other routes, are unaffected.
		expect((await patch(call, "b")).status).toBe(200);
		expect((await call("GET", "/customers/a")).status).toBe(200);
	});

	test("a minute after the first call the next one is served", async () => {
		const { call, limitClock } = world();
		await call("POST", "/customers", { body: { id: "a" } });
		for (let at = 0; at < 30; at += 1) await patch(call, "a");
		limitClock.ms = 59_999;
		expect((await patch(call, "a")).status).toBe(429);
		limitClock.ms = 60_000;
		expect((await patch(call, "a")).status).toBe(200);
	});

	test("counts before validation and after authentication, for each environment apart", async () => {
		const { call, foreignKey } = world();
		for (let at = 0; at < 30; at += 1) expect((await patch(call, "a", undefined, "{")).status).toBe(400);
		expect((await patch(call, "a", undefined, "{")).status).toBe(429);
		expect((await patch(call, "a", "server-bad", "{")).status).toBe(401);
		expect((await patch(call, "a", foreignKey)).status).toBe(404);
	});

	test("provisioning counts customer and resource together, from the body", async () => {
		const { call } = world();
		const provision = (customerId: string, resourceId?: string) =>
			call("POST", "/subscriptions", { body: { customerId, planId: "none", ...(resourceId && { resourceId }) } });
		for (let at = 0; at < 30; at += 1) expect((await provision("a", "r")).status).toBe(404);
		expect((await provision("a", "r")).status).toBe(429);
		expect((await provision("a", "other")).status).toBe(404);
		expect((await provision("a")).status).toBe(404);
	});

	test("keeps nothing of what is too long for an id", async () => {
		const { call, services } = world();
		const long = longText(256);
		const provision = (body: object) => call("POST", "/subscriptions", { body: { ...body, planId: "p" } });
		expect((await provision({ customerId: long, resourceId: "r" })).status).toBe(400);
		expect((await patch(call, long)).status).toBe(400);
		expect(services.limits.size).toBe(0);
		// For a resource that cannot exist, the customer counts.
		expect((await provision({ customerId: "a", resourceId: long })).status).toBe(400);
		expect((await patch(call, longText(255))).status).toBe(404);
		expect(services.limits.size).toBe(2);
	});
});
