import { beforeEach, describe, expect, test } from "bun:test";
import { customersLosingMax } from "../../../../src/areas/packages/versions/schema.impact";
import type { World } from "../../../support/world";
import { provision, shop } from "../../subscriptions/shop";
import { maker } from "../catalogue";
import { isRefusal } from "../guards";
import { flat, paid, perUnit, usage, usd } from "../prices";

let ours: World;
beforeEach(async () => {
	ours = await shop();
});

const dry = (path: string, migrationType = "ALL_CUSTOMERS", query = "dryRun=true") =>
	ours.call("POST", `${path}/publish?${query}`, { body: { migrationType } });
const impactOf = async (path: string, migrationType?: string) => {
	const { status, body } = await dry(path, migrationType);
	expect({ status, taskId: body.data?.taskId }).toEqual({ status: 200, taskId: null });
	expect(Object.keys(body.data.impact).sort()).toEqual([
		"charges",
		"customersLosing",
		"customersLosingCount",
		"entitlements",
		"subscriptionsCount",
	]);
	return body.data.impact;
};
const change = (path: string, id: string, terms: object) =>
	ours.call("PATCH", `${path}/entitlements/${id}`, { body: { type: "FEATURE", ...terms } });
const subscribe = async (id: string, body: object) => {
	await ours.call("POST", "/customers", { body: { id } });
	await provision(ours, { id: `s-${id}`, customerId: id, ...body });
};

describe("POST …/publish?dryRun=true", () => {
	test("a first publication brings everything and takes nothing from nobody", async () => {
		await maker(ours).entitle("/plans/draft", { type: "FEATURE", id: "sso" });
		await maker(ours).charge("/plans/draft", paid(flat(5)));
		expect(await impactOf("/plans/draft")).toEqual({
			entitlements: [{ id: "sso", type: "FEATURE", change: "ADDED", before: null, after: expect.any(Object) }],
			charges: [
				{
					isOverage: false,
					change: "ADDED",
					before: null,
					after: expect.objectContaining({ billingModel: "FLAT_FEE", billingPeriod: "MONTHLY", price: usd(5) }),
				},
			],
			subscriptionsCount: 0,
			customersLosing: [],
			customersLosingCount: 0,
		});
	});

	test("a draft that was not touched changes nothing", async () => {
		await subscribe("c1", { planId: "pro", billingPeriod: "MONTHLY" });
		await ours.call("POST", "/plans/pro/draft");
		const none = { entitlements: [], charges: [], customersLosing: [], customersLosingCount: 0 };
		expect(await impactOf("/plans/pro")).toEqual({ ...none, subscriptionsCount: 1 });
		expect(await impactOf("/plans/pro", "NEW_CUSTOMERS")).toEqual({ ...none, subscriptionsCount: 0 });
	});

	test("tells each difference with before and after, and changes nothing itself", async () => {
		await ours.call("POST", "/plans/pro/draft");
		await change("/plans/pro", "calls", { usageLimit: 2000 });
		await ours.call("DELETE", "/plans/pro/entitlements/region");
		await maker(ours).entitle("/plans/pro", { type: "FEATURE", id: "seats", usageLimit: 3 });
		await maker(ours).charge("/plans/pro", paid(flat(25), usage({})));
		const looks = ["/plans/pro", "/plans/pro/charges", "/plans/pro?version=2", "/plans/pro/entitlements"];
		const look = () => Promise.all(looks.map(async (path) => (await ours.call("GET", path)).body));
		const before = await look();
		const { entitlements, charges } = await impactOf("/plans/pro");
		expect(entitlements.map(({ id, change: kind }: { id: string; change: string }) => [id, kind])).toEqual([
			["calls", "CHANGED"],
			["region", "REMOVED"],
			["seats", "ADDED"],
		]);
		expect(entitlements[0]).toMatchObject({ before: { usageLimit: 1000 }, after: { usageLimit: 2000 } });
		expect(entitlements[0].after).not.toHaveProperty("createdAt");
		const reported = charges.map((one: { change: string; before: Priced | null; after: Priced | null }) => [
			(one.after ?? one.before)?.billingModel,
			(one.after ?? one.before)?.billingPeriod,
			one.change,
			one.before?.price ?? null,
			one.after?.price ?? null,
		]);
		expect(reported).toEqual([
			["FLAT_FEE", "MONTHLY", "CHANGED", usd(20), usd(25)],
			["FLAT_FEE", "ANNUALLY", "REMOVED", usd(200), null],
			["PER_UNIT", "MONTHLY", "REMOVED", usd(5), null],
			["PER_UNIT", "ANNUALLY", "REMOVED", usd(50), null],
			["USAGE_BASED", "MONTHLY", "ADDED", null, usd(0.00025)],
		]);
		expect(await look()).toEqual(before);
		expect(ours.woken).not.toContain("importer");
	});

	interface Priced {
		readonly billingModel: string;
		readonly billingPeriod: string;
		readonly price: object;
	}

	test("names the customers and their losses, compared with the version of each; customers who gain are not named", async () => {
		await subscribe("old", { planId: "free" });
		await ours.call("POST", "/plans/free/draft");
		await change("/plans/free", "calls", { usageLimit: 100 });
		await maker(ours).publish("/plans/free");
		await subscribe("new", { planId: "free" });
		await subscribe("gone", { planId: "free" });
		await ours.call("POST", "/subscriptions/s-gone/cancel", { body: {} });
		await subscribe("other", { planId: "basic" });
		await ours.call("POST", "/plans/free/draft");
		await change("/plans/free", "calls", { usageLimit: 50 });
		expect(await impactOf("/plans/free")).toMatchObject({
			subscriptionsCount: 2,
			customersLosing: [{ customerId: "new", loses: ["calls"] }],
			customersLosingCount: 1,
		});
		await change("/plans/free", "calls", { usageLimit: 5 });
		const both = await impactOf("/plans/free");
		expect(both.customersLosing.map(({ customerId }: { customerId: string }) => customerId)).toEqual(["old", "new"]);
		expect(await impactOf("/plans/free", "NEW_CUSTOMERS")).toMatchObject({
			entitlements: [{ id: "calls", change: "CHANGED" }],
			subscriptionsCount: 0,
			customersLosing: [],
			customersLosingCount: 0,
		});
	});

	test("counts what a base plan gives as given by the plan", async () => {
		await maker(ours).plan("child", { parentPlanId: "free", pricingType: "FREE" });
		await maker(ours).entitle("/plans/child", { type: "FEATURE", id: "calls", usageLimit: 5 });
		await maker(ours).publish("/plans/child");
		await subscribe("c1", { planId: "child" });
		await ours.call("POST", "/plans/child/draft");
		await ours.call("PATCH", "/plans/child", { body: { parentPlanId: null } });
		expect(await impactOf("/plans/child")).toMatchObject({
			entitlements: [{ id: "calls", before: { usageLimit: 15 }, after: { usageLimit: 5 } }],
			customersLosing: [{ customerId: "c1", loses: ["calls"] }],
		});
	});

	test("for an addon: its subscribers", async () => {
		const addons = [{ id: "extra", quantity: 2 }];
		await subscribe("with", { planId: "pro", billingPeriod: "MONTHLY", addons });
		await subscribe("without", { planId: "pro", billingPeriod: "MONTHLY" });
		await ours.call("POST", "/addons/extra/draft");
		await ours.call("DELETE", "/addons/extra/entitlements/calls");
		expect(await impactOf("/addons/extra")).toMatchObject({
			entitlements: [{ id: "calls", change: "REMOVED", after: null }],
			subscriptionsCount: 1,
			customersLosing: [{ customerId: "with", loses: ["calls"] }],
			customersLosingCount: 1,
		});
	});

	test("lists no more customers than its bound, and counts them all", async () => {
		for (let at = 0; at < customersLosingMax + 5; at += 1) await subscribe(`c${at}`, { planId: "free" });
		await ours.call("POST", "/plans/free/draft");
		await ours.call("DELETE", "/plans/free/entitlements/calls");
		const impact = await impactOf("/plans/free");
		expect(impact.customersLosing).toHaveLength(customersLosingMax);
		expect(impact.customersLosingCount).toBe(customersLosingMax + 5);
	});

	test("is what the publication then does", async () => {
		await subscribe("c1", { planId: "pro", billingPeriod: "MONTHLY" });
		await ours.call("POST", "/plans/pro/draft");
		await maker(ours).charge("/plans/pro", paid(flat(25), perUnit({})));
		const { subscriptionsCount } = await impactOf("/plans/pro");
		const { body } = await ours.call("POST", "/plans/pro/publish?dryRun=false", {
			body: { migrationType: "ALL_CUSTOMERS" },
		});
		expect(Object.keys(body.data)).toEqual(["taskId"]);
		const task = (await ours.call("GET", `/tasks/${body.data.taskId}`)).body.data;
		expect(task.totalSubtasksCount).toBe(subscriptionsCount);
	});

	test("refuses what the publication would refuse, and what is no such question", async () => {
		isRefusal(await dry("/plans/draft"), 400, "PackagePricingTypeNotSet");
		isRefusal(await dry("/plans/pro"), 400, "PackageAlreadyPublished");
		isRefusal(await dry("/plans/none"), 404, "PlanNotFound");
		isRefusal(await dry("/plans/pro", "NOBODY"), 400, "BadUserInput", "/migrationType");
		for (const query of ["dryRun=yes", "dryRun=", "dryrun=true"])
			isRefusal(await dry("/plans/pro", "ALL_CUSTOMERS", query), 400, "BadUserInput");
		const reads = ours.scopedKey("CATALOG:READ");
		const body = { migrationType: "NEW_CUSTOMERS" };
		const answer = await ours.call("POST", "/plans/pro/publish?dryRun=true", { body, key: reads });
		isRefusal(answer, 403, "AccessDeniedError", "CATALOG:WRITE");
	});
});
