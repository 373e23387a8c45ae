import { describe, expect, test } from "bun:test";
import { longText, world } from "../../support/world";
import { fill, maker } from "../packages/catalogue";
import { guard, isRefusal } from "../packages/guards";

guard(
	[
		{ method: "GET", path: "/products", scope: "CATALOG:READ", publishable: true },
		{ method: "POST", path: "/products", scope: "CATALOG:WRITE", body: { id: "p", displayName: "P" } },
		{
			method: "PATCH",
			path: "/products/app",
			scope: "CATALOG:WRITE",
			body: { displayName: "Q" },
			missing: "ProductNotFoundError",
			missingPath: "/products/none",
		},
	],
	fill,
);

const defaults = {
	subscriptionStartSetup: "PLAN_SELECTION",
	subscriptionStartPlanId: null,
	subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
	downgradePlanId: null,
	subscriptionCancellationTime: "IMMEDIATE",
	prorateAtEndOfBillingPeriod: null,
};

describe("POST /products", () => {
	test("makes a product with every key of the contract", async () => {
		const answer = await world().call("POST", "/products", { body: { id: "app", displayName: "App" } });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			data: {
				id: "app",
				displayName: "App",
				description: null,
				status: "PUBLISHED",
				metadata: {},
				multipleSubscriptions: false,
				productSettings: defaults,
				createdAt: "2026-01-31T00:00:00.000Z",
				updatedAt: "2026-01-31T00:00:00.000Z",
			},
		});
	});

	test("refuses a second one of the same id; elsewhere the id is free", async () => {
		const ours = world();
		await maker(ours).product("app");
		const body = { id: "app", displayName: "Again" };
		isRefusal(await ours.call("POST", "/products", { body }), 409, "DuplicatedEntityNotAllowed", "'app'");
		expect((await ours.call("POST", "/products", { body, key: ours.foreignKey })).status).toBe(201);
	});

	test.each([
		["no id", { id: undefined }, "id"],
		["an id with a slash", { id: "a/b" }, "/id"],
		["no name", { displayName: undefined }, "displayName"],
		["an empty name", { displayName: "" }, "/displayName"],
		["a name of 256 characters", { displayName: longText(256) }, "/displayName"],
		["a number as description", { description: 1 }, "/description"],
		["a flag in quotes", { multipleSubscriptions: "true" }, "/multipleSubscriptions"],
		["a list as metadata", { metadata: ["a"] }, "/metadata"],
		["settings, which only updates take", { productSettings: defaults }, "productSettings"],
	])("refuses %s", async (_, change, message) => {
		const body = { id: "app", displayName: "App", ...change };
		isRefusal(await world().call("POST", "/products", { body }), 400, "BadUserInput", message);
	});
});

describe("PATCH /products/{id}", () => {
	test("changes only what is sent; the reset rule is kept and never shown", async () => {
		const ours = world();
		const make = maker(ours);
		await make.product("app");
		await make.plan("free");
		const settings = { ...defaults, subscriptionStartSetup: "FREE_PLAN", subscriptionStartPlanId: "free" };
		const first = await ours.call("PATCH", "/products/app", {
			body: { multipleSubscriptions: true, productSettings: settings, metadata: { team: "a" }, description: "Ours" },
		});
		expect(first.body.data).toMatchObject({
			displayName: "app",
			multipleSubscriptions: true,
			productSettings: settings,
		});
		const second = await ours.call("PATCH", "/products/app", {
			body: { usageResetCutoffRule: { behavior: "NEVER_RESET" }, metadata: null, description: null },
		});
		expect(second.body.data).toMatchObject({ productSettings: settings, metadata: {}, description: null });
		expect(second.body.data).not.toHaveProperty("usageResetCutoffRule");
	});

	test("settings name plans of this product only", async () => {
		const ours = world();
		const make = maker(ours);
		await make.product("app");
		await make.product("other");
		await make.plan("foreign", { productId: "other" });
		for (const downgradePlanId of ["none", "foreign"]) {
			const body = { productSettings: { ...defaults, downgradePlanId } };
			isRefusal(await ours.call("PATCH", "/products/app", { body }), 404, "PlanNotFound", `'${downgradePlanId}'`);
		}
	});

	test.each([
		["a part of the settings", { productSettings: { subscriptionStartSetup: "FREE_PLAN" } }, "/productSettings"],
		[
			"an unknown setup",
			{ productSettings: { ...defaults, subscriptionEndSetup: "NOTHING" } },
			"/subscriptionEndSetup",
		],
		["an unknown reset rule", { usageResetCutoffRule: { behavior: "SOMETIMES" } }, "/usageResetCutoffRule/behavior"],
		["a name of null", { displayName: null }, "/displayName"],
		["another id", { id: "other" }, "id"],
	])("refuses %s", async (_, body, message) => {
		const ours = world();
		await maker(ours).product("app");
		isRefusal(await ours.call("PATCH", "/products/app", { body }), 400, "BadUserInput", message);
	});
});

describe("GET /products", () => {
	test("pages newest first both ways, filters by id, status and date, and shows nothing of another environment", async () => {
		const ours = world();
		for (const id of ["a", "b", "c"]) await maker(ours).product(id);
		await ours.call("POST", "/products", { body: { id: "theirs", displayName: "Theirs" }, key: ours.foreignKey });
		const ids = async (query: string) =>
			(await ours.call("GET", `/products?${query}`)).body.data.map(({ id }: { id: string }) => id);
		expect(await ids("")).toEqual(["c", "b", "a"]);
		const first = await ours.call("GET", "/products?limit=2");
		expect(first.body.pagination.prev).toBeNull();
		expect(await ids(`limit=2&after=${first.body.pagination.next}`)).toEqual(["a"]);
		const last = await ours.call("GET", `/products?limit=2&after=${first.body.pagination.next}`);
		expect(last.body.pagination.next).toBeNull();
		expect(await ids(`limit=2&before=${last.body.pagination.prev}`)).toEqual(["c", "b"]);
		expect(await ids("id=b")).toEqual(["b"]);
		expect(await ids("id=theirs")).toEqual([]);
		expect(await ids("status=PUBLISHED,ARCHIVED")).toEqual(["c", "b", "a"]);
		expect(await ids("status=ARCHIVED")).toEqual([]);
		expect(await ids("createdAt[lt]=2026-01-31T00:00:00Z")).toEqual([]);
		expect(await ids("createdAt[lte]=2026-01-31T00:00:00Z")).toEqual(["c", "b", "a"]);
	});

	test("a read of many query keys refuses what is none", async () => {
		for (const query of ["status=DRAFT", "limit=0", "after=x", "createdAt[gt]=yesterday", "name=a"])
			isRefusal(await world().call("GET", `/products?${query}`), 400, "BadUserInput");
	});
});
