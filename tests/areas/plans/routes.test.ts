import { describe, expect, test } from "bun:test";
import { world } from "../../support/world";
import { catalogue, fill, maker } from "../packages/catalogue";
import { guard, isRefusal } from "../packages/guards";

const missing = { missing: "PlanNotFound" } as const;
const published = { migrationType: "NEW_CUSTOMERS" };
const entitlements = { entitlements: [{ type: "FEATURE", id: "sso" }] };

guard(
	[
		{ method: "GET", path: "/plans", scope: "CATALOG:READ", publishable: true },
		{ method: "POST", path: "/plans", scope: "CATALOG:WRITE", body: { id: "p", displayName: "P", productId: "app" } },
		{
			method: "GET",
			path: "/plans/pro",
			scope: "CATALOG:READ",
			publishable: true,
			missingPath: "/plans/no",
			...missing,
		},
		{
			method: "PATCH",
			path: "/plans/pro",
			scope: "CATALOG:WRITE",
			body: { displayName: "P" },
			missingPath: "/plans/no",
			...missing,
		},
		{
			method: "GET",
			path: "/plans/pro/charges",
			scope: "CATALOG:READ",
			publishable: true,
			missingPath: "/plans/no/charges",
			...missing,
		},
		{
			method: "GET",
			path: "/plans/pro/overage-charges",
			scope: "CATALOG:READ",
			publishable: true,
			missingPath: "/plans/no/overage-charges",
			...missing,
		},
		{
			method: "POST",
			path: "/plans/pro/publish",
			scope: "CATALOG:WRITE",
			body: published,
			missingPath: "/plans/no/publish",
			...missing,
		},
		{ method: "POST", path: "/plans/pro/draft", scope: "CATALOG:WRITE", missingPath: "/plans/no/draft", ...missing },
		{ method: "DELETE", path: "/plans/pro/draft", scope: "CATALOG:WRITE", missingPath: "/plans/no/draft", ...missing },
		{
			method: "POST",
			path: "/plans/pro/archive",
			scope: "CATALOG:WRITE",
			missingPath: "/plans/no/archive",
			...missing,
		},
		{
			method: "GET",
			path: "/plans/pro/entitlements",
			scope: "CATALOG:READ",
			publishable: true,
			missingPath: "/plans/no/entitlements",
			...missing,
		},
		{
			method: "POST",
			path: "/plans/pro/entitlements",
			scope: "CATALOG:WRITE",
			body: entitlements,
			missingPath: "/plans/no/entitlements",
			...missing,
		},
		{
			method: "PATCH",
			path: "/plans/pro/entitlements/calls",
			scope: "CATALOG:WRITE",
			body: { type: "FEATURE" },
			missingPath: "/plans/pro/entitlements/none",
			missing: "FeatureNotFound",
		},
		{
			method: "DELETE",
			path: "/plans/pro/entitlements/calls",
			scope: "CATALOG:WRITE",
			missingPath: "/plans/pro/entitlements/none",
			missing: "FeatureNotFound",
		},
	],
	async (ours) => {
		await fill(ours);
		await maker(ours).entitle("/plans/pro", { type: "FEATURE", id: "calls" });
	},
);

describe("POST /plans", () => {
	test("starts a draft with every key of the contract", async () => {
		const ours = await catalogue();
		const trial = { duration: 14, units: "DAY", budget: { limit: 25.5, hasSoftLimit: true } };
		const body = { id: "team", displayName: "Team", productId: "app", parentPlanId: "pro", defaultTrialConfig: trial };
		const answer = await ours.call("POST", "/plans", { body: { ...body, status: "DRAFT", metadata: { a: "1" } } });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			data: {
				id: "team",
				displayName: "Team",
				description: null,
				productId: "app",
				billingId: null,
				status: "DRAFT",
				versionNumber: 1,
				isLatest: false,
				pricingType: null,
				parentPlanId: "pro",
				compatibleAddonIds: null,
				defaultTrialConfig: { ...trial, trialEndBehavior: null },
				entitlements: [],
				metadata: { a: "1" },
				createdAt: "2026-01-31T00:00:00.000Z",
				updatedAt: "2026-01-31T00:00:00.000Z",
			},
		});
	});

	test.each([
		["no product", { productId: undefined }, 400, "BadUserInput", "productId"],
		["an unknown product", { productId: "none" }, 404, "ProductNotFoundError", "'none'"],
		["an unknown base plan", { parentPlanId: "none" }, 404, "PlanNotFound", "'none'"],
		["a base plan of another product", { parentPlanId: "theirs" }, 400, "BadUserInput", "'theirs'"],
		["an id that is taken", { id: "pro" }, 409, "DuplicatedEntityNotAllowed", "'pro'"],
		["a published start", { status: "PUBLISHED" }, 400, "BadUserInput", "/publish"],
		["an unknown pricing type", { pricingType: "CHEAP" }, 400, "BadUserInput", "/pricingType"],
		["half a trial", { defaultTrialConfig: { duration: 3 } }, 400, "BadUserInput", "/defaultTrialConfig"],
		["a trial of weeks", { defaultTrialConfig: { duration: 3, units: "WEEK" } }, 400, "BadUserInput", "/units"],
		["charges, which only updates take", { charges: { pricingType: "FREE" } }, 400, "BadUserInput", "charges"],
		["metadata of null", { metadata: null }, 400, "BadUserInput", "/metadata"],
	] as const)("refuses %s", async (_, change, status, code, message) => {
		const ours = await catalogue();
		await maker(ours).product("other");
		await maker(ours).plan("theirs", { productId: "other" });
		const body = { id: "team", displayName: "Team", productId: "app", ...change };
		isRefusal(await ours.call("POST", "/plans", { body }), status, code, message);
	});

	test("a plan and an addon may have the same id", async () => {
		const ours = await catalogue();
		await maker(ours).addon("pro");
		expect((await ours.call("GET", "/addons/pro")).body.data).not.toHaveProperty("parentPlanId");
	});
});

describe("PATCH /plans/{id}", () => {
	test("changes only what is sent; null clears", async () => {
		const ours = await catalogue();
		await maker(ours).plan("base");
		const patch = async (body: object) => (await ours.call("PATCH", "/plans/pro", { body })).body.data;
		const trial = { duration: 1, units: "MONTH", budget: null, trialEndBehavior: "CONVERT_TO_PAID" };
		const all = { parentPlanId: "base", compatibleAddonIds: ["extra"], billingId: "b1", description: "Text" };
		expect(await patch({ ...all, defaultTrialConfig: trial })).toMatchObject({ ...all, defaultTrialConfig: trial });
		expect(await patch({ displayName: "Pro!" })).toMatchObject({ ...all, displayName: "Pro!" });
		const none = {
			parentPlanId: null,
			compatibleAddonIds: null,
			billingId: null,
			description: null,
			defaultTrialConfig: null,
		};
		expect(await patch(none)).toMatchObject({ ...none, displayName: "Pro!" });
	});

	test("refuses circles of base plans, drafts included", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.plan("b", { parentPlanId: "pro" });
		await make.plan("c", { parentPlanId: "b" });
		for (const parentPlanId of ["pro", "b", "c"])
			isRefusal(
				await ours.call("PATCH", "/plans/pro", { body: { parentPlanId } }),
				400,
				"PlansCircularDependencyError",
			);
	});

	test.each([
		["an unknown base plan", { parentPlanId: "none" }, 404, "PlanNotFound", "'none'"],
		["an unknown addon", { compatibleAddonIds: ["extra", "none"] }, 404, "AddonsNotFound", "'none'"],
		["one addon twice", { compatibleAddonIds: ["extra", "extra"] }, 400, "BadUserInput", "/compatibleAddonIds"],
		["an addon of another product", { compatibleAddonIds: ["theirs"] }, 400, "BadUserInput", "'theirs'"],
		["a status", { status: "DRAFT" }, 400, "BadUserInput", "status"],
		["another id", { id: "x" }, 400, "BadUserInput", "id"],
	] as const)("refuses %s", async (_, body, status, code, message) => {
		const ours = await catalogue();
		await maker(ours).product("other");
		await maker(ours).addon("theirs", { productId: "other" });
		isRefusal(await ours.call("PATCH", "/plans/pro", { body }), status, code, message);
	});
});

describe("GET /plans", () => {
	test("shows each plan once: as published, else as draft; a status asks for that version", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.product("other");
		await make.plan("elsewhere", { productId: "other" });
		await make.charge("/plans/pro", { pricingType: "FREE" });
		await make.publish("/plans/pro");
		await ours.call("POST", "/plans/pro/draft");
		await make.plan("gone", { pricingType: "FREE" });
		await make.publish("/plans/gone");
		await ours.call("POST", "/plans/gone/archive");
		const list = async (query: string) =>
			(await ours.call("GET", `/plans?${query}`)).body.data.map(
				({ id, status, versionNumber }: { id: string; status: string; versionNumber: number }) =>
					`${id} ${status} ${versionNumber}`,
			);
		const [gone, elsewhere, pro] = ["gone ARCHIVED 1", "elsewhere DRAFT 1", "pro PUBLISHED 1"];
		expect(await list("")).toEqual([gone, elsewhere, pro]);
		expect(await list("status=PUBLISHED,DRAFT,ARCHIVED")).toEqual([gone, elsewhere, pro]);
		expect(await list("status=PUBLISHED,DRAFT")).toEqual([elsewhere, pro]);
		expect(await list("status=DRAFT")).toEqual([elsewhere, "pro DRAFT 2"]);
		expect(await list("status=ARCHIVED")).toEqual([gone]);
		expect(await list("productId=app")).toEqual([gone, pro]);
		expect(await list("productId=none")).toEqual([]);
		expect(await list("createdAt[lt]=2026-01-31T00:00:00Z")).toEqual([]);
		const first = await ours.call("GET", "/plans?limit=1&status=DRAFT");
		expect(first.body.data).toMatchObject([{ id: "elsewhere" }]);
		expect(await list(`limit=1&status=DRAFT&after=${first.body.pagination.next}`)).toEqual(["pro DRAFT 2"]);
		expect((await ours.call("GET", "/plans", { key: ours.foreignKey })).body.data).toEqual([]);
		expect((await ours.call("GET", "/addons")).body.data).toMatchObject([{ id: "extra" }]);
		for (const query of ["status=LIVE", "limit=0", "id=pro", "after=x"])
			isRefusal(await ours.call("GET", `/plans?${query}`), 400, "BadUserInput");
	});
});

describe("publishing a plan", () => {
	test("wants a pricing type, free plans included, and answers no task", async () => {
		const ours = await catalogue();
		const publish = (migrationType: string) => ours.call("POST", "/plans/pro/publish", { body: { migrationType } });
		isRefusal(await publish("NEW_CUSTOMERS"), 400, "PackagePricingTypeNotSet", "'pro'");
		isRefusal(await publish("NOBODY"), 400, "BadUserInput", "/migrationType");
		isRefusal(await ours.call("POST", "/plans/pro/publish"), 400, "BadUserInput", "migrationType");
		await maker(ours).charge("/plans/pro", { pricingType: "FREE" });
		expect(await publish("ALL_CUSTOMERS")).toMatchObject({ status: 200, body: { data: { taskId: null } } });
		expect((await ours.call("GET", "/plans/pro")).body.data).toMatchObject({ status: "PUBLISHED", isLatest: true });
	});

	test("wants its base plan and its compatible addons published first", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.plan("child", { parentPlanId: "pro", pricingType: "FREE" });
		await ours.call("PATCH", "/plans/child", { body: { compatibleAddonIds: ["extra"] } });
		const publish = (path: string) => ours.call("POST", `${path}/publish`, { body: published });
		isRefusal(await publish("/plans/child"), 400, "PlanCannotBePublishWhenBasePlanIsDraft", "'child'");
		await make.charge("/plans/pro", { pricingType: "CUSTOM" });
		await make.publish("/plans/pro");
		isRefusal(await publish("/plans/child"), 400, "PlanCannotBePublishWhenCompatibleAddonIsDraft", "'extra'");
		await make.charge("/addons/extra", { pricingType: "FREE" });
		await make.publish("/addons/extra");
		expect((await publish("/plans/child")).status).toBe(200);
	});
});

describe("archiving a plan", () => {
	test("is refused while another plan is based on it, or the product's journey names it", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.charge("/plans/pro", { pricingType: "FREE" });
		await make.publish("/plans/pro");
		await make.plan("child", { parentPlanId: "pro" });
		const archive = () => ours.call("POST", "/plans/pro/archive");
		isRefusal(await archive(), 400, "PlanWithChildCantBeDeleted", "'child'");
		await ours.call("DELETE", "/plans/child/draft");
		const settings = (start: string | null, end: string | null) =>
			ours.call("PATCH", "/products/app", {
				body: {
					productSettings: {
						subscriptionStartSetup: "FREE_PLAN",
						subscriptionStartPlanId: start,
						subscriptionEndSetup: "DOWNGRADE_TO_FREE",
						downgradePlanId: end,
						subscriptionCancellationTime: "IMMEDIATE",
					},
				},
			});
		expect((await settings("pro", null)).status).toBe(200);
		isRefusal(await archive(), 400, "PlanIsUsedAsDefaultStartPlan", "'pro'");
		await settings(null, "pro");
		isRefusal(await archive(), 400, "PlanIsUsedAsDowngradePlan", "'pro'");
		await settings(null, null);
		expect(await archive()).toMatchObject({ status: 200, body: { data: { status: "ARCHIVED" } } });
	});

	test("a draft that others are based on cannot be thrown away", async () => {
		const ours = await catalogue();
		await maker(ours).plan("child", { parentPlanId: "pro" });
		isRefusal(await ours.call("DELETE", "/plans/pro/draft"), 400, "PlanWithChildCantBeDeleted", "'child'");
		expect((await world().call("DELETE", "/plans/pro/draft")).status).toBe(404);
	});
});
