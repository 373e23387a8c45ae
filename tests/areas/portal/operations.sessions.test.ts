import { beforeEach, describe, expect, test } from "bun:test";
import { createApp } from "../../../src/app";
import { changeEnvironment } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { purgeCheckouts, purgeCustomerSessions } from "../../../src/areas/portal/operations.sessions";
import type { Instant } from "../../../src/kernel/clock";
import type { RouteDetail } from "../../../src/openapi/operation";
import { type World, world } from "../../support/world";
import { provision, shop, stock } from "../subscriptions/shop";
import { callBy, checkoutOf, order, portalOf, tokenIn } from "./links";

let w: World;
beforeEach(async () => {
	w = await shop();
});

const start = (body?: object, key = w.key) => w.call("POST", "/customers/acme/portal-sessions", { key, body });

describe("a link to the portal", () => {
	test("has its token after '#', shown once, and expires after an hour by default", async () => {
		const { status, body } = await w.call("POST", "/customers/acme/portal-sessions");
		expect([status, body.data]).toEqual([
			201,
			{
				id: expect.any(String),
				customerId: "acme",
				url: expect.stringMatching(/^http:\/\/localhost\/portal#portal-[\w-]{32}$/),
				token: expect.stringMatching(/^portal-[\w-]{32}$/),
				expiresAt: "2026-01-31T01:00:00.000Z",
			},
		]);
		expect((await start({ expiresInMinutes: 5 })).body.data.expiresAt).toBe("2026-01-31T00:05:00.000Z");
		const kept = JSON.stringify(w.db.$client.query("SELECT * FROM customer_sessions").all());
		expect(kept).not.toContain(body.data.token);
	});

	test("expires by the machine's clock, not by the test clock", async () => {
		const call = await portalOf(w);
		await w.advance("2027-01-01T00:00:00Z");
		expect((await call("GET", "/portal")).status).toBe(200);
		w.clock.at = (w.clock.at + 60 * 60_000) as Instant;
		expect((await call("GET", "/portal")).body).toEqual({
			code: "Unauthenticated",
			message: "This link has ended; go back to where you found it, and open it again.",
		});
	});

	test("ends when the customer signs out, or the customer or its environment is archived", async () => {
		const call = await portalOf(w);
		expect((await call("DELETE", "/portal/session")).status).toBe(200);
		expect((await call("GET", "/portal")).status).toBe(401);
		const other = await portalOf(w);
		await w.call("POST", "/customers/acme/archive");
		expect((await other("GET", "/portal")).status).toBe(401);
		await w.call("POST", "/customers/acme/unarchive");
		expect((await other("GET", "/portal")).status).toBe(200);
		w.transactions.write(systemActor(""), (work) => changeEnvironment(work, w.environmentId, { archivedAt: work.now }));
		expect((await other("GET", "/portal")).status).toBe(401);
	});

	test("requires an existing customer and an allowed return URL", async () => {
		expect((await start({ returnUrl: "https://app.example/settings?tab=1" })).status).toBe(201);
		for (const returnUrl of [
			"javascript:alert(1)",
			"data:text/html,x",
			"//evil.example",
			"/x",
			"https://a b",
			'https://a"b',
		])
			expect([(await start({ returnUrl })).body.code, returnUrl]).toEqual(["BadUserInput", returnUrl]);
		for (const body of [{ expiresInMinutes: 4 }, { expiresInMinutes: 1441 }, { expiresInMinutes: "60" }, { more: 1 }])
			expect((await start(body)).body.code).toBe("BadUserInput");
		expect((await w.call("POST", "/customers/none/portal-sessions")).body.code).toBe("CustomerNotFound");
		await w.call("POST", "/customers/acme/archive");
		expect((await start()).body.code).toBe("EntityIsArchivedError");
	});

	test("requires the scopes of everything that the portal can do", async () => {
		expect((await start(undefined, w.scopedKey("CUSTOMER:WRITE"))).status).toBe(403);
		expect((await start(undefined, w.scopedKey("CUSTOMER:WRITE", "SUBSCRIPTION:WRITE"))).status).toBe(403);
		expect((await start(undefined, w.scopedKey("CUSTOMER:WRITE", "SUBSCRIPTION:WRITE", "INVOICE:READ"))).status).toBe(
			201,
		);
		expect((await start(undefined, w.foreignKey)).body.code).toBe("CustomerNotFound");
		expect((await start(undefined, w.publishableKey)).status).toBe(403);
		const mutation = 'mutation { createCustomerPortalSession(input: { customerId: "acme" }) { url token } }';
		const byGraphql = (key: string) => w.call("POST", "/graphql", { key, body: { query: mutation } });
		expect((await byGraphql(w.scopedKey("CUSTOMER:WRITE"))).body.errors[0].extensions.code).toBe("AccessDeniedError");
		const { url, token } = (await byGraphql(w.key)).body.data.createCustomerPortalSession;
		expect(url).toBe(`http://localhost/portal#${token}`);
		expect((await callBy(w, token)("GET", "/portal")).body.data.customerId).toBe("acme");
	});

	test("with an Idempotency-Key, returns the token only the first time", async () => {
		const headers = { "idempotency-key": "once" };
		const first = await w.call("POST", "/customers/acme/portal-sessions", { headers });
		const second = await w.call("POST", "/customers/acme/portal-sessions", { headers });
		expect(second.body.data.id).toBe(first.body.data.id);
		expect(JSON.stringify(second.body)).not.toContain(first.body.data.token);
	});

	test("is deleted after its end, and an open checkout session a month after its end", async () => {
		await portalOf(w);
		await checkoutOf(w);
		const count = (table: string) => w.db.$client.query(`SELECT count(*) n FROM ${table}`).get() as { n: number };
		const purge = () =>
			w.transactions.write(systemActor(""), (work) => [purgeCustomerSessions(work, 100), purgeCheckouts(work, 100)]);
		expect(purge()).toEqual([0, 0]);
		w.clock.at = (w.clock.at + 24 * 60 * 60_000) as Instant;
		expect(purge()).toEqual([2, 0]);
		w.clock.at = (w.clock.at + 31 * 24 * 60 * 60_000) as Instant;
		expect([purge(), count("checkouts").n]).toEqual([[0, 1], 0]);
	});
});

describe("a customer's token allows only what its page does", () => {
	test("every other route returns 403, and these routes accept no other credentials", async () => {
		await provision(w, { planId: "basic", id: "sub" });
		const portal = await portalOf(w);
		const { call: checkout } = await checkoutOf(w);
		const routes = createApp(w.services).routes.filter(({ path }) => path.startsWith("/api/v1"));
		expect(routes.length).toBeGreaterThan(150);
		for (const { method, path, hooks } of routes) {
			const { permit } = hooks.detail as RouteDetail;
			if (!permit) continue;
			w.limitClock.ms += 60_000;
			const target = path.replace("/api/v1", "").replaceAll(/:\w+/g, "acme");
			for (const [kind, call] of [
				["PORTAL", portal],
				["CHECKOUT", checkout],
			] as const) {
				if (permit.session === kind) continue;
				const { status, body } = await call(method, target, method === "GET" ? undefined : {});
				expect([method, path, kind, status, body.code]).toEqual([method, path, kind, 403, "IdentityForbidden"]);
			}
			if (!permit.session) continue;
			for (const key of [w.key, w.publishableKey, w.scopedKey("CUSTOMER:WRITE")]) {
				const answer = await w.call(method, target, { key, ...(method !== "GET" && { body: {} }) });
				expect([method, path, answer.status]).toEqual([method, path, 403]);
			}
		}
	});

	test("it is refused by GraphQL, with a person's session, and together with a key", async () => {
		const call = await portalOf(w);
		expect((await call("POST", "/graphql", { query: "{ products { totalCount } }" })).status).toBe(403);
		expect((await call("GET", "/me")).status).toBe(401);
		expect((await call("GET", "/portal", undefined, { "x-api-key": w.publishableKey })).status).toBe(403);
		expect((await call("GET", "/v1/events")).status).not.toBe(200);
	});

	test("it neither reads nor changes other customers or environments", async () => {
		const foreign = world();
		await stock(foreign);
		await w.call("POST", "/customers", { body: { id: "other" } });
		await provision(w, { planId: "basic", id: "sub-acme" });
		await provision(w, { customerId: "other", planId: "basic", id: "sub-other" });
		const call = await portalOf(w, "other");
		const { body } = await call("GET", "/portal");
		expect(body.data.subscriptions.map(({ id }: { id: string }) => id)).toEqual(["sub-other"]);
		for (const [method, path] of [
			["GET", "options"],
			["POST", "preview"],
			["POST", "change"],
			["POST", "cancel"],
			["POST", "keep"],
		] as const) {
			const answer = await call(method, `/portal/subscriptions/sub-acme/${path}`, method === "GET" ? undefined : {});
			expect([path, answer.status, answer.body.code]).toEqual([path, 404, "SubscriptionNotFound"]);
		}
		const [invoice] = (await w.call("GET", "/customers/acme/invoices")).body.data;
		expect((await call("GET", `/portal/invoices/${invoice.invoiceId}/pdf`)).body.code).toBe("InvoiceNotFound");
		expect(
			(await call("GET", "/portal/invoices")).body.data.map(({ number }: { number: string }) => number),
		).not.toContain(invoice.invoiceNumber);
		const { token } = (await w.call("POST", "/customers/other/portal-sessions")).body.data;
		expect((await callBy(foreign, token)("GET", "/portal")).status).toBe(401);
		expect((await callBy(w, `${token}x`)("GET", "/portal")).status).toBe(401);
		expect((await callBy(w, `portal-${"x".repeat(300)}`)("GET", "/portal")).status).toBe(401);
	});

	test("a checkout token opens no portal, and a portal token no checkout", async () => {
		const portal = await portalOf(w);
		const { call: checkout } = await checkoutOf(w);
		expect((await portal("POST", "/checkout/confirm", { offer: "x" })).status).toBe(403);
		expect((await checkout("GET", "/portal")).status).toBe(403);
	});

	test("it allows thirty writes a minute", async () => {
		const call = await portalOf(w);
		const patch = () => call("PATCH", "/portal/billing", { name: "A" });
		for (let n = 0; n < 30; n += 1) expect((await patch()).status).toBe(200);
		expect((await patch()).status).toBe(429);
	});
});

describe("a page of another origin", () => {
	const shopOrigin = "https://shop.example";
	const allow = (...allowedOrigins: string[]) =>
		w.transactions.write(systemActor(""), (work) => changeEnvironment(work, w.environmentId, { allowedOrigins }));
	const allowed = ({ headers }: { readonly headers: Headers }) => headers.get("access-control-allow-origin");

	test("can use a portal token if the environment allows the origin", async () => {
		allow(shopOrigin);
		const call = await portalOf(w);
		const of = async (origin: string) => allowed(await call("GET", "/portal", undefined, { origin }));
		expect(await of(shopOrigin)).toBe(shopOrigin);
		expect(await of("https://evil.example")).toBeNull();
		const ended = callBy(w, "portal-ended");
		expect(allowed(await ended("GET", "/portal", undefined, { origin: shopOrigin }))).toBe(shopOrigin);
		const person = callBy(w, "session-x");
		expect(allowed(await person("GET", "/portal", undefined, { origin: shopOrigin }))).toBeNull();
		expect(allowed(await call("GET", "/plans", undefined, { origin: shopOrigin, "x-api-key": w.key }))).toBeNull();
		allow();
		expect(await of(shopOrigin)).toBeNull();
	});

	test("gets CORS preflight answers for portal routes, not for checkout routes", async () => {
		allow(shopOrigin);
		const ask = (path: string, method: string) =>
			w.call("OPTIONS", path, { key: "", headers: { origin: shopOrigin, "access-control-request-method": method } });
		const change = await ask("/portal/subscriptions/sub/change", "POST");
		expect([change.status, allowed(change)]).toEqual([204, shopOrigin]);
		expect(change.headers.get("access-control-allow-headers")?.toLowerCase()).toMatch(/authorization.*content-type/);
		expect(allowed(await ask("/checkout/confirm", "POST"))).toBeNull();
		expect(allowed(await ask("/customers/acme/portal-sessions", "POST"))).toBeNull();
	});
});

test("a checkout link uses the public address if one is set", async () => {
	Object.assign(w.services, { api: { ...w.services.api, publicUrl: "https://billing.example" } });
	const { body } = await w.call("POST", "/checkout-sessions", { body: order });
	expect(body.data.url).toStartWith("https://billing.example/checkout#checkout-");
	expect(tokenIn(body.data.url)).toMatch(/^checkout-[\w-]{32}$/);
});
