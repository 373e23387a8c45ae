import { describe, expect, test } from "bun:test";
import { catalogue, fill, maker } from "../packages/catalogue";
import { guard, isRefusal } from "../packages/guards";

const missing = { missing: "AddonNotFound" } as const;

guard(
	[
		{ method: "GET", path: "/addons", scope: "CATALOG:READ", publishable: true },
		{ method: "POST", path: "/addons", scope: "CATALOG:WRITE", body: { id: "a", displayName: "A", productId: "app" } },
		{
			method: "GET",
			path: "/addons/extra",
			scope: "CATALOG:READ",
			publishable: true,
			missingPath: "/addons/no",
			...missing,
		},
		{
			method: "PATCH",
			path: "/addons/extra",
			scope: "CATALOG:WRITE",
			body: { displayName: "E" },
			missingPath: "/addons/no",
			...missing,
		},
		{
			method: "GET",
			path: "/addons/extra/charges",
			scope: "CATALOG:READ",
			publishable: true,
			missingPath: "/addons/no/charges",
			...missing,
		},
		{
			method: "POST",
			path: "/addons/extra/publish",
			scope: "CATALOG:WRITE",
			body: { migrationType: "NEW_CUSTOMERS" },
			missingPath: "/addons/no/publish",
			...missing,
		},
		{
			method: "POST",
			path: "/addons/extra/draft",
			scope: "CATALOG:WRITE",
			missingPath: "/addons/no/draft",
			...missing,
		},
		{
			method: "DELETE",
			path: "/addons/extra/draft",
			scope: "CATALOG:WRITE",
			missingPath: "/addons/no/draft",
			...missing,
		},
		{
			method: "POST",
			path: "/addons/extra/archive",
			scope: "CATALOG:WRITE",
			missingPath: "/addons/no/archive",
			...missing,
		},
		{
			method: "GET",
			path: "/addons/extra/entitlements",
			scope: "CATALOG:READ",
			publishable: true,
			missingPath: "/addons/no/entitlements",
			...missing,
		},
		{
			method: "POST",
			path: "/addons/extra/entitlements",
			scope: "CATALOG:WRITE",
			body: { entitlements: [{ type: "FEATURE", id: "sso" }] },
			missingPath: "/addons/no/entitlements",
			...missing,
		},
		{
			method: "PATCH",
			path: "/addons/extra/entitlements/calls",
			scope: "CATALOG:WRITE",
			body: { type: "FEATURE" },
			missingPath: "/addons/extra/entitlements/none",
			missing: "FeatureNotFound",
		},
		{
			method: "DELETE",
			path: "/addons/extra/entitlements/calls",
			scope: "CATALOG:WRITE",
			missingPath: "/addons/extra/entitlements/none",
			missing: "FeatureNotFound",
		},
	],
	async (ours) => {
		await fill(ours);
		await maker(ours).entitle("/addons/extra", { type: "FEATURE", id: "calls" });
	},
);

describe("POST /addons", () => {
	test("starts a draft with every key of the contract", async () => {
		const ours = await catalogue();
		const body = { id: "more", displayName: "More", productId: "app", maxQuantity: 3 };
		const answer = await ours.call("POST", "/addons", { body });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			data: {
				id: "more",
				displayName: "More",
				description: null,
				productId: "app",
				billingId: null,
				status: "DRAFT",
				versionNumber: 1,
				isLatest: false,
				pricingType: null,
				dependencies: null,
				maxQuantity: 3,
				entitlements: [],
				metadata: {},
				createdAt: "2026-01-31T00:00:00.000Z",
				updatedAt: "2026-01-31T00:00:00.000Z",
			},
		});
	});

	test.each([
		["no quantity", { maxQuantity: 0 }, 400, "BadUserInput", "/maxQuantity"],
		["half a quantity", { maxQuantity: 1.5 }, 400, "BadUserInput", "/maxQuantity"],
		["an unknown product", { productId: "none" }, 404, "ProductNotFoundError", "'none'"],
		["an id that is taken", { id: "extra" }, 409, "DuplicatedEntityNotAllowed", "'extra'"],
		["an archived start", { status: "ARCHIVED" }, 400, "BadUserInput", "/archive"],
		["a base plan", { parentPlanId: "pro" }, 400, "BadUserInput", "parentPlanId"],
	] as const)("refuses %s", async (_, change, status, code, message) => {
		const body = { id: "more", displayName: "More", productId: "app", ...change };
		isRefusal(await (await catalogue()).call("POST", "/addons", { body }), status, code, message);
	});
});

describe("PATCH /addons/{id}", () => {
	test("changes only what is sent; null clears; the status can only stay", async () => {
		const ours = await catalogue();
		await maker(ours).addon("base");
		const patch = (body: object) => ours.call("PATCH", "/addons/extra", { body });
		expect((await patch({ dependencies: ["base"], maxQuantity: 2, status: "DRAFT" })).body.data).toMatchObject({
			dependencies: ["base"],
			maxQuantity: 2,
		});
		expect((await patch({ dependencies: null, maxQuantity: null })).body.data).toMatchObject({
			dependencies: null,
			maxQuantity: null,
		});
		isRefusal(await patch({ status: "PUBLISHED" }), 400, "BadUserInput", "/publish");
		isRefusal(await patch({ dependencies: ["none"] }), 404, "AddonsNotFound", "'none'");
		isRefusal(await patch({ dependencies: ["extra"] }), 400, "BadUserInput", "itself");
	});
});

describe("publishing an addon", () => {
	test("a paid one needs a price, and what it depends on comes first", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.addon("base", { pricingType: "FREE" });
		const publish = () => ours.call("POST", "/addons/extra/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		isRefusal(await publish(), 400, "PackagePricingTypeNotSet");
		await make.charge("/addons/extra", { pricingType: "PAID" });
		isRefusal(await publish(), 400, "AddonHasToHavePriceError", "'extra'");
		const price = { billingPeriod: "MONTHLY", price: { amount: 3 } };
		const pricingModels = [{ billingModel: "FLAT_FEE", pricePeriods: [price] }];
		await make.charge("/addons/extra", { pricingType: "PAID", pricingModels });
		await ours.call("PATCH", "/addons/extra", { body: { dependencies: ["base"] } });
		isRefusal(await publish(), 400, "UnPublishedPackage", "'base'");
		await make.publish("/addons/base");
		expect(await publish()).toMatchObject({ status: 200, body: { data: { taskId: null } } });
	});

	test("an addon has no overage", async () => {
		const ours = await catalogue();
		const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 1 } }];
		const overagePricingModels = [{ billingModel: "USAGE_BASED", featureId: "calls", pricePeriods }];
		const body = { charges: { pricingType: "PAID", overagePricingModels } };
		isRefusal(await ours.call("PATCH", "/addons/extra", { body }), 400, "OveragePriceNotSupportedOnAddon");
	});
});
