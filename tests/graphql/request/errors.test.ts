import { beforeAll, describe, expect, test } from "bun:test";
import { flat, monthly, paid, perUnit, usd } from "../../areas/packages/prices";
import { provision, shop } from "../../areas/subscriptions/shop";
import type { World } from "../../support/world";
import { codes } from "../ask";
import { inputOf, mutate } from "../mutate";

let ours: World;

/** In the shop: `pro` and `extra` are published, `draft` is not; a subscription to `pro` runs. */
beforeAll(async () => {
	ours = await shop();
	await provision(ours, { id: "sub-1", planId: "pro", billingPeriod: "MONTHLY", charges: [] });
});

type Refusal = readonly [
	mutation: string,
	code: string,
	rest: readonly [method: string, path: string, body?: object],
	path?: Readonly<Record<string, string>>,
	under?: string,
];

const ref = (refId: string) => ({ refId });
const ofDraft = { packageType: "PLAN", packageId: "draft" };
const entitle = (...entitlements: object[]) => ["POST", "/plans/draft/entitlements", { entitlements }] as const;
const coupon = {
	name: "C",
	description: null,
	percentOff: 5,
	amountsOff: null,
	durationInMonths: null,
	metadata: null,
};
const settings = {
	subscriptionStartSetup: "FREE_PLAN",
	subscriptionStartPlanId: "nope",
	subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
	subscriptionCancellationTime: "IMMEDIATE",
};
const meter = { aggregation: { function: "SUM" }, filters: [] };

const refusals: readonly Refusal[] = [
	// Refusals of the schemas: pattern, length, range, count, unknown members of a union.
	["createOneProduct", "BadUserInput", ["POST", "/products", { id: "-x", displayName: "X" }]],
	["createOneProduct", "BadUserInput", ["POST", "/products", { id: "x", displayName: "" }]],
	["createOneProduct", "BadUserInput", ["POST", "/products", { id: "x", displayName: "x".repeat(256) }]],
	["createOneProduct", "BadUserInput", ["POST", "/products", { id: "x", displayName: "X", metadata: { a: 1 } }]],
	["createOneProduct", "BadUserInput", ["POST", "/products", { id: "x", displayName: "X", metadata: ["a"] }]],
	["updateOneProduct", "BadUserInput", ["PATCH", "/products/app", { displayName: null }], ref("app")],
	["updateOneProduct", "BadUserInput", ["PATCH", "/products/_app", {}], ref("_app")],
	[
		"updateOneFeature",
		"BadUserInput",
		["PATCH", "/features/calls", { unitTransformation: { divide: 0 } }],
		ref("calls"),
	],
	["createOnePlan", "BadUserInput", ["POST", "/plans", { id: "x", displayName: "X", productId: "" }]],
	[
		"updateOnePlan",
		"BadUserInput",
		["PATCH", "/plans/draft", { defaultTrialConfig: { duration: -1, units: "DAY" } }],
		ref("draft"),
	],
	[
		"createOneAddon",
		"BadUserInput",
		["POST", "/addons", { id: "x", displayName: "X", productId: "app", maxQuantity: 0 }],
	],
	["createCustomCurrency", "BadUserInput", ["POST", "/credits/custom-currencies", { id: "x y", displayName: "X" }]],
	["createOneCoupon", "BadUserInput", ["POST", "/coupons", { ...coupon, id: "C", percentOff: 101 }]],
	["createOneCoupon", "BadUserInput", ["POST", "/coupons", { ...coupon, id: "C", durationInMonths: 0 }]],
	[
		"createOneCoupon",
		"BadUserInput",
		["POST", "/coupons", { ...coupon, id: "C", percentOff: null, amountsOff: [{ amount: 5, currency: "xxx" }] }],
	],
	["createPackageEntitlements", "BadUserInput", entitle(), ofDraft],
	["createPackageEntitlements", "BadUserInput", entitle({ type: "FEATURE", id: "calls", usageLimit: -1 }), ofDraft],
	["createPackageEntitlements", "BadUserInput", entitle({ type: "FEATURE", id: "calls", amount: 1 }), ofDraft],
	["createPackageEntitlements", "BadUserInput", entitle({ type: "CREDIT", id: "gold", cadence: "MONTH" }), ofDraft],
	[
		"setPlanPricing",
		"BadUserInput",
		["PATCH", "/plans/draft", { charges: paid({ billingModel: "FLAT_FEE", pricePeriods: [] }) }],
		ref("draft"),
		"charges",
	],
	["setPlanPricing", "BadUserInput", ["PATCH", "/plans/draft", { charges: paid(flat(-1)) }], ref("draft"), "charges"],
	// Missing objects.
	["updateOneProduct", "ProductNotFoundError", ["PATCH", "/products/nope", {}], ref("nope")],
	["archiveProduct", "ProductNotFoundError", ["POST", "/products/nope/archive"], ref("nope")],
	["updateOneProduct", "PlanNotFound", ["PATCH", "/products/app", { productSettings: settings }], ref("app")],
	["archiveFeature", "FeatureNotFound", ["POST", "/features/nope/archive"], ref("nope")],
	["createOnePlan", "ProductNotFoundError", ["POST", "/plans", { id: "x", displayName: "X", productId: "nope" }]],
	["publishPlan", "PlanNotFound", ["POST", "/plans/nope/publish", { migrationType: "NEW_CUSTOMERS" }], ref("nope")],
	["removeAddonDraft", "AddonNotFound", ["DELETE", "/addons/nope/draft"], ref("nope")],
	["createPackageEntitlements", "FeatureNotFound", entitle({ type: "FEATURE", id: "nope" }), ofDraft],
	[
		"deletePackageEntitlement",
		"FeatureNotFound",
		["DELETE", "/plans/draft/entitlements/calls"],
		{ ...ofDraft, refId: "calls" },
	],
	["updateOneCoupon", "CouponNotFound", ["PATCH", "/coupons/NOPE", {}], ref("NOPE")],
	["archiveCustomCurrency", "CustomCurrencyNotFound", ["POST", "/credits/custom-currencies/x/archive"], ref("x")],
	// Existing objects.
	["createOneProduct", "DuplicatedEntityNotAllowed", ["POST", "/products", { id: "app", displayName: "X" }]],
	["createOneCoupon", "DuplicatedEntityNotAllowed", ["POST", "/coupons", { ...coupon, id: "TEN" }]],
	[
		"duplicateProduct",
		"DuplicatedEntityNotAllowed",
		["POST", "/products/app/duplicate", { targetId: "app" }],
		ref("app"),
	],
	[
		"createCustomCurrency",
		"DuplicatedEntityNotAllowed",
		["POST", "/credits/custom-currencies", { id: "gold", displayName: "X" }],
	],
	// Refusals of the rules.
	["updateOnePlan", "CannotEditPackageInNonDraftMode", ["PATCH", "/plans/pro", { displayName: "X" }], ref("pro")],
	[
		"createPackageEntitlements",
		"EditAllowedOnDraftPackageOnlyError",
		["POST", "/plans/basic/entitlements", { entitlements: [{ type: "FEATURE", id: "sso" }] }],
		{ packageType: "PLAN", packageId: "basic" },
	],
	[
		"publishPlan",
		"PackageAlreadyPublished",
		["POST", "/plans/pro/publish", { migrationType: "ALL_CUSTOMERS" }],
		ref("pro"),
	],
	["createPlanDraft", "DraftAlreadyExists", ["POST", "/plans/draft/draft"], ref("draft")],
	["archivePlan", "DraftPlanCantBeArchived", ["POST", "/plans/draft/archive"], ref("draft")],
	["archiveFeature", "CannotArchiveFeatureError", ["POST", "/features/calls/archive"], ref("calls")],
	["archiveCustomCurrency", "IntegrityViolation", ["POST", "/credits/custom-currencies/gold/archive"], ref("gold")],
	["unarchiveProduct", "CannotUnarchiveProductError", ["POST", "/products/app/unarchive"], ref("app")],
	["updateOneFeature", "BadUserInput", ["PATCH", "/features/calls", { meter }], ref("calls")],
	[
		"setPlanPricing",
		"BadUserInput",
		[
			"PATCH",
			"/plans/draft",
			{ charges: paid(perUnit({}, monthly({ price: usd(1), tiers: [{ unitPrice: usd(1) }] }))) },
		],
		ref("draft"),
		"charges",
	],
	["createOneCoupon", "BadUserInput", ["POST", "/coupons", { ...coupon, id: "C", percentOff: null }]],
];

describe("GraphQL refuses in the words of REST", () => {
	refusals.forEach(([mutation, code, [method, path, body], inPath = {}, under], at) => {
		test(`${at}: ${mutation}, ${code}`, async () => {
			const input = { ...inPath, ...inputOf(under === undefined ? (body ?? {}) : Reflect.get(body ?? {}, under)) };
			const { data, errors } = await mutate(ours, mutation, input);
			const rest = await ours.call(method, path, body && { body });
			expect(rest.body.code).toBe(code);
			expect([data, codes({ errors })]).toEqual([{ [mutation]: null }, [code]]);
			expect(errors[0].message).toBe(rest.body.message);
		});
	});

	test("another environment's things do not exist", async () => {
		for (const [mutation, input, code] of [
			["updateOneProduct", ref("app"), "ProductNotFoundError"],
			["archiveFeature", ref("sso"), "FeatureNotFound"],
			["createPlanDraft", ref("pro"), "PlanNotFound"],
			["archiveAddon", ref("extra"), "AddonNotFound"],
			["archiveCoupon", ref("TEN"), "CouponNotFound"],
			["updateCustomCurrency", ref("gold"), "CustomCurrencyNotFound"],
			["deletePackageEntitlement", { ...ofDraft, refId: "sso" }, "PlanNotFound"],
		] as const)
			expect(codes(await mutate(ours, mutation, input, { key: ours.foreignKey }))).toEqual([code]);
	});
});

describe("refusals of GraphQL's own types", () => {
	const refused: readonly (readonly [what: string, mutation: string, input: object, says: string])[] = [
		["a missing field", "createOneProduct", { refId: "x" }, "displayName"],
		["an unknown field", "createOneProduct", { refId: "x", displayName: "X", nope: 1 }, "nope"],
		["REST's own name of a field", "createOneProduct", { id: "x", displayName: "X" }, '"refId"'],
		["a wrong type", "createOneProduct", { refId: "x", displayName: 7 }, "displayName"],
		[
			"REST's spelling of a meter type",
			"createOneFeature",
			{ refId: "x", displayName: "X", featureType: "NUMBER", meterType: "INCREMENTAL" },
			"MeterType",
		],
		["an unknown enum value", "publishPlan", { refId: "draft", migrationType: "SOME" }, "PublishMigrationType"],
	];
	for (const [what, mutation, input, says] of refused)
		test(what, async () => {
			const body = await mutate(ours, mutation, input);
			expect([body.data, new Set(codes(body))]).toEqual([undefined, new Set(["BadUserInput"])]);
			expect(body.errors[0].message).toContain(says);
		});
});
