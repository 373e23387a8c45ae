import { beforeAll, describe, expect, test } from "bun:test";
import { ask, codes, data, nodes } from "../../graphql/ask";
import { steps } from "../../graphql/catalogue";
import { mutate } from "../../graphql/mutate";
import { type World, world } from "../../support/world";

let ours: World;

/** The price list up to its publication, with a draft of `pro` open. */
beforeAll(async () => {
	ours = world();
	const published = steps.findIndex(({ mutation }) => mutation === "createPlanDraft");
	for (const {
		rest: [method, path, body],
	} of steps.slice(0, published + 1)) {
		const { status } = await ours.call(method, path, body && { body });
		if (status >= 300) throw new Error(`${method} ${path} answered ${status}`);
	}
});

describe("reads of the catalogue", () => {
	test("a feature with its meter; null where there is none", async () => {
		const { features } = await data(
			ours,
			`{ features(sorting: [{ field: refId, direction: ASC }]) { edges { node { refId meter { id createdAt
				aggregation { function field percentile } filters { conditions { field operation value values } } } } } } }`,
		);
		expect(nodes(features)).toEqual([
			{
				refId: "calls",
				meter: {
					id: expect.any(String),
					createdAt: "2026-01-31T00:00:00.000Z",
					aggregation: { function: "SUM", field: "tokens", percentile: null },
					filters: [
						{
							conditions: [
								{ field: "eventName", operation: "IN", value: null, values: ["call", "chat"] },
								{ field: "model", operation: "STARTS_WITH", value: "big", values: null },
							],
						},
					],
				},
			},
			{ refId: "region", meter: null },
			{ refId: "seats", meter: null },
		]);
	});

	test("a plan's entitlements with credits among them; without them in the older field", async () => {
		const common = "type order behavior isCustom isGranted";
		const { plan } = await data(
			ours,
			`{ plan(refId: "pro") { entitlements { featureId } entitlementItems { __typename
				... on PackageEntitlement { ${common} featureId usageLimit hasSoftLimit resetPeriod
					resetPeriodConfiguration { ... on WeeklyResetPeriodConfig { accordingTo weeklyAccordingTo } } }
				... on PackageCreditEntitlement { ${common} currencyId currency { refId displayName } amount cadence dependencyFeatureId } } } }`,
		);
		const shown = { behavior: "Increment", isCustom: null, isGranted: true };
		expect(plan).toEqual({
			entitlements: [{ featureId: "calls" }],
			entitlementItems: [
				{
					...shown,
					__typename: "PackageEntitlement",
					type: "FEATURE",
					order: 2,
					featureId: "calls",
					usageLimit: 500,
					hasSoftLimit: true,
					resetPeriod: "WEEK",
					resetPeriodConfiguration: { accordingTo: "EveryMonday", weeklyAccordingTo: "EveryMonday" },
				},
				{
					...shown,
					__typename: "PackageCreditEntitlement",
					type: "CREDIT",
					order: null,
					currencyId: "gold",
					currency: { refId: "gold", displayName: "Golden" },
					amount: 250.5,
					cadence: "MONTH",
					dependencyFeatureId: null,
				},
			],
		});
	});

	test("prices, and apart from them those of overage", async () => {
		const { plan } = await data(
			ours,
			`{ plan(refId: "pro") { compatibleAddonIds prices { billingModel billingCountryCode price { amount currency } feature { refId } }
				overagePrices { billingModel billingPeriod price { amount currency } feature { refId } } } }`,
		);
		expect(plan.compatibleAddonIds).toEqual(["extra"]);
		expect(plan.prices.map(({ billingModel }: { billingModel: string }) => billingModel)).toEqual([
			"FLAT_FEE",
			"FLAT_FEE",
			"PER_UNIT",
			"USAGE_BASED",
			"MINIMUM_SPEND",
		]);
		expect(plan.prices[1]).toMatchObject({ billingCountryCode: "DE", price: { amount: 18.5, currency: "EUR" } });
		expect(plan.overagePrices).toEqual([
			{
				billingModel: "USAGE_BASED",
				billingPeriod: "MONTHLY",
				price: { amount: 0.002, currency: "USD" },
				feature: { refId: "calls" },
			},
		]);
	});

	test("versions: the shown one, one by its number, all of them in a list", async () => {
		const read = await data(
			ours,
			`{ plan(refId: "pro") { versionNumber status } draft: plan(refId: "pro", version: 2) { versionNumber status }
				plans(filter: { refId: { eq: "pro" } }) { totalCount }
				planVersions(filter: { refId: { eq: "pro" } }, sorting: [{ field: versionNumber, direction: DESC }]) {
					totalCount edges { node { versionNumber status product { refId } } } }
				addonVersions { edges { node { refId versionNumber } } } }`,
		);
		expect(read).toEqual({
			plan: { versionNumber: 1, status: "PUBLISHED" },
			draft: { versionNumber: 2, status: "DRAFT" },
			plans: { totalCount: 1 },
			planVersions: {
				totalCount: 2,
				edges: [
					{ node: { versionNumber: 2, status: "DRAFT", product: { refId: "app" } } },
					{ node: { versionNumber: 1, status: "PUBLISHED", product: { refId: "app" } } },
				],
			},
			addonVersions: { edges: [{ node: { refId: "extra", versionNumber: 1 } }] },
		});
		expect(codes(await ask(ours, '{ plan(refId: "pro", version: 9) { refId } }'))).toEqual(["PlanNotFound"]);
	});

	test("the changes of publishing a draft, as in REST", async () => {
		await mutate(ours, "updatePackageEntitlement", {
			packageType: "PLAN",
			packageId: "pro",
			type: "CREDIT",
			refId: "gold",
			amount: 7,
		});
		const rest = await ours.call("POST", "/plans/pro/publish?dryRun=true", {
			body: { migrationType: "ALL_CUSTOMERS" },
		});
		const { planPublishImpact } = await data(
			ours,
			`{ planPublishImpact(input: { refId: "pro", migrationType: ALL_CUSTOMERS }) {
				entitlements { refId type change before after } charges { isOverage change before after }
				subscriptionsCount customersLosing { customerId loses } customersLosingCount } }`,
		);
		const { entitlements, ...others } = rest.body.data.impact;
		expect(planPublishImpact).toEqual({
			...others,
			entitlements: entitlements.map(({ id, ...change }: { id: string }) => ({ refId: id, ...change })),
		});
		expect(planPublishImpact.entitlements).toMatchObject([{ refId: "gold", change: "CHANGED", after: { amount: 7 } }]);
		const none =
			'{ addonPublishImpact(input: { refId: "extra", migrationType: NEW_CUSTOMERS }) { subscriptionsCount } }';
		expect(codes(await ask(ours, none))).toEqual(["PackageAlreadyPublished"]);
		expect(codes(await ask(ours, none, undefined, { key: ours.scopedKey("CATALOG:READ") }))).toEqual([
			"AccessDeniedError",
		]);
	});

	test("custom currencies: as a list, one, and what uses it", async () => {
		await ours.call("POST", "/credits/custom-currencies", { body: { id: "old", displayName: "Old" } });
		await mutate(ours, "archiveCustomCurrency", { refId: "old" });
		const read = await data(
			ours,
			`{ customCurrencies(sorting: [{ field: refId, direction: ASC }]) { totalCount edges { node { refId displayName symbol status
				archivedAt additionalMetaData units { singular plural } } } }
				active: customCurrencies(filter: { status: { eq: ACTIVE } }) { totalCount }
				customCurrency(refId: "gold") { refId environmentId }
				customCurrencyAssociatedEntities(refId: "gold") { refId displayName type } }`,
		);
		expect(read.customCurrencies.totalCount).toBe(2);
		expect(nodes(read.customCurrencies)).toEqual([
			{
				refId: "gold",
				displayName: "Golden",
				symbol: null,
				status: "ACTIVE",
				archivedAt: null,
				additionalMetaData: {},
				units: { singular: "coin", plural: "coins" },
			},
			{
				refId: "old",
				displayName: "Old",
				symbol: null,
				status: "ARCHIVED",
				archivedAt: "2026-01-31T00:00:00.000Z",
				additionalMetaData: {},
				units: null,
			},
		]);
		expect(read.active.totalCount).toBe(1);
		expect(read.customCurrency).toEqual({ refId: "gold", environmentId: ours.environmentId });
		expect(read.customCurrencyAssociatedEntities).toEqual([{ refId: "pro", displayName: "Pro!", type: "Plan" }]);
	});

	test("another environment sees none of it, and a key needs the scope", async () => {
		const query = `{ plan(refId: "pro") { id } planVersions { totalCount } customCurrencies { totalCount }
			customCurrency(refId: "gold") { id } customCurrencyAssociatedEntities(refId: "gold") { refId } coupon(refId: "x") { id } }`;
		const foreign = await ask(ours, query, undefined, { key: ours.foreignKey });
		expect([foreign.data.planVersions, foreign.data.customCurrencies]).toEqual([{ totalCount: 0 }, { totalCount: 0 }]);
		expect(codes(foreign)).toEqual([
			"PlanNotFound",
			"CustomCurrencyNotFound",
			"CustomCurrencyNotFound",
			"CouponNotFound",
		]);
		const scoped = await ask(ours, query, undefined, { key: ours.scopedKey("CUSTOMER:WRITE") });
		expect(codes(scoped)).toEqual(Array(6).fill("AccessDeniedError"));
	});
});
