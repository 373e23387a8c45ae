import { beforeAll, describe, expect, test } from "bun:test";
import { provision, shop } from "../areas/subscriptions/shop";
import type { World } from "../support/world";
import { ask, codes, data, nodes } from "./ask";

const now = "2026-01-31T00:00:00.000Z";
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);

let ours: World;

beforeAll(async () => {
	ours = await shop();
	await ours.call("PATCH", "/products/app", {
		body: {
			metadata: { team: "core" },
			productSettings: {
				subscriptionStartSetup: "FREE_PLAN",
				subscriptionStartPlanId: "free",
				subscriptionEndSetup: "DOWNGRADE_TO_FREE",
				downgradePlanId: "free",
				subscriptionCancellationTime: "IMMEDIATE",
			},
		},
	});
	await ours.call("PATCH", "/customers/acme", {
		body: { couponId: "TEN", billingCurrency: "usd", metadata: { size: "big" } },
	});
	await provision(ours, {
		id: "sub-1",
		planId: "pro",
		billingPeriod: "MONTHLY",
		addons: [{ id: "extra", quantity: 2 }],
		charges: [{ id: "seats", type: "FEATURE", quantity: 7 }],
		metadata: { channel: "web" },
	});
	await ours.call("POST", "/customers", {
		body: {
			id: "beta",
			defaultPaymentMethod: {
				type: "CARD",
				billingId: null,
				cardExpiryMonth: 4,
				cardExpiryYear: 2030,
				cardLast4Digits: "4242",
			},
			integrations: [{ id: "i", vendorIdentifier: "AWS_MARKETPLACE", syncedEntityId: "aws-1" }],
		},
	});
	await provision(ours, { customerId: "beta", id: "sub-2", planId: "free", resourceId: "site" });
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

describe("filters", () => {
	const found = async (field: string, type: string, filter: object): Promise<string[]> => {
		const query = `query ($filter: ${type}) { ${field}(filter: $filter, sorting: [{ field: refId, direction: ASC }]) { edges { node { refId } } } }`;
		return nodes<{ refId: string }>((await data(ours, query, { filter }))[field]).map(({ refId }) => refId);
	};
	const cases: readonly (readonly [string, string, object, readonly string[]])[] = [
		["products", "ProductFilter", { status: { eq: "ARCHIVED" } }, []],
		["products", "ProductFilter", { status: { in: ["PUBLISHED"] }, multipleSubscriptions: { is: false } }, ["app"]],
		["products", "ProductFilter", { multipleSubscriptions: { isNot: false } }, []],
		["features", "FeatureFilter", { meterType: { eq: "Incremental" } }, ["calls"]],
		["features", "FeatureFilter", { meterType: { notIn: ["Incremental", "None"] } }, ["seats"]],
		["features", "FeatureFilter", { featureType: { neq: "NUMBER" } }, ["region", "sso"]],
		["addons", "AddonFilter", { maxQuantity: { between: { lower: 1, upper: 3 } } }, ["extra"]],
		["addons", "AddonFilter", { maxQuantity: { is: null } }, ["alien", "needy"]],
		["addons", "AddonFilter", { productId: { eq: "app" }, refId: { like: "%e%y" } }, ["needy"]],
		["addons", "AddonFilter", { productId: { eq: "other" } }, []],
		["plans", "PlanFilter", { pricingType: { in: ["FREE", "CUSTOM"] } }, ["custom", "free"]],
		["plans", "PlanFilter", { pricingType: { is: null } }, ["draft"]],
		["plans", "PlanFilter", { status: { eq: "DRAFT" } }, ["draft"]],
		["coupons", "CouponFilter", { status: { eq: "ACTIVE" }, type: { eq: "PERCENTAGE" } }, ["TEN"]],
		["coupons", "CouponFilter", { customers: { name: { iLike: "acme%" } } }, ["TEN"]],
		["coupons", "CouponFilter", { customers: { name: { eq: "Nobody" } } }, []],
		["customers", "CustomerFilter", { subscriptions: {} }, ["acme", "beta"]],
		["customers", "CustomerFilter", { subscriptions: { pricingType: { eq: "PAID" } } }, ["acme"]],
		["customers", "CustomerFilter", { subscriptions: { customer: { refId: { eq: "beta" } } } }, ["beta"]],
		["customers", "CustomerFilter", { crmId: { is: null }, customerId: { eq: "beta" } }, ["beta"]],
		["subscriptions", "CustomerSubscriptionFilter", { customerId: { eq: "acme" } }, ["sub-1"]],
		["subscriptions", "CustomerSubscriptionFilter", { customerId: { in: ["acme", "beta"] } }, ["sub-1", "sub-2"]],
		["subscriptions", "CustomerSubscriptionFilter", { resourceId: { eq: "site" } }, ["sub-2"]],
		["subscriptions", "CustomerSubscriptionFilter", { resourceId: { is: null } }, ["sub-1"]],
		["subscriptions", "CustomerSubscriptionFilter", { productId: { eq: "app" }, planId: { neq: "pro" } }, ["sub-2"]],
		[
			"subscriptions",
			"CustomerSubscriptionFilter",
			{ status: { in: ["ACTIVE"] }, cancelReason: { is: null } },
			["sub-1", "sub-2"],
		],
		["subscriptions", "CustomerSubscriptionFilter", { customer: { email: { like: "%acme%" } } }, ["sub-1"]],
		["subscriptions", "CustomerSubscriptionFilter", { addons: { quantity: { gte: 2 } } }, ["sub-1"]],
		["subscriptions", "CustomerSubscriptionFilter", { addons: { addonId: { eq: "needy" } } }, []],
	];
	for (const [field, type, filter, expected] of cases)
		test(`${field} ${JSON.stringify(filter)}`, async () => {
			expect(await found(field, type, filter)).toEqual([...expected]);
		});

	test("an agreed end that has come shows, and is found, whether or not it is written down", async () => {
		ours.doors.write(ours.actor, ({ tx, now: at }) => {
			tx.run(`UPDATE subscriptions SET end_at = ${at} WHERE ref_id = 'sub-2'`);
		});
		const query =
			"{ subscriptions(filter: { status: { eq: EXPIRED }, cancelReason: { eq: EXPIRED }, effectiveEndDate: { isNot: null } }) { edges { node { refId status cancelReason effectiveEndDate } } } }";
		expect(nodes((await data(ours, query)).subscriptions)).toEqual([
			{ refId: "sub-2", status: "EXPIRED", cancelReason: "EXPIRED", effectiveEndDate: now },
		]);
		expect(await found("subscriptions", "CustomerSubscriptionFilter", { status: { eq: "ACTIVE" } })).toEqual(["sub-1"]);
		ours.doors.write(ours.actor, ({ tx }) => {
			tx.run("UPDATE subscriptions SET end_at = NULL WHERE ref_id = 'sub-2'");
		});
	});
});

describe("isolation", () => {
	const lists = ["products", "features", "plans", "addons", "coupons", "customers", "subscriptions"];
	for (const field of lists)
		test(`the other environment's key sees none of our ${field}, by no way`, async () => {
			const key = ours.foreignKey;
			const [own] = (await data(ours, `{ ${field} { edges { node { id refId } } } }`))[field].edges;
			const query = `query ($id: String, $ref: String) {
				all: ${field} { totalCount edges { cursor } pageInfo { hasNextPage hasPreviousPage } }
				byId: ${field}(filter: { id: { eq: $id } }) { totalCount edges { cursor } }
				byRef: ${field}(filter: { or: [{ refId: { eq: $ref } }, { environmentId: { eq: "${ours.environmentId}" } }] }) { totalCount }
			}`;
			expect(await data(ours, query, { id: own.node.id, ref: own.node.refId }, { key })).toEqual({
				all: { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } },
				byId: { totalCount: 0, edges: [] },
				byRef: { totalCount: 0 },
			});
			const cursor = await ask(ours, `{ ${field}(paging: { after: "${own.node.id}" }) { totalCount } }`, undefined, {
				key,
			});
			expect([cursor.data, codes(cursor)]).toEqual([{ [field]: null }, ["BadUserInput"]]);
		});

	test("nor by single reads", async () => {
		const query = `{ getCustomerByRefId(input: { customerId: "acme" }) { refId }
			getSubscription(input: { subscriptionId: "sub-1" }) { refId }
			cachedEntitlements(query: { customerId: "acme" }) { customerId } }`;
		const body = await ask(ours, query, undefined, { key: ours.foreignKey });
		expect(body.data).toEqual({ getCustomerByRefId: null, getSubscription: null, cachedEntitlements: [] });
		expect(codes(body).sort()).toEqual(["CustomerNotFound", "SubscriptionNotFound"]);
	});

	test("a relation in a filter does not reach across", async () => {
		const key = ours.foreignKey;
		await ours.call("POST", "/customers", { key, body: { id: "acme", name: "Their Acme" } });
		const query = `{ customers(filter: { subscriptions: {} }) { totalCount } theirs: customers { totalCount } }`;
		expect(await data(ours, query, undefined, { key })).toEqual({
			customers: { totalCount: 0 },
			theirs: { totalCount: 1 },
		});
	});
});

describe("a scoped key inside of objects", () => {
	test("sees what the referring object shows, and no more", async () => {
		const key = ours.scopedKey("SUBSCRIPTION:READ");
		const ids =
			'{ subscriptions(filter: { refId: { eq: "sub-1" } }) { edges { node { refId plan { id refId } customer { refId } addons { addon { refId } } } } } }';
		expect(nodes((await data(ours, ids, undefined, { key })).subscriptions)).toMatchObject([
			{ refId: "sub-1", plan: { refId: "pro" }, customer: { refId: "acme" }, addons: [{ addon: { refId: "extra" } }] },
		]);
		const more =
			'{ subscriptions(filter: { refId: { eq: "sub-1" } }) { edges { node { refId plan { refId description } customer { refId email } } } } }';
		const body = await ask(ours, more, undefined, { key });
		expect(codes(body)).toEqual(["AccessDeniedError", "AccessDeniedError"]);
		expect(nodes(body.data.subscriptions)).toEqual([
			{ refId: "sub-1", plan: { refId: "pro", description: null }, customer: { refId: "acme", email: null } },
		]);
	});

	const refusals = [
		["CUSTOMER:READ", "{ customers { edges { node { subscriptions { refId } } } } }"],
		["CUSTOMER:READ", '{ customers(filter: { subscriptions: { refId: { eq: "sub-1" } } }) { totalCount } }'],
		["COUPON:READ", '{ coupons(filter: { refId: { eq: "TEN" } }) { edges { node { customers { refId } } } } }'],
		["COUPON:READ", '{ coupons(filter: { customers: { name: { eq: "x" } } }) { totalCount } }'],
		["SUBSCRIPTION:READ", '{ subscriptions(filter: { customer: { email: { eq: "x" } } }) { totalCount } }'],
		["CATALOG:READ", '{ cachedEntitlements(query: { customerId: "acme" }) { customerId } }'],
		["CATALOG:READ", '{ getCustomerByRefId(input: { customerId: "acme" }) { refId } }'],
		["CUSTOMER:READ", '{ getSubscription(input: { subscriptionId: "sub-1" }) { refId } }'],
	] as const;
	for (const [scope, query] of refusals)
		test(`${scope} is not enough for ${query}`, async () => {
			const body = await ask(ours, query, undefined, { key: ours.scopedKey(scope) });
			expect(new Set(codes(body))).toEqual(new Set(["AccessDeniedError"]));
			expect(JSON.stringify(body.data)).not.toMatch(/sub-1|acme|totalCount/);
		});
});

describe("cost", () => {
	test("a page's relations are read together: twenty rows take no more statements than two", async () => {
		const query = `query ($first: Int) { customers(paging: { first: $first }, filter: { refId: { like: "many%" } }) { edges { node {
			refId coupon { name } subscriptions { refId resource { resourceId } addons { quantity addon { refId } }
			plan { refId product { refId } prices { feature { refId } } entitlements { feature { refId } } } } } } } }`;
		for (let at = 0; at < 20; at += 1) {
			await ours.call("POST", "/customers", { body: { id: `many${at}`, couponId: "FIVE" } });
			await provision(ours, { customerId: `many${at}`, planId: "free" });
		}
		const statements = async (first: number) => {
			let prepared = 0;
			const { prepare } = ours.db.$client;
			ours.db.$client.prepare = function counting(this: typeof ours.db.$client, ...args: Parameters<typeof prepare>) {
				prepared += 1;
				return prepare.apply(this, args);
			} as typeof prepare;
			const { customers } = await data(ours, query, { first });
			ours.db.$client.prepare = prepare;
			expect(customers.edges).toHaveLength(first);
			expect(
				nodes<{ subscriptions: object[] }>(customers).every(({ subscriptions }) => subscriptions.length === 1),
			).toBe(true);
			return prepared;
		};
		const few = await statements(2);
		expect(few).toBeGreaterThan(5);
		expect(await statements(20)).toBe(few);
	});
});
