import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkEntitlement, listEntitlements } from "../../../../src/areas/entitlements/operations";
import { Aggregator } from "../../../../src/areas/usage/counting/aggregator";
import type { Instant } from "../../../../src/kernel/clock";
import { maker } from "../../packages/catalogue";
import { provision, shop } from "../../subscriptions/shop";
import { body, granted, item, path } from "../grants";

/**
 * The shop (`free` has 10 calls, `pro` 1000 a month, sso and the region eu), where `calls` counts the events "call". Each
 * check is held against one that remembers nothing.
 */
async function site() {
	const ours = await shop();
	const meter = {
		aggregation: { function: "COUNT" },
		filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }],
	};
	await ours.call("PATCH", "/features/calls", { body: { meter } });
	const aggregator = new Aggregator({ folder: ours.folder });
	let events = 0;
	return {
		...ours,
		at: (text: string) => {
			ours.clock.at = Date.parse(text) as Instant;
		},
		check: async (featureId: string, query: Readonly<Record<string, string>> = {}) => {
			const search = new URLSearchParams({ featureId, ...query });
			const answer = (await ours.call("GET", `/customers/acme/entitlements/check?${search}`)).body.data;
			expect(answer).toEqual(
				ours.transactions.read(ours.actor, (work) => checkEntitlement(work, "acme", { featureId, ...query })),
			);
			return answer;
		},
		list: async () => {
			const answer = (await ours.call("GET", "/customers/acme/entitlements")).body.data;
			expect(answer).toEqual(ours.transactions.read(ours.actor, (work) => listEntitlements(work, "acme")));
			return answer;
		},
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

test("a grant gives access to a customer without any subscription, until its very end", async () => {
	const { check, list, at, ...ours } = await site();
	expect(await check("sso")).toMatchObject({ isGranted: false, accessDeniedReason: "NoActiveSubscription" });
	await granted(ours, item("sso"));
	for (const time of ["2026-01-31T00:00:00.000Z", "2026-02-27T23:59:59.999Z"]) {
		at(time);
		expect(await check("sso")).toMatchObject({
			isGranted: true,
			accessDeniedReason: null,
			entitlementUpdatedAt: "2026-01-31T00:00:00.000Z",
			validUntil: "2026-02-28T00:00:00.000Z",
		});
		expect(await check("calls")).toMatchObject({ accessDeniedReason: "NoFeatureEntitlementInSubscription" });
		expect((await list()).entitlements).toMatchObject([{ feature: { id: "sso" }, isGranted: true }]);
	}
	at("2026-02-28T00:00:00.000Z");
	expect(await check("sso")).toMatchObject({ isGranted: false, accessDeniedReason: "NoActiveSubscription" });
	expect(await check("calls")).toMatchObject({ accessDeniedReason: "NoActiveSubscription" });
	expect(await list()).toEqual({ accessDeniedReason: "NoActiveSubscription", entitlements: [] });
});

describe("with a subscription to 'pro', which has 1000 calls", () => {
	let ours: Awaited<ReturnType<typeof site>>;
	beforeAll(async () => {
		ours = await site();
		await provision(ours, { planId: "pro", billingPeriod: "MONTHLY" });
		ours.at("2026-02-03T10:00:00.000Z");
	});
	const alongside: Array<[string, object, object]> = [
		["fewer calls change nothing", { usageLimit: 999 }, { usageLimit: 1000, resetPeriod: "MONTH" }],
		["as many change nothing", { usageLimit: 1000 }, { usageLimit: 1000, resetPeriod: "MONTH" }],
		["more take their place, and are never added", { usageLimit: 1001 }, { usageLimit: 1001, resetPeriod: null }],
		["unlimited ones beat any number", { hasUnlimitedUsage: true }, { usageLimit: null, hasUnlimitedUsage: true }],
		["less than nothing changes nothing", { usageLimit: -5 }, { usageLimit: 1000, resetPeriod: "MONTH" }],
		[
			"their own window is counted from their start",
			{ usageLimit: 2000, resetPeriod: "WEEK" },
			{ usageLimit: 2000, resetPeriod: "WEEK", usagePeriodAnchor: "2026-02-03T10:00:00.000Z" },
		],
	];
	test.each(alongside)("%s", async (_, terms, shown) => {
		await granted(ours, item("calls", terms));
		expect(await ours.check("calls")).toMatchObject({ isGranted: true, ...shown });
	});

	test("values are united, and features without a plan are included", async () => {
		await maker(ours).feature("audit");
		expect(await ours.check("region", { requestedValues: "eu,us" })).toMatchObject({ isGranted: false });
		await granted(ours, item("region", { enumValues: ["us"] }), item("audit"));
		expect(await ours.check("region", { requestedValues: "eu,us" })).toMatchObject({ isGranted: true });
		expect(await ours.check("audit")).toMatchObject({ isGranted: true });
	});
});

test("a feature that the plan takes away stays away", async () => {
	const { check, ...ours } = await site();
	const make = maker(ours);
	await make.plan("less");
	await make.entitle("/plans/less", { type: "FEATURE", id: "sso", isGranted: false });
	await make.charge("/plans/less", { pricingType: "FREE" });
	await make.publish("/plans/less");
	await provision(ours, { planId: "less" });
	await granted(ours, item("sso"));
	expect(await check("sso")).toMatchObject({ isGranted: false, accessDeniedReason: "Revoked" });
});

test("a grant acts on every resource, each with its own usage", async () => {
	const { check, use, ...ours } = await site();
	await ours.call("PATCH", "/products/app", { body: { multipleSubscriptions: true } });
	await provision(ours, { planId: "free", resourceId: "east" });
	await provision(ours, { planId: "free", resourceId: "west" });
	await granted(ours, item("calls", { usageLimit: 12 }));
	await use(11, { resourceId: "east" });
	expect(await check("calls", { resourceId: "east" })).toMatchObject({
		isGranted: true,
		currentUsage: 11,
		usageLimit: 12,
	});
	await use(1, { resourceId: "east" });
	expect(await check("calls", { resourceId: "east" })).toMatchObject({
		isGranted: false,
		accessDeniedReason: "RequestedUsageExceedingLimit",
	});
	expect(await check("calls", { resourceId: "west" })).toMatchObject({
		isGranted: true,
		currentUsage: 0,
		usageLimit: 12,
	});
	expect(await check("calls")).toMatchObject({ isGranted: true, currentUsage: 0, usageLimit: 12 });
	expect(await check("calls", { resourceId: "north" })).toMatchObject({
		accessDeniedReason: "CustomerResourceNotFound",
	});
});

test("usage counts in the grant's own windows", async () => {
	const { check, use, at, ...ours } = await site();
	at("2026-02-03T10:00:00.000Z");
	await granted(ours, item("calls", { usageLimit: 3, resetPeriod: "WEEK", period: "6 month" }));
	await use(3);
	at("2026-02-10T09:59:59.999Z");
	expect(await check("calls")).toMatchObject({
		isGranted: false,
		currentUsage: 3,
		usagePeriodStart: "2026-02-03T10:00:00.000Z",
		usagePeriodEnd: "2026-02-10T10:00:00.000Z",
	});
	at("2026-02-10T10:00:00.000Z");
	expect(await check("calls")).toMatchObject({ isGranted: true, currentUsage: 0 });
});

test("every change of a grant shows in the very next check", async () => {
	const { check, list, at, ...ours } = await site();
	const seen: unknown[] = [];
	const steps: ReadonlyArray<readonly [string, () => unknown]> = [
		["a subscription", () => provision(ours, { planId: "free" })],
		["a grant", () => granted(ours, item("calls", { usageLimit: 50, period: "1 week" }))],
		["its last millisecond", () => at("2026-02-06T23:59:59.999Z")],
		["its end", () => at("2026-02-07T00:00:00.000Z")],
		["a new grant", () => granted(ours, item("calls", { usageLimit: 60, period: "lifetime" }))],
		["a smaller one", () => granted(ours, item("calls", { usageLimit: 20 }))],
		["it is revoked", () => ours.call("DELETE", `${path}/calls`)],
		["unlimited", () => granted(ours, item("calls", { hasUnlimitedUsage: true }))],
	];
	for (const [what, step] of steps) {
		await step();
		await list();
		const { isGranted, usageLimit } = await check("calls");
		seen.push([what, isGranted, usageLimit]);
	}
	expect(seen).toEqual([
		["a subscription", true, 10],
		["a grant", true, 50],
		["its last millisecond", true, 50],
		["its end", true, 10],
		["a new grant", true, 60],
		["a smaller one", true, 20],
		["it is revoked", true, 10],
		["unlimited", true, null],
	]);
});

test("a paused subscription's entitlements do not act, and act again when it resumes", async () => {
	const { check, ...ours } = await site();
	await maker(ours).feature("audit");
	await granted(ours, item("audit"));
	const reason = async () => (await check("audit")).accessDeniedReason;
	expect(await reason()).toBeNull();
	await ours.call("POST", "/features/audit/archive");
	expect(await reason()).toBe("NoActiveSubscription");
	await ours.call("POST", "/features/audit/unarchive");
	expect(await reason()).toBeNull();
	await ours.call("POST", "/customers/acme/archive");
	expect(await reason()).toBe("CustomerIsArchived");
	await ours.call("POST", "/customers/acme/unarchive");
	expect(await reason()).toBeNull();
});

/** Actions on one customer, whose plan has 10 calls or none; times are in days. */
const anyStep = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			does: fc.constant("grant" as const),
			limit: fc.option(fc.nat(30)),
			days: fc.option(fc.integer({ min: 1, max: 9 })),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ does: fc.constant("revoke" as const) }) },
	{ weight: 3, arbitrary: fc.record({ does: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 5 }) }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant("subscribe" as const) }) },
);

test("whatever happens: the more generous of plan and live grant holds, and a grant never takes access away", async () => {
	const day = 86_400_000;
	const ours = await shop();
	let runs = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 7 }), fc.nat(30), async (steps, requested) => {
			runs += 1;
			const customerId = `run-${runs}`;
			const of = `/customers/${customerId}`;
			await ours.call("POST", "/customers", { body: { id: customerId } });
			const check = async () =>
				(await ours.call("GET", `${of}/entitlements/check?featureId=calls&requestedUsage=${requested}`)).body.data;
			// The oracle. Null: without a limit, without an end; -1 is no subscription.
			let plan = -1;
			let live: { limit: number | null; endAt: number | null } | undefined;
			for (const step of steps) {
				const before = await check();
				if (step.does === "wait") ours.clock.at = (ours.clock.at + step.days * day) as Instant;
				if (step.does === "revoke") {
					const { status } = await ours.call("DELETE", `${of}/promotional-entitlements/calls`);
					expect(status).toBe(live ? 200 : 404);
					live = undefined;
				}
				if (step.does === "subscribe") {
					await provision(ours, { customerId, planId: "free" });
					plan = 10;
				}
				if (step.does === "grant") {
					const first = live === undefined;
					live = { limit: step.limit, endAt: step.days === null ? null : ours.clock.at + step.days * day };
					const until =
						live.endAt === null
							? { period: "lifetime" }
							: { period: "custom", customEndDate: new Date(live.endAt).toISOString() };
					const much = step.limit === null ? { hasUnlimitedUsage: true } : { usageLimit: step.limit };
					const answer = await ours.call("POST", `${of}/promotional-entitlements`, {
						body: body(item("calls", { ...much, ...until })),
					});
					expect(answer.status).toBe(201);
					if (first && before.isGranted) expect((await check()).isGranted).toBe(true);
				}
				const acts = live && (live.endAt === null || ours.clock.at < live.endAt) ? live : undefined;
				const most = acts?.limit === null ? Number.POSITIVE_INFINITY : Math.max(plan, acts?.limit ?? -1);
				const answer = await check();
				expect(answer.isGranted).toBe(requested <= most);
				if (most >= 0) expect(answer.usageLimit).toBe(most === Number.POSITIVE_INFINITY ? null : most);
				else expect(answer.accessDeniedReason).toBe("NoActiveSubscription");
			}
		}),
		{ numRuns: 12 },
	);
});
