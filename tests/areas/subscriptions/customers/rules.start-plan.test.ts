import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { canStart } from "../../../../src/areas/subscriptions/customers/rules.start-plan";
import type { World } from "../../../support/world";
import { maker } from "../../packages/catalogue";
import { isRefusal } from "../../packages/guards";
import { shop } from "../shop";

let ours: World;
beforeEach(async () => {
	ours = await shop();
});

const setting = (subscriptionStartSetup: string, subscriptionStartPlanId: string | null, product = "app") =>
	ours.call("PATCH", `/products/${product}`, {
		body: {
			productSettings: {
				subscriptionStartSetup,
				subscriptionStartPlanId,
				subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
				subscriptionCancellationTime: "IMMEDIATE",
			},
		},
	});
const create = (id: string) => ours.call("POST", "/customers", { body: { id } });
const subscriptionsOf = async (id: string): Promise<Array<{ planId: string; status: string; trialEndDate: string }>> =>
	(await ours.call("GET", `/subscriptions?customerId=${id}`)).body.data;

const withTrial = async (id: string) => {
	await ours.call("POST", `/plans/${id}/draft`);
	await ours.call("PATCH", `/plans/${id}`, { body: { defaultTrialConfig: { duration: 14, units: "DAY" } } });
	await ours.call("POST", `/plans/${id}/publish`, { body: { migrationType: "NEW_CUSTOMERS" } });
};

test("FREE_PLAN: each new customer starts on it, with an unchanged response", async () => {
	expect((await setting("FREE_PLAN", "free")).status).toBe(200);
	const made = await create("new");
	expect(made).toMatchObject({ status: 201, body: { data: { id: "new" } } });
	expect(await subscriptionsOf("new")).toMatchObject([{ planId: "free", status: "ACTIVE" }]);
	// Existing customers keep their subscriptions.
	expect(await subscriptionsOf("acme")).toEqual([]);
	const access = await ours.call("GET", "/customers/new/entitlements/check?featureId=calls");
	expect(access.body.data.isGranted).toBe(true);
});

test("TRIAL_PERIOD: a monthly trial without a payment", async () => {
	await withTrial("pro");
	await setting("TRIAL_PERIOD", "pro");
	await create("new");
	expect(await subscriptionsOf("new")).toMatchObject([
		{ planId: "pro", status: "IN_TRIAL", trialEndDate: "2026-02-14T00:00:00.000Z" },
	]);
	const [{ prices }] = (await ours.call("GET", "/subscriptions?customerId=new")).body.data;
	expect(prices.map(({ amount }: { amount: number }) => amount)).toEqual([20, 5]);
	expect((await ours.call("GET", "/customers/new/invoices")).body.data).toEqual([]);
});

const none: Array<[string, () => Promise<unknown>]> = [
	["PLAN_SELECTION", () => setting("PLAN_SELECTION", "free")],
	["no start plan", () => setting("FREE_PLAN", null)],
	["a draft", () => setting("FREE_PLAN", "draft")],
	["a plan that is not free, for FREE_PLAN", () => setting("FREE_PLAN", "basic")],
	["a plan without a trial, for TRIAL_PERIOD", () => setting("TRIAL_PERIOD", "basic")],
	["a free plan, for TRIAL_PERIOD", () => setting("TRIAL_PERIOD", "free")],
	[
		"an archived plan",
		async () => {
			await ours.call("POST", "/plans/free/archive");
			await setting("FREE_PLAN", "free");
		},
	],
	[
		"an archived product",
		async () => {
			await setting("FREE_PLAN", "free");
			await ours.call("POST", "/products/app/archive");
		},
	],
];
test.each(none)("nothing starts with %s", async (_, prepare) => {
	await prepare();
	expect((await create("new")).status).toBe(201);
	expect(await subscriptionsOf("new")).toEqual([]);
});

describe("several products", () => {
	beforeEach(async () => {
		await ours.call("POST", "/products", { body: { id: "mail", displayName: "Mail" } });
		await ours.call("POST", "/plans", { body: { id: "mini", displayName: "Mini", productId: "mail" } });
		await maker(ours).charge("/plans/mini", { pricingType: "FREE", pricingModels: [] });
		await ours.call("POST", "/plans/mini/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		await setting("FREE_PLAN", "mini", "mail");
		await setting("FREE_PLAN", "free");
	});

	test("each product starts its own plan, in this environment only", async () => {
		await create("new");
		expect((await subscriptionsOf("new")).map(({ planId }) => planId).sort()).toEqual(["free", "mini"]);
		await ours.call("POST", "/customers", { key: ours.foreignKey, body: { id: "new" } });
		expect((await ours.call("GET", "/subscriptions", { key: ours.foreignKey })).body.data).toEqual([]);
	});

	test("a rejected call changes nothing", async () => {
		isRefusal(
			await ours.call("POST", "/customers", { body: { id: "new", couponId: "OLD" } }),
			400,
			"ArchivedCouponCantBeApplied",
		);
		await create("new");
		isRefusal(await create("new"), 409, "DuplicatedEntityNotAllowed");
		expect(await subscriptionsOf("new")).toHaveLength(2);
	});

	test("imported customers start nothing: a migration brings their subscriptions", async () => {
		await ours.call("POST", "/customers/import", { body: { customers: [{ id: "moved", email: null, name: null }] } });
		expect(await subscriptionsOf("moved")).toEqual([]);
	});

	test("a key for customers alone is sufficient, since the product starts the plan", async () => {
		const key = ours.scopedKey("CUSTOMER:WRITE");
		expect((await ours.call("POST", "/customers", { key, body: { id: "new" } })).status).toBe(201);
		expect(await subscriptionsOf("new")).toHaveLength(2);
	});
});

test("only a published plan starts, without an initial charge", () => {
	const plan = fc.record({
		status: fc.constantFrom("DRAFT" as const, "PUBLISHED" as const, "ARCHIVED" as const),
		pricingType: fc.constantFrom("FREE" as const, "PAID" as const, "CUSTOM" as const, null),
		defaultTrial: fc.constantFrom(null, {}),
	});
	fc.assert(
		fc.property(plan, fc.constantFrom("FREE_PLAN" as const, "TRIAL_PERIOD" as const), (given, setup) => {
			if (!canStart(given, setup)) return;
			expect(given.status).toBe("PUBLISHED");
			expect(given.pricingType === "FREE" || given.defaultTrial !== null).toBe(true);
		}),
	);
});
