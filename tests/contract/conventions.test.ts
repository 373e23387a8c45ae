import { describe, expect, test } from "bun:test";
import packageJson from "../../package.json";
import { createApp } from "../../src/app";
import { world } from "../support/world";
import { isError } from "./refusal";

const { call, services } = world();

describe("entity-level rate limits", () => {
	// All of the interface's two tables; an empty body counts as well.
	const sale = (customerId: string, resourceId?: string) => ({
		customerId,
		planId: "none",
		...(resourceId && { resourceId }),
	});
	const card = { integrationId: "i", paymentMethodId: "pm", vendorIdentifier: "STRIPE" };
	const routes: ReadonlyArray<[string, string, (id: string) => string, body?: object]> = [
		["POST", "/subscriptions/:id/cancel", (id) => `/subscriptions/${id}/cancel`],
		["PATCH", "/subscriptions/:id", (id) => `/subscriptions/${id}`, {}],
		["POST", "/subscriptions/:id/migrate", (id) => `/subscriptions/${id}/migrate`],
		["POST", "/subscriptions/:id/transfer", (id) => `/subscriptions/${id}/transfer`, { destinationResourceId: "r" }],
		["POST", "/subscriptions/:id/delegate", (id) => `/subscriptions/${id}/delegate`, { targetCustomerId: "c" }],
		["DELETE", "/subscriptions/:id/future-update/schedule", (id) => `/subscriptions/${id}/future-update/schedule`],
		[
			"DELETE",
			"/subscriptions/:id/future-update/pending-payment",
			(id) => `/subscriptions/${id}/future-update/pending-payment`,
		],
		["PATCH", "/customers/:id", (id) => `/customers/${id}`, {}],
		["POST", "/customers/:id/archive", (id) => `/customers/${id}/archive`],
		["POST", "/customers/:id/unarchive", (id) => `/customers/${id}/unarchive`],
		["POST", "/customers/:id/payment-method", (id) => `/customers/${id}/payment-method`, card],
		["DELETE", "/customers/:id/payment-method", (id) => `/customers/${id}/payment-method`],
	];

	test.each(routes)(
		"%s %s: 30 calls a minute for each entity; others and other routes are unaffected",
		async (method, _, path, body) => {
			const { call: send } = world();
			const options = body ? { body } : {};
			for (let at = 0; at < 30; at += 1) expect((await send(method, path("a"), options)).status).toBe(404);
			const refused = await send(method, path("a"), options);
			isError(refused, 429, "RateLimitExceeded", "'a'");
			for (const name of ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"])
				expect(Number(refused.headers.get(name))).toBeGreaterThanOrEqual(0);
			expect((await send(method, path("b"), options)).status).toBe(404);
			for (const [otherMethod, , other, otherBody] of routes)
				if (other !== path) {
					const answer = await send(otherMethod, other("a"), otherBody ? { body: otherBody } : {});
					expect(answer.status).toBe(404);
				}
			expect((await send("GET", "/customers/a")).status).toBe(404);
			expect((await send("POST", "/subscriptions/a/usage/sync")).status).toBe(404);
		},
	);

	test("POST /subscriptions: by customer and resource, or by customer alone", async () => {
		const { call: send, limitClock } = world();
		for (const resource of [undefined, "r"]) {
			for (let at = 0; at < 30; at += 1)
				isError(await send("POST", "/subscriptions", { body: sale("a", resource) }), 404, "CustomerNotFound");
			isError(await send("POST", "/subscriptions", { body: sale("a", resource) }), 429, "RateLimitExceeded");
		}
		isError(await send("POST", "/subscriptions", { body: sale("a", "other") }), 404, "CustomerNotFound");
		isError(await send("POST", "/subscriptions", { body: sale("b") }), 404, "CustomerNotFound");
		limitClock.ms += 60_000;
		isError(await send("POST", "/subscriptions", { body: sale("a") }), 404, "CustomerNotFound");
	});

	test("no other route is limited by an entity", async () => {
		const { call: send } = world();
		for (let at = 0; at < 40; at += 1) {
			expect((await send("GET", "/subscriptions/a")).status).toBe(404);
			expect((await send("POST", "/customers/a/invoices/i/pdf/generate")).status).toBe(404);
		}
	});
});

describe("versioning and conventions", () => {
	test("every REST path carries /api/v1, and the description has the interface's version", async () => {
		const app = createApp(services);
		const { info, paths } = await app.handle(new Request("http://localhost/openapi.json")).then((one) => one.json());
		expect(info["x-interface-version"]).toBe("8.59.0");
		expect(info.version).toBe(packageJson.version);
		const outside = Object.keys(paths).filter((path) => !/^\/api\/v1(-beta)?\//.test(path));
		expect(outside.sort()).toEqual(["/graphql", "/healthz", "/readyz", "/v1/metrics"]);
		expect((await call("GET", "/api/v2/coupons")).status).toBe(404);
	});

	test("bodies and answers are application/json", async () => {
		for (const answer of [
			await call("GET", "/coupons"),
			await call("GET", "/coupons/none"),
			await call("GET", "/none"),
		])
			expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
	});
});
