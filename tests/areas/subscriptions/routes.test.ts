import { beforeAll, describe, expect, test } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import { longText, type World } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";
import { provision, shop, stock } from "./shop";

const prepare = async (ours: World) => {
	await stock(ours);
	await provision(ours, { planId: "free", id: "kept" });
};

const write = (tail: string) => ({
	scope: "SUBSCRIPTION:WRITE" as const,
	missing: "SubscriptionNotFound",
	missingPath: `/subscriptions/none${tail}`,
});

guard(
	[
		{ method: "GET", path: "/subscriptions", scope: "SUBSCRIPTION:READ" },
		{
			method: "GET",
			path: "/subscriptions/kept",
			scope: "SUBSCRIPTION:READ",
			missing: "SubscriptionNotFound",
			missingPath: "/subscriptions/none",
		},
		{
			method: "POST",
			path: "/subscriptions/kept/cancel",
			scope: "SUBSCRIPTION:WRITE",
			body: { cancellationTime: "IMMEDIATE" },
			missing: "SubscriptionNotFound",
			missingPath: "/subscriptions/none/cancel",
		},
		{ method: "PATCH", path: "/subscriptions/kept", body: {}, ...write("") },
		{
			method: "POST",
			path: "/subscriptions/kept/migrate",
			body: { subscriptionMigrationTime: "IMMEDIATE" },
			...write("/migrate"),
		},
		{
			method: "POST",
			path: "/subscriptions/kept/transfer",
			body: { destinationResourceId: "site" },
			...write("/transfer"),
		},
		{
			method: "POST",
			path: "/subscriptions/kept/delegate",
			body: { targetCustomerId: "acme" },
			...write("/delegate"),
		},
		{ method: "DELETE", path: "/subscriptions/kept/future-update/schedule", ...write("/future-update/schedule") },
		{
			method: "DELETE",
			path: "/subscriptions/kept/future-update/pending-payment",
			...write("/future-update/pending-payment"),
		},
		{ method: "POST", path: "/subscriptions/kept/invoice/paid", ...write("/invoice/paid") },
		{ method: "POST", path: "/subscriptions/kept/usage/charge", body: {}, ...write("/usage/charge") },
		{ method: "POST", path: "/subscriptions/kept/usage/sync", ...write("/usage/sync") },
		{
			method: "POST",
			path: "/subscriptions/preview",
			scope: "SUBSCRIPTION:READ",
			body: { customerId: "acme", planId: "free" },
		},
	],
	prepare,
);

describe("GET /subscriptions", () => {
	let ours: World;
	const idsOf = async (query: string) =>
		(await ours.call("GET", `/subscriptions?${query}`)).body.data.map(({ id }: { id: string }) => id);
	beforeAll(async () => {
		ours = await shop();
		await ours.call("POST", "/customers", { body: { id: "other" } });
		await provision(ours, { id: "s1", planId: "free" });
		await provision(ours, { id: "s2", planId: "basic" });
		await provision(ours, { id: "s3", planId: "custom", customerId: "other", resourceId: "site" });
		await provision(ours, { id: "s4", planId: "pro", billingPeriod: "MONTHLY", customerId: "other" });
	});

	test("lists newest first, with every filter of the contract", async () => {
		expect(await idsOf("")).toEqual(["s4", "s3", "s2", "s1"]);
		expect(await idsOf("customerId=other")).toEqual(["s4", "s3"]);
		expect(await idsOf("customerId=nobody")).toEqual([]);
		expect(await idsOf("planId=basic")).toEqual(["s2"]);
		expect(await idsOf("planId=none")).toEqual([]);
		expect(await idsOf("resourceId=site")).toEqual(["s3"]);
		expect(await idsOf("resourceId=")).toEqual(["s4", "s2", "s1"]);
		expect(await idsOf("resourceId=elsewhere")).toEqual([]);
		expect(await idsOf("pricingType=FREE,CUSTOM")).toEqual(["s3", "s1"]);
		expect(await idsOf("status=ACTIVE")).toEqual(["s4", "s2"]);
		expect(await idsOf("status=CANCELED&status=EXPIRED")).toEqual(["s3", "s1"]);
		expect(await idsOf("createdAt[lt]=2026-01-31T00:00:00Z")).toEqual([]);
		expect(await idsOf("createdAt[lte]=2026-01-31T00:00:00Z&customerId=acme")).toEqual(["s2", "s1"]);
	});

	test("pages without gaps and omits entitlements", async () => {
		const first = (await ours.call("GET", "/subscriptions?limit=3")).body;
		expect(first.data[0]).not.toHaveProperty("subscriptionEntitlements");
		expect(first.pagination.prev).toBeNull();
		expect(await idsOf(`limit=3&after=${first.pagination.next}`)).toEqual(["s1"]);
	});

	test("rejects invalid filters", async () => {
		for (const query of [
			"status=RUNNING",
			"pricingType=free",
			"limit=0",
			"createdAt[gt]=now",
			"plan=basic",
			`planId=${longText(256)}`,
		])
			isRefusal(await ours.call("GET", `/subscriptions?${query}`), 400, "BadUserInput");
		isRefusal(
			await ours.call("GET", "/subscriptions?after=01890000-0000-7000-8000-000000000000"),
			400,
			"BadUserInput",
			"cursor",
		);
	});
});

describe("POST /subscriptions/:id/cancel", () => {
	let ours: World;
	beforeAll(async () => {
		ours = await shop();
	});
	const cancel = (id: string, body?: unknown) =>
		ours.call("POST", `/subscriptions/${id}/cancel`, body === undefined ? {} : { body });

	test("ends the subscription at once, also without a body, and only once", async () => {
		const { id } = await provision(ours, { planId: "basic" });
		ours.clock.at = (ours.clock.at + 1000) as Instant;
		const answer = await cancel(id);
		expect(answer.status).toBe(200);
		expect(answer.body.data).toMatchObject({
			id,
			status: "CANCELED",
			cancelReason: "Immediate",
			cancellationDate: "2026-01-31T00:00:01.000Z",
			effectiveEndDate: "2026-01-31T00:00:01.000Z",
			currentBillingPeriodStart: null,
			currentBillingPeriodEnd: null,
		});
		isRefusal(await cancel(id, {}), 400, "SubscriptionAlreadyCanceledOrExpired", id);
		expect((await ours.call("GET", `/subscriptions/${id}`)).body.data).toEqual(answer.body.data);
	});

	const refused: Array<[object, string]> = [
		[{ cancellationTime: "SPECIFIC_DATE" }, "InvalidCancellationDate"],
		[{ cancellationTime: "SPECIFIC_DATE", endDate: "2026-01-01T00:00:00Z" }, "InvalidCancellationDate"],
		[{ endDate: "2027-01-01T00:00:00Z" }, "InvalidCancellationDate"],
		[{ cancellationTime: "LATER" }, "BadUserInput"],
		[{ cancellationAction: "NONE" }, "BadUserInput"],
		[{ prorate: "yes" }, "BadUserInput"],
		[{ surprise: 1 }, "BadUserInput"],
	];
	test.each(refused)("rejects %j with %s and leaves the subscription active", async (body, code) => {
		const { id } = await provision(ours, { planId: "basic" });
		isRefusal(await cancel(id, body), 400, code);
		expect((await ours.call("GET", `/subscriptions/${id}`)).body.data.status).toBe("ACTIVE");
	});

	test("uses the product's cancellation time and end by default", async () => {
		const settings = {
			subscriptionStartSetup: "PLAN_SELECTION",
			subscriptionEndSetup: "DOWNGRADE_TO_FREE",
			downgradePlanId: "free",
			subscriptionCancellationTime: "IMMEDIATE",
		};
		const set = (productSettings: object) => ours.call("PATCH", "/products/app", { body: { productSettings } });
		const running = async () =>
			(await ours.call("GET", "/subscriptions?status=ACTIVE")).body.data.map((one: { planId: string }) => one.planId);
		await set(settings);
		await cancel((await provision(ours, { planId: "basic" })).id);
		expect(await running()).toEqual(["free"]);
		await cancel((await provision(ours, { planId: "basic" })).id, { cancellationAction: "REVOKE_ENTITLEMENTS" });
		expect(await running()).toEqual([]);
		await cancel((await provision(ours, { planId: "free" })).id);
		expect(await running()).toEqual([]);
		await set({ ...settings, subscriptionCancellationTime: "END_OF_BILLING_PERIOD" });
		const { id } = await provision(ours, { planId: "basic" });
		expect((await cancel(id)).body.data).toMatchObject({ status: "ACTIVE", cancelReason: null });
		expect((await cancel(id, { cancellationTime: "IMMEDIATE" })).status).toBe(200);
	});

	test("cancels although the free plan was archived with the product", async () => {
		// A separate shop, since an archived plan cannot be restored.
		const closing = await shop();
		const { id } = await provision(closing, { planId: "basic" });
		const productSettings = {
			subscriptionStartSetup: "PLAN_SELECTION",
			subscriptionEndSetup: "DOWNGRADE_TO_FREE",
			downgradePlanId: "free",
			subscriptionCancellationTime: "IMMEDIATE",
		};
		await closing.call("PATCH", "/products/app", { body: { productSettings } });
		const archived = await closing.call("POST", "/products/app/archive");
		expect(archived.status).toBe(200);
		expect((await closing.call("POST", `/subscriptions/${id}/cancel`)).status).toBe(200);
		expect((await closing.call("GET", "/subscriptions?status=ACTIVE")).body.data).toEqual([]);
	});

	test("allows thirty calls a minute for one subscription", async () => {
		const { id } = await provision(ours, { planId: "basic" });
		for (let call = 0; call < 30; call += 1) expect((await cancel(id, { prorate: "yes" })).status).toBe(400);
		isRefusal(await cancel(id), 429, "RateLimitExceeded");
	});
});
