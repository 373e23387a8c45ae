import { beforeAll, describe, expect, test } from "bun:test";
import { changeEnvironment } from "../../src/areas/access/operations";
import { signCustomer, signingSecret } from "../../src/areas/access/rules.secrets";
import { paywallDocument, stateDocument, subscriptionsDocument } from "../../src/graphql/edge/documents";
import { provision, stock } from "../areas/subscriptions/shop";
import { folderSecret, type World, world } from "../support/world";
import { data } from "./ask";

let ours: World;

async function stocked(here = world()) {
	await stock(here);
	await provision(here, { id: "sub", planId: "pro", billingPeriod: "MONTHLY", addons: [{ id: "extra", quantity: 1 }] });
	await here.call("POST", "/customers", { body: { id: "idle" } });
	return here;
}

beforeAll(async () => {
	ours = await stocked();
});

const get = (path: string, options: object = {}, here = ours) => here.call("GET", path, options);
const errorOf = ({ body }: Awaited<ReturnType<typeof get>>) => [body.data, body.errors?.[0].extensions.code];

describe("the edge has the bodies of GraphQL", () => {
	test("a paywall, of all products and of one", async () => {
		const input = { fetchAllCountriesPrices: false, includeHiddenPlans: false };
		const asked = await data(ours, paywallDocument, { input });
		expect(asked.paywall.plans).toHaveLength(4);
		const undecided = "fetchAllCountriesPrices=undefined&billingCountryCode=undefined&includeHiddenPlans=undefined";
		for (const path of ["/v1/paywall.json", `/v1/paywall.json?${undecided}`, "/v1/p/app/paywall.json"])
			expect([path, (await get(path)).body]).toEqual([path, { data: asked }]);
		expect(errorOf(await get("/v1/p/none/paywall.json"))).toEqual([null, "ProductNotFoundError"]);
		expect((await get("/v1/paywall.json?fetchAllCountriesPrices=true")).status).toBe(200);
		expect((await get("/v1/paywall.json?billingCountryCode=Germany")).status).toBe(400);
		expect((await get("/v1/paywall.json?other=1")).status).toBe(400);
	});

	test("entitlements of a customer, in both forms", async () => {
		const query = { customerId: "acme", resourceId: null };
		const state = (await get("/v1/c/acme/entitlements-state.json")).body;
		expect(state).toEqual({ data: await data(ours, stateDocument, { query }) });
		expect(state.data.entitlementsState.entitlementsV2.length).toBeGreaterThan(3);
		const all = (await get("/v1/c/acme/entitlements.json?resourceId=")).body.data.entitlements;
		expect(all.map(({ __typename }: { __typename: string }) => __typename)).not.toContain("CreditEntitlement");
		const refs = all.map(({ feature }: { feature: { refId: string } }) => feature.refId);
		expect(refs.sort()).toEqual(["calls", "region", "seats", "sso"]);
		expect((await get("/v1/c/nobody/entitlements.json")).body).toEqual({ data: { entitlements: [] } });
		expect((await get("/v1/c/idle/entitlements-state.json")).body.data.entitlementsState).toEqual({
			accessDeniedReason: "NoActiveSubscription",
			entitlementsV2: [],
		});
	});

	test("one feature, with what is about to be used", async () => {
		const one = async (more: string) =>
			(await get(`/v1/c/acme/entitlements.json?featureId=calls&requestedUsage=${more}`)).body.data.entitlements;
		expect(await one("10")).toMatchObject([{ isGranted: true, requestedUsage: 10, feature: { refId: "calls" } }]);
		expect(await one("100000")).toMatchObject([
			{ isGranted: false, accessDeniedReason: "RequestedUsageExceedingLimit", requestedUsage: 100_000 },
		]);
		expect((await get("/v1/c/acme/entitlements.json?featureId=calls&requestedUsage=many")).status).toBe(400);
	});

	test("a customer's active subscriptions, of some resources too", async () => {
		const input = { customerId: "acme" };
		expect((await get("/v1/c/acme/subscriptions.json")).body).toEqual({
			data: await data(ours, subscriptionsDocument, { input }),
		});
		const none = await get("/v1/c/acme/subscriptions.json?resourceIds=one&resourceIds=two");
		expect(none.body).toEqual({ data: { getActiveSubscriptions: [] } });
	});

	test("configurations, and no queue of events", async () => {
		for (const name of ["server-sdk", "client-sdk", "persistent-cache-service"])
			expect((await get(`/v1/config/${name}-configuration.json`)).body).toEqual({
				data: { sdkConfiguration: { sentryDsn: null } },
			});
		expect((await get("/v1/credentials/event-queue.json")).body).toEqual({ data: { eventQueue: null } });
	});

	test("long addresses, of the key's own environment only", async () => {
		const long = (path: string, environmentId = ours.environmentId) =>
			get(`/v1/a/${ours.actor.accountId}/e/${environmentId}${path}`);
		for (const path of ["/paywall.json", "/c/acme/entitlements-state.json", "/config/server-sdk-configuration.json"])
			expect((await long(path)).body).toEqual((await get(`/v1${path}`)).body);
		expect((await long("/paywall.json", "other")).status).toBe(404);
	});
});

describe("permissions", () => {
	const paths = ["/v1/paywall.json", "/v1/c/acme/entitlements-state.json", "/v1/c/acme/entitlements.json"];

	test("a publishable key reads the paywall and the entitlements of one customer", async () => {
		const key = ours.publishableKey;
		for (const path of [...paths, "/v1/config/client-sdk-configuration.json"])
			expect([path, (await get(path, { key })).body]).toEqual([path, (await get(path)).body]);
		for (const path of ["/v1/c/acme/subscriptions.json", "/v1/credentials/event-queue.json"])
			expect([path, (await get(path, { key })).status]).toEqual([path, 403]);
		const all = await get("/v1/paywall.json?fetchAllCountriesPrices=true", { key });
		expect(errorOf(all)).toEqual([null, "FetchAllCountriesPricesNotAllowed"]);
	});

	test("a scoped key reads by its scopes, another environment's key its own, no key nothing", async () => {
		expect((await get("/v1/paywall.json", { key: ours.scopedKey("CUSTOMER:READ") })).status).toBe(403);
		expect((await get("/v1/c/acme/entitlements.json", { key: ours.scopedKey("CATALOG:READ") })).status).toBe(403);
		expect((await get("/v1/paywall.json", { key: ours.foreignKey })).body.data.paywall.plans).toEqual([]);
		expect((await get("/v1/c/acme/entitlements.json", { key: ours.foreignKey })).body.data.entitlements).toEqual([]);
		for (const path of paths) expect((await get(path, { key: "" })).status).toBe(401);
	});

	test("with client hardening a publishable key proves its customer", async () => {
		const here = await stocked();
		here.transactions.write(here.actor, (work) =>
			changeEnvironment(work, here.environmentId, { clientHardening: true }),
		);
		const token = (id: string) => signCustomer(signingSecret(folderSecret, here.environmentId), id);
		const send = (headers: object) =>
			get("/v1/c/acme/entitlements-state.json", { key: here.publishableKey, headers }, here);
		expect((await send({})).body.code).toBe("AuthCustomerMismatch");
		expect((await send({ "x-customer-token": token("idle") })).body.code).toBe("AuthCustomerMismatch");
		expect(
			(await send({ "x-customer-token": token("acme") })).body.data.entitlementsState.accessDeniedReason,
		).toBeNull();
		expect((await get("/v1/paywall.json", { key: here.publishableKey }, here)).status).toBe(200);
	});
});

describe("an unchanged answer", () => {
	const path = "/v1/c/acme/entitlements-state.json";

	test("is not sent again, and is recognized without a database read, until something changes", async () => {
		const here = await stocked();
		let reads = 0;
		const counting = new Proxy(here.transactions.read, {
			apply(target, self, given) {
				reads += 1;
				return Reflect.apply(target, self, given);
			},
		});
		Object.assign(here.transactions, { read: counting });
		const first = await get(path, {}, here);
		expect(reads).toBeGreaterThan(0);
		const tag = first.headers.get("etag") ?? "";
		expect(tag).toMatch(/^"\w+"$/);
		expect(first.headers.get("cache-control")).toBe("private, no-cache");
		const again = () => get(path, { headers: { "if-none-match": `"other", ${tag}` } }, here);
		reads = 0;
		const known = await again();
		expect([known.status, known.body, known.headers.get("etag"), reads]).toEqual([304, undefined, tag, 0]);
		await here.call("PATCH", "/customers/idle", { body: { name: "Idle" } });
		expect((await again()).status).toBe(304);
		await here.call("POST", "/usage", { body: { usages: [{ customerId: "acme", featureId: "calls", value: 3 }] } });
		const changed = await again();
		expect(changed.status).toBe(200);
		expect(changed.headers.get("etag")).not.toBe(tag);
	});

	test("is another one once its time has come", async () => {
		const here = await stocked();
		const usageOf = async () => {
			const { entitlementsV2 } = (await get(path, {}, here)).body.data.entitlementsState;
			return entitlementsV2.find((one: { feature?: { refId: string } }) => one.feature?.refId === "calls").currentUsage;
		};
		await here.call("POST", "/usage", { body: { usages: [{ customerId: "acme", featureId: "calls", value: 3 }] } });
		expect(await usageOf()).toBe(3);
		here.clock.at = Date.parse("2026-03-01T00:00:00.000Z") as typeof here.clock.at;
		expect(await usageOf()).toBe(0);
	});
});

test("an address may ask so often and no more, by whatever key", async () => {
	const here = await stocked();
	const statuses: number[] = [];
	for (let at = 0; at < 101; at += 1)
		statuses.push((await get("/v1/config/server-sdk-configuration.json", {}, here)).status);
	expect(statuses.filter((status) => status === 200)).toHaveLength(100);
	const refused = await get("/v1/paywall.json", { key: here.publishableKey }, here);
	expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("ratelimit-limit")]).toEqual([
		429,
		"2",
		"100",
	]);
	expect((await here.call("GET", "/plans")).status).toBe(200);
	here.limitClock.ms += 1100;
	expect((await get("/v1/paywall.json", {}, here)).status).toBe(200);
});

describe("GET /api/v1/paywall", () => {
	test("is the same paywall, and that of a customer for a server key", async () => {
		const edge = (await get("/v1/paywall.json")).body.data.paywall;
		expect((await ours.call("GET", "/paywall")).body).toEqual({ data: edge });
		const own = (await ours.call("GET", "/paywall?customerId=acme&productId=app")).body.data;
		expect([own.customer.refId, own.activeSubscriptions[0].refId]).toEqual(["acme", "sub"]);
		expect((await ours.call("GET", "/paywall", { key: ours.publishableKey })).body.data).toEqual(edge);
	});

	test("is refused with the status of REST", async () => {
		const refusal = async (query: string, key = ours.key) => {
			const { status, body } = await ours.call("GET", `/paywall?${query}`, { key });
			return [status, body.code];
		};
		expect(await refusal("productId=none")).toEqual([404, "ProductNotFoundError"]);
		expect(await refusal("customerId=none")).toEqual([404, "CustomerNotFound"]);
		expect(await refusal("customerId=acme&resourceId=none")).toEqual([404, "CustomerResourceNotFound"]);
		for (const currency of ["", "a%00b", "zzz", "USD", "usd%20", "undefined"])
			expect([currency, ...(await refusal(`currency=${currency}`))]).toEqual([currency, 400, "BadUserInput"]);
		expect(await refusal("customerId=acme", ours.publishableKey)).toEqual([403, "IdentityForbidden"]);
		expect(await refusal("customerId=acme", ours.scopedKey("CATALOG:READ"))).toEqual([403, "AccessDeniedError"]);
		expect(await refusal("fetchAllCountriesPrices=true", ours.publishableKey)).toEqual([
			400,
			"FetchAllCountriesPricesNotAllowed",
		]);
	});
});
