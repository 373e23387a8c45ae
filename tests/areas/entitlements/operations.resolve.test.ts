import { describe, expect, test } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import { maker } from "../packages/catalogue";
import { granted, item } from "../promotional-entitlements/grants";
import { flat, type Till, till, used } from "../subscriptions/billing";

const day = 86_400_000;
const calls = (more: object = {}) => ({ type: "FEATURE", id: "calls", ...more });

/** A product with the plans of a case and their entitlements; `acme` has no subscription yet. */
async function selling(
	plans: Readonly<Record<string, { entitlements: readonly object[]; more?: object }>>,
): Promise<Till> {
	const ours = await till("2026-01-31T00:00:00Z");
	const make = maker(ours);
	await make.feature("sso");
	await make.feature("region", {
		featureType: "ENUM",
		enumConfiguration: ["eu", "us", "asia"].map((value) => ({ value, displayName: value })),
	});
	for (const [id, { entitlements, more }] of Object.entries(plans)) {
		await make.plan(id, { displayName: id, ...more });
		await make.entitle(`/plans/${id}`, ...entitlements);
		await make.charge(`/plans/${id}`, { pricingType: "PAID", pricingModels: [flat({ month: 10 })] });
		await make.publish(`/plans/${id}`);
	}
	return ours;
}

const check = (ours: Till, query: string, customer = "acme") =>
	ours.insist("GET", `/customers/${customer}/entitlements/check?${query}`);

const reasonOf = async (ours: Till, query: string, customer = "acme") =>
	(await check(ours, query, customer)).accessDeniedReason;

describe("within one subscription", () => {
	/** Returns the entitlement from the plan with 100 calls and these addons. */
	const cases: ReadonlyArray<
		readonly [string, ReadonlyArray<readonly [quantity: number, entitlement: object]>, object]
	> = [
		["an increment is added, times its quantity", [[3, { usageLimit: 10 }]], { usageLimit: 130 }],
		["an override takes the plan's place", [[1, { usageLimit: 40, behavior: "Override" }]], { usageLimit: 40 }],
		[
			"of mixed addons the largest override wins, and increments are dropped",
			[
				[2, { usageLimit: 500 }],
				[1, { usageLimit: 40, behavior: "Override" }],
				[1, { usageLimit: 60, behavior: "Override" }],
			],
			{ usageLimit: 60 },
		],
		[
			"an addon without limit lifts it",
			[[1, { hasUnlimitedUsage: true }]],
			{ usageLimit: null, hasUnlimitedUsage: true },
		],
	];
	test.each(cases)("%s", async (_, addons, expected) => {
		const ours = await selling({ pro: { entitlements: [calls({ usageLimit: 100 })] } });
		const make = maker(ours);
		for (const [at, [, entitlement]] of addons.entries()) {
			await make.addon(`a${at}`, { displayName: `a${at}` });
			await make.entitle(`/addons/a${at}`, calls(entitlement));
			await make.charge(`/addons/a${at}`, { pricingType: "PAID", pricingModels: [flat({ month: 1 })] });
			await make.publish(`/addons/a${at}`);
		}
		await ours.buy("pro", { addons: addons.map(([quantity], at) => ({ id: `a${at}`, quantity })) });
		expect(await check(ours, "featureId=calls")).toMatchObject(expected);
	});

	test("its own entitlement is a separate source: the larger one counts", async () => {
		const ours = await selling({ pro: { entitlements: [calls({ usageLimit: 100 })] } });
		await ours.buy("pro", { entitlements: [calls({ usageLimit: 70 })] });
		expect(await check(ours, "featureId=calls")).toMatchObject({ usageLimit: 100 });
		await ours.buy("pro", { entitlements: [calls({ usageLimit: 170 })] });
		expect(await check(ours, "featureId=calls")).toMatchObject({ usageLimit: 170 });
	});
});

describe("across sources", () => {
	test("a trial's higher value counts until it ends", async () => {
		const trial = { defaultTrialConfig: { duration: 7, units: "DAY" } };
		const ours = await selling({
			small: { entitlements: [calls({ usageLimit: 10 })] },
			large: { entitlements: [calls({ usageLimit: 100 })], more: trial },
		});
		await ours.buy("small");
		await ours.insist("POST", "/subscriptions", {
			customerId: "acme",
			planId: "large",
			billingPeriod: "MONTHLY",
			trialOverrideConfiguration: { isTrial: true, trialEndBehavior: "CANCEL_SUBSCRIPTION" },
		});
		const end = "2026-02-07T00:00:00.000Z";
		expect(await check(ours, "featureId=calls")).toMatchObject({ usageLimit: 100, validUntil: end });
		await ours.advance(end);
		expect(await check(ours, "featureId=calls")).toMatchObject({ usageLimit: 10 });
	});

	test("limits of two products are not added; values are combined", async () => {
		const ours = await selling({
			pro: { entitlements: [calls({ usageLimit: 100 }), { type: "FEATURE", id: "region", enumValues: ["eu"] }] },
		});
		const make = maker(ours);
		await make.product("other");
		await make.plan("more", { productId: "other", displayName: "more" });
		await make.entitle("/plans/more", calls({ usageLimit: 30 }), { type: "FEATURE", id: "region", enumValues: ["us"] });
		await make.charge("/plans/more", { pricingType: "FREE" });
		await make.publish("/plans/more");
		await ours.buy("pro");
		await ours.insist("POST", "/subscriptions", { customerId: "acme", planId: "more" });
		expect(await check(ours, "featureId=calls")).toMatchObject({ usageLimit: 100 });
		expect(await reasonOf(ours, "featureId=region&requestedValues=eu,us")).toBeNull();
		expect(await reasonOf(ours, "featureId=region&requestedValues=eu,asia")).toBe("RequestedValuesMismatch");
	});

	test("an exhausted hard limit denies; a soft limit and no limit grant", async () => {
		const ours = await selling({
			hard: { entitlements: [calls({ usageLimit: 2 })] },
			soft: { entitlements: [calls({ usageLimit: 2, hasSoftLimit: true })] },
			free: { entitlements: [calls({ hasUnlimitedUsage: true })] },
		});
		const seen = [];
		for (const planId of ["hard", "soft", "free"]) {
			await ours.insist("POST", "/customers", { id: planId });
			await ours.insist("POST", "/subscriptions", { customerId: planId, planId, billingPeriod: "MONTHLY" });
			const { status } = await ours.call("POST", "/events", {
				body: { events: [{ eventName: "calls", customerId: planId, idempotencyKey: planId, dimensions: { n: 2 } }] },
			});
			expect(status).toBe(200);
			ours.countUsage();
			const { isGranted, accessDeniedReason, currentUsage, usageLimit } = await check(ours, "featureId=calls", planId);
			const nothing = await reasonOf(ours, "featureId=calls&requestedUsage=0", planId);
			seen.push([planId, isGranted, accessDeniedReason, currentUsage, usageLimit, nothing]);
		}
		expect(seen).toEqual([
			["hard", false, "RequestedUsageExceedingLimit", 2, 2, null],
			["soft", true, null, 2, 2, null],
			["free", true, null, 2, null, null],
		]);
	});
});

describe("a subscription canceled with REVOKE_ENTITLEMENTS", () => {
	test.each(["IMMEDIATE", "END_OF_BILLING_PERIOD"])(
		"revokes its features, %s, until another purchase",
		async (cancellationTime) => {
			const ours = await selling({ pro: { entitlements: [calls({ usageLimit: 5 })] } });
			const id = await ours.buy("pro");
			await ours.insist("POST", `/subscriptions/${id}/cancel`, {
				cancellationTime,
				cancellationAction: "REVOKE_ENTITLEMENTS",
			});
			if (cancellationTime !== "IMMEDIATE") await ours.advance("2026-03-01T00:00:00Z");
			expect(await reasonOf(ours, "featureId=calls")).toBe("Revoked");
			// A feature that it never had is not revoked.
			expect(await reasonOf(ours, "featureId=sso")).toBe("NoActiveSubscription");
			await ours.buy("pro");
			expect(await reasonOf(ours, "featureId=calls")).toBeNull();
		},
	);

	test("a cancellation without it leaves no active subscription", async () => {
		const ours = await selling({ pro: { entitlements: [calls({ usageLimit: 5 })] } });
		const id = await ours.buy("pro");
		await ours.insist("POST", `/subscriptions/${id}/cancel`, { cancellationTime: "IMMEDIATE" });
		expect(await reasonOf(ours, "featureId=calls")).toBe("NoActiveSubscription");
	});
});

describe("validUntil is the next instant at which the answer can change:", () => {
	test("a later start of a subscription, also without any access yet", async () => {
		const ours = await selling({ pro: { entitlements: [calls({ usageLimit: 5 })] } });
		const startDate = "2026-02-10T00:00:00.000Z";
		await ours.insist("POST", "/subscriptions", {
			customerId: "acme",
			planId: "pro",
			billingPeriod: "MONTHLY",
			startDate,
		});
		expect(await check(ours, "featureId=calls")).toMatchObject({
			accessDeniedReason: "NoActiveSubscription",
			validUntil: startDate,
		});
		await ours.advance(startDate);
		expect(await check(ours, "featureId=calls")).toMatchObject({ isGranted: true });
	});

	test("the end of a trial, a subscription or a promotional entitlement, the earliest", async () => {
		const ours = await selling({
			pro: {
				entitlements: [{ type: "FEATURE", id: "sso" }],
				more: { defaultTrialConfig: { duration: 7, units: "DAY" } },
			},
		});
		const id = await ours.buy("pro");
		const validUntil = async () => (await check(ours, "featureId=sso")).validUntil;
		expect(await validUntil()).toBe("2026-02-07T00:00:00.000Z");
		await granted(ours, item("sso", { period: "custom", customEndDate: "2026-02-03T00:00:00Z" }));
		expect(await validUntil()).toBe("2026-02-03T00:00:00.000Z");
		await ours.advance("2026-02-08T00:00:00Z");
		expect(await validUntil()).toBeUndefined();
		await ours.insist("POST", `/subscriptions/${id}/cancel`, {
			cancellationTime: "SPECIFIC_DATE",
			endDate: "2026-02-20T00:00:00Z",
		});
		expect(await validUntil()).toBe("2026-02-20T00:00:00.000Z");
	});

	test("the end of the billing period, where a hard budget resets", async () => {
		const ours = await selling({});
		const make = maker(ours);
		await make.plan("metered", { displayName: "metered" });
		await make.entitle("/plans/metered", calls({ hasUnlimitedUsage: true }));
		const pricingModels = [flat({ month: 10 }), used("calls", { month: 2 })];
		await make.charge("/plans/metered", { pricingType: "PAID", pricingModels });
		await make.publish("/plans/metered");
		await ours.buy("metered", { budget: { limit: 1, hasSoftLimit: false } });
		await ours.use("calls", 1);
		const answer = await check(ours, "featureId=calls");
		expect(answer).toMatchObject({ accessDeniedReason: "BudgetExceeded", validUntil: "2026-02-28T00:00:00.000Z" });
	});

	test("nothing changes before it without a request", async () => {
		const trial = { defaultTrialConfig: { duration: 2, units: "DAY" } };
		const ours = await selling({ pro: { entitlements: [calls({ usageLimit: 5, resetPeriod: "DAY" })], more: trial } });
		await ours.buy("pro");
		const start = Date.parse("2026-01-31T00:00:00Z");
		for (const hours of [0, 25]) {
			await ours.advance((start + hours * 3_600_000) as Instant);
			const { validUntil, ...answer } = await check(ours, "featureId=calls");
			await ours.advance((Date.parse(validUntil) - 1) as Instant);
			expect(await check(ours, "featureId=calls")).toEqual({ ...answer, validUntil });
			expect(Date.parse(validUntil) - start).toBeLessThanOrEqual(2 * day);
		}
	});
});

test("the beta path decides alike", async () => {
	const ours = await selling({ pro: { entitlements: [calls({ usageLimit: 5 })] } });
	await ours.buy("pro");
	const beta = (query: string) => ours.call("GET", `/api/v1-beta/customers/acme/entitlements/check?${query}`);
	for (const query of ["featureId=calls", "featureId=calls&requestedUsage=6", "featureId=none", "featureId=sso"])
		expect((await beta(query)).body.data).toEqual(await check(ours, query));
	expect((await beta("featureId=calls&dimensions=red")).body.code).toBe("BadUserInput");
	expect((await beta("featureId=calls&surprise=1")).body.code).toBe("BadUserInput");
});
