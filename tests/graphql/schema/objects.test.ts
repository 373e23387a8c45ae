import { beforeAll, describe, expect, test } from "bun:test";
import type { World } from "../../support/world";
import { ask, codes, data, nodes } from "../ask";
import { soldShop } from "../objects.shop";

const now = "2026-01-31T00:00:00.000Z";
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);

let ours: World;

beforeAll(async () => {
	ours = await soldShop();
});

describe("objects", () => {
	test("a product, with plans for its settings", async () => {
		const { products } = await data(
			ours,
			`{ products { edges { node { __typename id refId displayName description additionalMetaData status
				multipleSubscriptions usageReset environmentId createdAt
				productSettings { subscriptionStartSetup subscriptionStartPlan { refId } subscriptionEndSetup
					downgradePlan { refId displayName } subscriptionCancellationTime } } } } }`,
		);
		expect(nodes(products)).toEqual([
			{
				__typename: "Product",
				id: uuid,
				refId: "app",
				displayName: "app",
				description: null,
				additionalMetaData: { team: "core" },
				status: "PUBLISHED",
				multipleSubscriptions: false,
				usageReset: "ALWAYS_RESET",
				environmentId: ours.environmentId,
				createdAt: now,
				productSettings: {
					subscriptionStartSetup: "FREE_PLAN",
					subscriptionStartPlan: { refId: "free" },
					subscriptionEndSetup: "DOWNGRADE_TO_FREE",
					downgradePlan: { refId: "free", displayName: "free" },
					subscriptionCancellationTime: "IMMEDIATE",
				},
			},
		]);
	});

	test("features spell the meter type in Pascal case", async () => {
		const { features } = await data(
			ours,
			`{ features(sorting: [{ field: refId, direction: ASC }]) { edges { node { refId featureType meterType featureStatus
				enumConfiguration { value displayName } additionalMetaData } } } }`,
		);
		const common = { featureStatus: "ACTIVE", enumConfiguration: null, additionalMetaData: {} };
		const enumConfiguration = [
			{ value: "eu", displayName: "Europe" },
			{ value: "us", displayName: "America" },
		];
		expect(nodes(features)).toEqual([
			{ ...common, refId: "calls", featureType: "NUMBER", meterType: "Incremental" },
			{ ...common, refId: "region", featureType: "ENUM", meterType: "None", enumConfiguration },
			{ ...common, refId: "seats", featureType: "NUMBER", meterType: "Fluctuating", featureStatus: expect.any(String) },
			{ ...common, refId: "sso", featureType: "BOOLEAN", meterType: "None" },
		]);
	});

	test("a plan, with prices, entitlements, addons and product", async () => {
		const { plans } = await data(
			ours,
			`{ plans(filter: { refId: { eq: "pro" } }) { edges { node { id refId displayName status versionNumber isLatest pricingType
				product { refId productSettings { downgradePlan { refId } } } basePlan { refId }
				prices { billingModel billingPeriod minUnitQuantity maxUnitQuantity price { amount currency } tiers { upTo }
					feature { refId displayName } }
				entitlements { featureId usageLimit hasUnlimitedUsage resetPeriod isGranted enumValues feature { refId featureType meterType } }
				inheritedEntitlements { featureId } compatibleAddons { refId maxQuantity prices { price { amount } } dependencies { refId } }
				defaultTrialConfig { duration } } } } }`,
		);
		const [plan] = nodes<Record<string, unknown>>(plans);
		const perSeat = {
			billingModel: "PER_UNIT",
			minUnitQuantity: 1,
			maxUnitQuantity: 50,
			feature: { refId: "seats", displayName: "Seats" },
		};
		const perPlan = { billingModel: "FLAT_FEE", minUnitQuantity: null, maxUnitQuantity: null, feature: null };
		const priceOf = (amount: number) => ({ price: { amount, currency: "USD" }, tiers: null });
		expect(plan).toMatchObject({
			id: uuid,
			refId: "pro",
			displayName: "Pro",
			status: "PUBLISHED",
			versionNumber: 1,
			isLatest: true,
			pricingType: "PAID",
			product: { refId: "app", productSettings: { downgradePlan: { refId: "free" } } },
			basePlan: null,
			inheritedEntitlements: [],
			defaultTrialConfig: null,
		});
		expect(plan?.prices).toEqual(
			expect.arrayContaining([
				{ ...perPlan, billingPeriod: "MONTHLY", ...priceOf(20) },
				{ ...perPlan, billingPeriod: "ANNUALLY", ...priceOf(200) },
				{ ...perSeat, billingPeriod: "MONTHLY", ...priceOf(5) },
				{ ...perSeat, billingPeriod: "ANNUALLY", ...priceOf(50) },
			]),
		);
		expect(plan?.prices).toHaveLength(4);
		// Credits are no entitlement of a feature.
		expect(plan?.entitlements).toMatchObject([
			{ featureId: "sso", feature: { refId: "sso", featureType: "BOOLEAN", meterType: "None" } },
			{ featureId: "calls", usageLimit: 1000, resetPeriod: "MONTH", feature: { meterType: "Incremental" } },
			{ featureId: "region", enumValues: ["eu"], feature: { featureType: "ENUM" } },
		]);
		expect(plan?.compatibleAddons).toEqual(
			expect.arrayContaining([
				{
					refId: "extra",
					maxQuantity: 3,
					prices: [{ price: { amount: 3.33 } }, { price: { amount: 33.3 } }],
					dependencies: [],
				},
				{ refId: "needy", maxQuantity: null, prices: expect.any(Array), dependencies: [{ refId: "extra" }] },
			]),
		);
		expect(plan?.compatibleAddons).toHaveLength(2);
	});

	test("a draft shows while nothing is published; then the published version does, with an id of its own", async () => {
		const query = `query ($ref: String!) { plans(filter: { refId: { eq: $ref } }) { totalCount edges { node { id status versionNumber displayName } } } }`;
		expect(nodes((await data(ours, query, { ref: "draft" })).plans)).toMatchObject([
			{ status: "DRAFT", versionNumber: 1 },
		]);
		const [before] = nodes<{ id: string }>((await data(ours, query, { ref: "basic" })).plans);
		await ours.call("PATCH", "/plans/basic", { body: { displayName: "Basic two" } });
		const open = (await data(ours, query, { ref: "basic" })).plans;
		expect([open.totalCount, nodes(open)]).toMatchObject([1, [{ id: before?.id, displayName: "Basic" }]]);
		await ours.call("POST", "/plans/basic/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		const published = (await data(ours, query, { ref: "basic" })).plans;
		expect(published.totalCount).toBe(nodes(published).length);
	});

	test("a coupon, with the customers that hold it", async () => {
		const { coupons } = await data(
			ours,
			`{ coupons(sorting: [{ field: refId, direction: ASC }]) { edges { node { refId name type status source discountValue percentOff
				amountsOff { amount currency } syncStates { status } customers { refId } } } } }`,
		);
		const fixed = { type: "FIXED", percentOff: null, amountsOff: [{ amount: 5, currency: "USD" }], discountValue: 5 };
		const percent = (percentOff: number) => ({
			type: "PERCENTAGE",
			percentOff,
			amountsOff: null,
			discountValue: percentOff,
		});
		const common = { status: "ACTIVE", source: "TOLLGATE", syncStates: [], customers: [] };
		expect(nodes(coupons)).toEqual([
			{ ...common, refId: "FIVE", name: "FIVE", ...fixed },
			{ ...common, refId: "OLD", name: "OLD", ...percent(50), status: "ARCHIVED" },
			{ ...common, refId: "TEN", name: "TEN", ...percent(10), customers: [{ refId: "acme" }] },
		]);
	});

	const customerFields = `__typename id refId customerId name email billingId additionalMetaData hasPaymentMethod
		defaultPaymentExpirationMonth defaultPaymentExpirationYear defaultPaymentMethodLast4Digits billingCurrency
		awsMarketplaceCustomerId trialedPlans { planRefId } experimentInfo { id } coupon { refId discountValue }
		subscriptions { refId plan { refId } } createdAt`;

	test("a customer by the caller's id", async () => {
		const one = (customerId: string) =>
			data(
				ours,
				`query ($input: GetCustomerByRefIdInput!) { getCustomerByRefId(input: $input) { ${customerFields} } }`,
				{
					input: { customerId, environmentId: "ignored" },
				},
			);
		expect((await one("acme")).getCustomerByRefId).toEqual({
			__typename: "Customer",
			id: uuid,
			refId: "acme",
			customerId: "acme",
			name: "Acme Ltd",
			email: "billing@acme.test",
			billingId: expect.stringMatching(/^cus_/),
			additionalMetaData: { size: "big" },
			hasPaymentMethod: false,
			defaultPaymentExpirationMonth: null,
			defaultPaymentExpirationYear: null,
			defaultPaymentMethodLast4Digits: null,
			billingCurrency: "USD",
			awsMarketplaceCustomerId: null,
			trialedPlans: [],
			experimentInfo: null,
			coupon: { refId: "TEN", discountValue: 10 },
			subscriptions: [{ refId: "sub-1", plan: { refId: "pro" } }],
			createdAt: now,
		});
		expect((await one("beta")).getCustomerByRefId).toMatchObject({
			hasPaymentMethod: true,
			defaultPaymentExpirationMonth: 4,
			defaultPaymentExpirationYear: 2030,
			defaultPaymentMethodLast4Digits: "4242",
			awsMarketplaceCustomerId: "aws-1",
			coupon: null,
		});
	});

	test("a subscription by the caller's id", async () => {
		const query = `query ($input: GetSubscriptionInput!) { getSubscription(input: $input) {
			id refId subscriptionId status pricingType billingPeriod additionalMetaData startDate endDate effectiveEndDate
			currentBillingPeriodStart currentBillingPeriodEnd paymentCollection cancelReason
			plan { refId displayName } addons { id quantity addon { refId } } customer { refId name } payingCustomer { refId }
			resource { resourceId } prices { usageLimit price { billingModel price { amount currency } feature { refId } } }
			latestInvoice { status total currency } } }`;
		const { getSubscription: found } = await data(ours, query, { input: { subscriptionId: "sub-1" } });
		expect(found).toMatchObject({
			id: uuid,
			refId: "sub-1",
			subscriptionId: "sub-1",
			status: "ACTIVE",
			pricingType: "PAID",
			billingPeriod: "MONTHLY",
			additionalMetaData: { channel: "web" },
			startDate: now,
			endDate: null,
			currentBillingPeriodStart: now,
			currentBillingPeriodEnd: "2026-02-28T00:00:00.000Z",
			plan: { refId: "pro", displayName: "Pro" },
			addons: [{ quantity: 2, addon: { refId: "extra" } }],
			customer: { refId: "acme", name: "Acme Ltd" },
			payingCustomer: null,
			resource: null,
		});
		expect(found.prices).toEqual(
			expect.arrayContaining([
				{
					usageLimit: null,
					price: { billingModel: "FLAT_FEE", price: { amount: 20, currency: "USD" }, feature: null },
				},
				{
					usageLimit: 7,
					price: { billingModel: "PER_UNIT", price: { amount: 5, currency: "USD" }, feature: { refId: "seats" } },
				},
				{
					usageLimit: null,
					price: { billingModel: "FLAT_FEE", price: { amount: 3.33, currency: "USD" }, feature: null },
				},
			]),
		);
		expect(found.prices).toHaveLength(3);
		const { latestInvoice: invoice } = (await ours.call("GET", "/subscriptions/sub-1")).body.data;
		expect(invoice.total).toBeGreaterThan(0);
		expect(found.latestInvoice).toEqual({ status: invoice.status, total: invoice.total, currency: "USD" });
		const { getSubscription: other } = await data(ours, query, { input: { subscriptionId: "sub-2" } });
		expect(other).toMatchObject({ pricingType: "FREE", resource: { resourceId: "site" }, addons: [], prices: [] });
		const missing = await ask(ours, query, { input: { subscriptionId: "none" } });
		expect([missing.data, codes(missing)]).toEqual([{ getSubscription: null }, ["SubscriptionNotFound"]]);
	});
});
