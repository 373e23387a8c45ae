import { beforeAll, describe, expect, test } from "bun:test";
import { ask, codes, data } from "../../graphql/ask";
import type { World } from "../../support/world";
import { maker } from "../packages/catalogue";
import { provision, shop } from "../subscriptions/shop";

let ours: World;

beforeAll(async () => {
	ours = await shop();
	await provision(ours, { planId: "pro", billingPeriod: "MONTHLY", addons: [{ id: "extra", quantity: 2 }] });
	await ours.call("POST", "/customers", { body: { id: "idle" } });
	await ours.call("POST", "/customers", { body: { id: "small" } });
	const make = maker(ours);
	await make.plan("none-left");
	await make.entitle("/plans/none-left", { type: "FEATURE", id: "calls", usageLimit: 0 });
	await make.charge("/plans/none-left", { pricingType: "FREE" });
	await make.publish("/plans/none-left");
	await provision(ours, { customerId: "small", planId: "none-left" });
});

const fields = `__typename isGranted accessDeniedReason customerId resourceId usageLimit hasUnlimitedUsage hasSoftLimit
	currentUsage enumValues resetPeriod nextResetDate usagePeriodAnchor usagePeriodStart usagePeriodEnd entitlementUpdatedAt
	resetPeriodConfiguration { __typename ... on MonthlyResetPeriodConfig { monthlyAccordingTo accordingTo } }
	feature { refId featureType meterType displayName }`;

const cached = `query CachedEntitlements($query: FetchEntitlementsQuery!) { entitlements: cachedEntitlements(query: $query) { ${fields} } }`;
const state = `query GetEntitlementsState($query: FetchEntitlementsQuery!) { entitlementsState(query: $query) { accessDeniedReason
	entitlements: entitlementsV2 { ... on FeatureEntitlement { ${fields} } ... on CreditEntitlement { __typename isGranted customerId
	usageLimit currentUsage currency { currencyId displayName additionalMetaData } } } } }`;

describe("cachedEntitlements", () => {
	test("has another name, under which clients read it", async () => {
		const both = await data(
			ours,
			'{ cachedEntitlements(query: { customerId: "acme" }) { feature { refId } } entitlements(query: { customerId: "acme" }) { feature { refId } } }',
		);
		expect(both.entitlements.length).toBeGreaterThan(0);
		expect(both.entitlements).toEqual(both.cachedEntitlements);
	});

	test("is the whole list of granted features, with what a client needs to decide by itself", async () => {
		const { entitlements } = await data(ours, cached, { query: { customerId: "acme" } });
		const byFeature = new Map<string, object>(
			entitlements.map((one: { feature: { refId: string } }) => [one.feature.refId, one]),
		);
		expect([...byFeature.keys()].sort()).toEqual(
			["calls", "region", "seats", "sso"].filter((ref) => byFeature.has(ref)),
		);
		expect(byFeature.get("calls")).toMatchObject({
			__typename: "Entitlement",
			isGranted: true,
			accessDeniedReason: null,
			customerId: "acme",
			resourceId: null,
			hasUnlimitedUsage: false,
			currentUsage: 0,
			resetPeriod: "MONTH",
			nextResetDate: "2026-02-28T00:00:00.000Z",
			usagePeriodStart: "2026-01-31T00:00:00.000Z",
			usagePeriodEnd: "2026-02-28T00:00:00.000Z",
			usagePeriodAnchor: "2026-01-31T00:00:00.000Z",
			resetPeriodConfiguration: {
				__typename: "MonthlyResetPeriodConfig",
				monthlyAccordingTo: "SubscriptionStart",
				accordingTo: "SubscriptionStart",
			},
			feature: { refId: "calls", featureType: "NUMBER", meterType: "Incremental", displayName: "calls" },
		});
		expect(byFeature.get("region")).toMatchObject({
			enumValues: ["eu"],
			feature: { featureType: "ENUM", meterType: "None" },
		});
		expect(byFeature.get("sso")).toMatchObject({
			enumValues: null,
			resetPeriod: null,
			feature: { featureType: "BOOLEAN" },
		});
	});

	test("agrees with REST about limits, usage and periods", async () => {
		const { entitlements } = await data(ours, cached, { query: { customerId: "acme" } });
		const rest = (await ours.call("GET", "/customers/acme/entitlements")).body.data.entitlements;
		const features = rest.filter(({ type }: { type: string }) => type === "FEATURE");
		expect(entitlements).toHaveLength(features.length);
		for (const { feature, usageLimit = null, currentUsage = null, usagePeriodEnd = null, resetPeriod } of features)
			expect(entitlements).toContainEqual(
				expect.objectContaining({
					usageLimit,
					currentUsage,
					usagePeriodEnd,
					resetPeriod,
					feature: expect.objectContaining({ refId: feature.id }),
				}),
			);
	});

	for (const customerId of ["nobody", "idle"])
		test(`is empty, and no error, for '${customerId}'`, async () => {
			expect(await ask(ours, cached, { query: { customerId } })).toEqual({ data: { entitlements: [] } });
		});

	test("a full quota is the client's to see: the entitlement stays, with its usage", async () => {
		const { entitlements } = await data(ours, cached, { query: { customerId: "small" } });
		expect(entitlements).toMatchObject([{ isGranted: true, accessDeniedReason: null, usageLimit: 0, currentUsage: 0 }]);
	});
});

describe("entitlementsState", () => {
	test("is the union of features and credits", async () => {
		const { entitlementsState } = await data(ours, state, { query: { customerId: "acme" } });
		expect(entitlementsState.accessDeniedReason).toBeNull();
		expect(entitlementsState.entitlements).toContainEqual({
			__typename: "CreditEntitlement",
			isGranted: true,
			customerId: "acme",
			usageLimit: 100,
			currentUsage: 0,
			currency: { currencyId: "gold", displayName: "gold", additionalMetaData: {} },
		});
		expect(entitlementsState.entitlements).toContainEqual(
			expect.objectContaining({ __typename: "FeatureEntitlement" }),
		);
	});

	for (const [customerId, reason] of Object.entries({ nobody: "CustomerNotFound", idle: "NoActiveSubscription" }))
		test(`says ${reason} for '${customerId}'`, async () => {
			expect(await data(ours, state, { query: { customerId } })).toEqual({
				entitlementsState: { accessDeniedReason: reason, entitlements: [] },
			});
		});
});

describe("entitlement", () => {
	const query = `query ($query: FetchEntitlementQuery!) { entitlement(query: $query) {
		isGranted accessDeniedReason requestedUsage usageLimit feature { refId } } }`;
	const cases: readonly (readonly [string, object, object])[] = [
		["a boolean", { featureId: "sso" }, { isGranted: true, accessDeniedReason: null, feature: { refId: "sso" } }],
		[
			"usage within the limit",
			{ featureId: "calls", options: { requestedUsage: 5 } },
			{ isGranted: true, requestedUsage: 5 },
		],
		[
			"usage beyond it",
			{ featureId: "calls", options: { requestedUsage: 1_000_000 } },
			{ isGranted: false, accessDeniedReason: "RequestedUsageExceedingLimit", requestedUsage: 1_000_000 },
		],
		["an allowed value", { featureId: "region", options: { requestedValues: ["eu"] } }, { isGranted: true }],
		[
			"another value",
			{ featureId: "region", options: { requestedValues: ["us"] } },
			{ isGranted: false, accessDeniedReason: "RequestedValuesMismatch" },
		],
		[
			"a feature that nobody knows",
			{ featureId: "none" },
			{ isGranted: false, accessDeniedReason: "FeatureNotFound", feature: null },
		],
		[
			"an unknown customer",
			{ customerId: "nobody", featureId: "sso" },
			{ isGranted: false, accessDeniedReason: "CustomerNotFound" },
		],
	];
	for (const [name, asked, expected] of cases)
		test(name, async () => {
			const { entitlement } = await data(ours, query, { query: { customerId: "acme", ...asked } });
			expect(entitlement).toMatchObject(expected);
		});

	test("a required input that is missing is refused", async () => {
		expect(codes(await ask(ours, query, { query: { customerId: "acme" } }))).toEqual(["BadUserInput"]);
	});
});
