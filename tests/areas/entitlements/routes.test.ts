import { beforeAll, describe, expect, test } from "bun:test";
import { checkEntitlement, listEntitlements } from "../../../src/areas/entitlements/operations";
import { Aggregator } from "../../../src/areas/usage/counting/aggregator";
import type { Instant } from "../../../src/kernel/clock";
import { longText, type World } from "../../support/world";
import { maker, metered } from "../packages/catalogue";
import { isRefusal } from "../packages/guards";
import { provision, shop } from "../subscriptions/shop";

/** The shop, where `calls` counts the events "call", and a counter that the test starts. */
async function site() {
	const ours = await shop();
	const meter = {
		aggregation: { function: "COUNT" },
		filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }],
	};
	const set = await ours.call("PATCH", "/features/calls", { body: { meter } });
	if (set.status !== 200) throw new Error(JSON.stringify(set.body));
	const aggregator = new Aggregator({ folder: ours.folder });
	let events = 0;
	return {
		...ours,
		check: async (query: string, customer = "acme") =>
			(await ours.call("GET", `/customers/${customer}/entitlements/check?${query}`)).body.data,
		use: async (times: number, more: object = {}) => {
			const sent = Array.from({ length: times }, () => {
				events += 1;
				return { eventName: "call", customerId: "acme", idempotencyKey: `e${events}`, ...more };
			});
			const answer = await ours.call("POST", "/events", { body: { events: sent } });
			if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
			aggregator.run();
		},
	};
}
type Site = Awaited<ReturnType<typeof site>>;

describe("both routes", () => {
	let ours: Site;
	beforeAll(async () => {
		ours = await site();
		await provision(ours, { planId: "pro", billingPeriod: "MONTHLY" });
	});
	test.each(["/customers/acme/entitlements", "/customers/acme/entitlements/check?featureId=sso"])(
		"GET %s requires a key and its scope",
		async (path) => {
			const get = (key: string) => ours.call("GET", path, { key });
			isRefusal(await get(""), 401, "Unauthenticated");
			isRefusal(await get(ours.scopedKey("SUBSCRIPTION:READ")), 403, "AccessDeniedError", "CUSTOMER:READ");
			expect((await get(ours.publishableKey)).status).toBe(200);
			expect((await get(ours.scopedKey("CUSTOMER:READ"))).status).toBe(200);
			const foreign = (await get(ours.foreignKey)).body.data;
			expect(foreign).toMatchObject({ accessDeniedReason: "CustomerNotFound" });
			expect(JSON.stringify(foreign)).not.toContain("sso");
		},
	);

	test.each([
		"check",
		"check?featureId=sso&currencyId=gold",
		"check?featureId=",
		"check?featureId=calls&requestedUsage=one",
		"check?featureId=calls&requestedUsage=1e3",
		`check?featureId=${longText(256)}`,
		"check?featureId=sso&surprise=1",
		"?resource=site",
	])("GET …/entitlements/%s is an invalid query", async (query) => {
		const tail = query.startsWith("?") ? query : `/${query}`;
		isRefusal(await ours.call("GET", `/customers/acme/entitlements${tail}`), 400, "BadUserInput", "query");
	});

	test("refuses an invalid customer id", async () => {
		isRefusal(await ours.call("GET", "/customers/a%20b/entitlements"), 400, "BadUserInput", "id");
		isRefusal(await ours.call("GET", "/customers/-a/entitlements/check?featureId=sso"), 400, "BadUserInput", "id");
	});
});

describe("the check", () => {
	let ours: Site;
	beforeAll(async () => {
		ours = await site();
		await ours.call("POST", "/customers", { body: { id: "idle" } });
		await ours.call("POST", "/customers", { body: { id: "away" } });
		await ours.call("POST", "/customers/away/archive");
		await maker(ours).feature("unsold", metered);
		await provision(ours, {
			planId: "pro",
			billingPeriod: "MONTHLY",
			addons: [{ id: "extra", quantity: 2 }],
			unitQuantity: 3,
		});
	});

	test("shows all fields of a metered feature", async () => {
		expect(await ours.check("featureId=calls")).toEqual({
			type: "FEATURE",
			isGranted: true,
			accessDeniedReason: null,
			feature: { id: "calls", displayName: "calls", featureStatus: "ACTIVE", featureType: "NUMBER" },
			currentUsage: 0,
			usageLimit: 2000,
			hasUnlimitedUsage: false,
			resetPeriod: "MONTH",
			usagePeriodAnchor: "2026-01-31T00:00:00.000Z",
			usagePeriodStart: "2026-01-31T00:00:00.000Z",
			usagePeriodEnd: "2026-02-28T00:00:00.000Z",
			entitlementUpdatedAt: "2026-01-31T00:00:00.000Z",
			validUntil: "2026-02-28T00:00:00.000Z",
		});
	});

	test("shows a boolean with neither limit nor usage", async () => {
		expect(await ours.check("featureId=sso")).toEqual({
			type: "FEATURE",
			isGranted: true,
			accessDeniedReason: null,
			feature: { id: "sso", displayName: "sso", featureStatus: "ACTIVE", featureType: "BOOLEAN" },
			resetPeriod: null,
			entitlementUpdatedAt: "2026-01-31T00:00:00.000Z",
		});
	});

	test("shows credits with what the plan grants", async () => {
		expect(await ours.check("currencyId=gold")).toEqual({
			type: "CREDIT",
			isGranted: true,
			accessDeniedReason: null,
			currency: {
				currencyId: "gold",
				displayName: "gold",
				description: null,
				metadata: {},
				unitSingular: null,
				unitPlural: null,
			},
			currentUsage: 0,
			usageLimit: 100,
			usageUpdatedAt: "2026-01-31T00:00:00.000Z",
			entitlementUpdatedAt: "2026-01-31T00:00:00.000Z",
			usagePeriodEnd: "2026-02-28T00:00:00.000Z",
			validUntil: "2026-02-28T00:00:00.000Z",
		});
	});

	const answers: Array<[string, string, string | null]> = [
		["acme", "featureId=calls&requestedUsage=2000", null],
		["acme", "featureId=calls&requestedUsage=2000.5", "RequestedUsageExceedingLimit"],
		["acme", "featureId=seats&requestedUsage=3", null],
		["acme", "featureId=seats&requestedUsage=4", "RequestedUsageExceedingLimit"],
		["acme", "featureId=region&requestedValues=eu", null],
		["acme", "featureId=region&requestedValues=eu,us", "RequestedValuesMismatch"],
		["acme", "featureId=region&requestedValues=eu&requestedValues=us", "RequestedValuesMismatch"],
		["acme", "featureId=sso&requestedUsage=1", "FeatureTypeMismatch"],
		["acme", "featureId=calls&requestedValues=eu", "FeatureTypeMismatch"],
		["acme", "featureId=unsold", "NoFeatureEntitlementInSubscription"],
		["acme", "featureId=none", "FeatureNotFound"],
		["acme", "featureId=sso&resourceId=", null],
		["acme", "featureId=sso&resourceId=nowhere", "CustomerResourceNotFound"],
		["acme", "currencyId=gold&requestedUsage=100", null],
		["acme", "currencyId=gold&requestedUsage=101", "InsufficientCredits"],
		["acme", "currencyId=silver", "EntitlementNotFound"],
		["idle", "featureId=sso", "NoActiveSubscription"],
		["idle", "featureId=none", "FeatureNotFound"],
		["idle", "currencyId=gold", "NoActiveSubscription"],
		["away", "featureId=sso", "CustomerIsArchived"],
		["nobody", "featureId=sso", "CustomerNotFound"],
		["nobody", "currencyId=gold", "CustomerNotFound"],
	];
	test.each(answers)("check of %s for %s: %s", async (customer, query, reason) => {
		// Twice: the cached answer equals the first.
		for (const _ of [1, 2])
			expect(await ours.check(query, customer)).toMatchObject({
				isGranted: reason === null,
				accessDeniedReason: reason,
			});
	});
});

describe("usage", () => {
	let ours: Site;
	beforeAll(async () => {
		ours = await site();
		await provision(ours, { planId: "free" });
	});

	test("counts against the limit, up to the last unit", async () => {
		expect(await ours.check("featureId=calls")).toMatchObject({ isGranted: true, currentUsage: 0, usageLimit: 10 });
		await ours.use(9);
		expect(await ours.check("featureId=calls")).toMatchObject({ isGranted: true, currentUsage: 9 });
		expect(await ours.check("featureId=calls&requestedUsage=2")).toMatchObject({ isGranted: false });
		await ours.use(1);
		expect(await ours.check("featureId=calls")).toMatchObject({
			isGranted: false,
			accessDeniedReason: "RequestedUsageExceedingLimit",
			currentUsage: 10,
		});
		expect(await ours.check("featureId=calls&requestedUsage=0")).toMatchObject({ isGranted: true });
		const list = (await ours.call("GET", "/customers/acme/entitlements")).body.data.entitlements;
		expect(list).toEqual([await ours.check("featureId=calls")]);
	});

	test("resets exactly at the start of the period", async () => {
		await provision(ours, { planId: "pro", billingPeriod: "MONTHLY" });
		expect(await ours.check("featureId=calls")).toMatchObject({ currentUsage: 10, usageLimit: 1000 });
		ours.clock.at = (Date.UTC(2026, 1, 28) - 1) as Instant;
		expect(await ours.check("featureId=calls")).toMatchObject({ currentUsage: 10 });
		ours.clock.at = Date.UTC(2026, 1, 28) as Instant;
		expect(await ours.check("featureId=calls")).toMatchObject({
			currentUsage: 0,
			usagePeriodStart: "2026-02-28T00:00:00.000Z",
			usagePeriodEnd: "2026-03-31T00:00:00.000Z",
		});
	});
});

test("a resource has its own subscription and usage, and the customer's product with a single subscription", async () => {
	const ours = await site();
	const make = maker(ours);
	await ours.call("PATCH", "/products/app", { body: { multipleSubscriptions: true } });
	await make.product("base");
	await make.feature("support");
	await make.plan("care", { productId: "base" });
	await make.entitle("/plans/care", { type: "FEATURE", id: "support" });
	await make.charge("/plans/care", { pricingType: "FREE" });
	await make.publish("/plans/care");
	await provision(ours, { planId: "care" });
	await provision(ours, { planId: "free", resourceId: "site" });
	const granted = async (query: string) => (await ours.check(query)).accessDeniedReason;
	expect(await granted("featureId=calls&resourceId=site")).toBeNull();
	expect(await granted("featureId=support&resourceId=site")).toBeNull();
	expect(await granted("featureId=support")).toBeNull();
	expect(await granted("featureId=calls")).toBe("NoFeatureEntitlementInSubscription");
	await ours.use(3, { resourceId: "site" });
	await ours.use(1);
	expect(await ours.check("featureId=calls&resourceId=site")).toMatchObject({ currentUsage: 3 });
	const list = async (tail: string) =>
		(await ours.call("GET", `/customers/acme/entitlements${tail}`)).body.data.entitlements.map(
			(one: { feature: { id: string } }) => one.feature.id,
		);
	expect(await list("")).toEqual(["support"]);
	expect((await list("?resourceId=site")).sort()).toEqual(["calls", "support"]);
	expect((await ours.call("GET", "/customers/acme/entitlements?resourceId=none")).body.data).toEqual({
		accessDeniedReason: "NoActiveSubscription",
		entitlements: [],
	});
});

test("an empty list has a reason", async () => {
	const ours = await site();
	const list = async (id: string) => (await ours.call("GET", `/customers/${id}/entitlements`)).body.data;
	expect(await list("nobody")).toEqual({ accessDeniedReason: "CustomerNotFound", entitlements: [] });
	expect(await list("acme")).toEqual({ accessDeniedReason: "NoActiveSubscription", entitlements: [] });
	await ours.call("POST", "/customers/acme/archive");
	expect(await list("acme")).toEqual({ accessDeniedReason: "CustomerIsArchived", entitlements: [] });
});

test("inherits a base plan's entitlements, and revocation", async () => {
	const ours = await site();
	const make = maker(ours);
	await make.plan("child", { parentPlanId: "pro" });
	await make.entitle(
		"/plans/child",
		{ type: "FEATURE", id: "calls", usageLimit: 50 },
		{ type: "FEATURE", id: "sso", isGranted: false },
	);
	await make.charge("/plans/child", { pricingType: "FREE" });
	await make.publish("/plans/child");
	await provision(ours, { planId: "child" });
	expect(await ours.check("featureId=calls")).toMatchObject({ isGranted: true, usageLimit: 1050 });
	expect(await ours.check("featureId=sso")).toMatchObject({ isGranted: false, accessDeniedReason: "Revoked" });
	expect(await ours.check("featureId=region&requestedValues=eu")).toMatchObject({ isGranted: true });
});

test("the next check shows every change, and the answers equal those without caches", async () => {
	const ours = await site();
	const uncached = (world: World, query: object) =>
		world.transactions.read(world.actor, (work) => checkEntitlement(work, "acme", { featureId: "calls", ...query }));
	const steps: Array<() => Promise<unknown>> = [
		() => provision(ours, { planId: "free", id: "s1" }),
		() => ours.use(4),
		() => provision(ours, { planId: "pro", billingPeriod: "MONTHLY", id: "s2" }),
		() => ours.call("POST", "/subscriptions/s2/cancel"),
		() => provision(ours, { planId: "free", entitlements: [{ type: "FEATURE", id: "calls", usageLimit: 77 }] }),
		() => ours.call("PATCH", "/features/calls", { body: { displayName: "Calls" } }),
	];
	const seen = [];
	for (const step of steps) {
		await step();
		const answer = await ours.check("featureId=calls");
		expect(answer).toEqual(uncached(ours, {}));
		const list = (await ours.call("GET", "/customers/acme/entitlements")).body.data;
		expect(list).toEqual(ours.transactions.read(ours.actor, (work) => listEntitlements(work, "acme")));
		seen.push([answer.isGranted, answer.currentUsage, answer.usageLimit, answer.feature.displayName]);
	}
	expect(seen).toEqual([
		[true, 0, 10, "calls"],
		[true, 4, 10, "calls"],
		[true, 4, 1000, "calls"],
		[false, undefined, undefined, "calls"],
		[true, 4, 77, "calls"],
		[true, 4, 77, "Calls"],
	]);
});
