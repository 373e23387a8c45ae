import { beforeAll, describe, expect, test } from "bun:test";
import { type World, world } from "../../support/world";
import { ask, codes, data, nodes } from "../ask";
import { soldShop } from "../objects.shop";
import { countingReads } from "../statements";

const now = "2026-01-31T00:00:00.000Z";

let ours: World;

beforeAll(async () => {
	ours = await soldShop();
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
		ours.transactions.write(ours.actor, ({ tx, now: at }) => {
			tx.run(`UPDATE subscriptions SET end_at = ${at}, runs_until = ${at} WHERE ref_id = 'sub-2'`);
		});
		const query =
			"{ subscriptions(filter: { status: { eq: EXPIRED }, cancelReason: { eq: Expired }, effectiveEndDate: { isNot: null } }) { edges { node { refId status cancelReason effectiveEndDate } } } }";
		expect(nodes((await data(ours, query)).subscriptions)).toEqual([
			{ refId: "sub-2", status: "EXPIRED", cancelReason: "Expired", effectiveEndDate: now },
		]);
		expect(await found("subscriptions", "CustomerSubscriptionFilter", { status: { eq: "ACTIVE" } })).toEqual(["sub-1"]);
		ours.transactions.write(ours.actor, ({ tx }) => {
			tx.run("UPDATE subscriptions SET end_at = NULL, runs_until = NULL WHERE ref_id = 'sub-2'");
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
		const ours = world();
		const readsOf = countingReads(ours);
		await soldShop(ours);
		const query = `query ($first: Int) { customers(paging: { first: $first }, filter: { refId: { like: "many%" } }) { edges { node {
			refId coupon { name } subscriptions { refId resource { resourceId } addons { quantity addon { refId } }
			plan { refId product { refId } prices { feature { refId } } entitlements { feature { refId } } } } } } } }`;
		// Each begins with the product's start plan.
		for (let at = 0; at < 20; at += 1)
			await ours.call("POST", "/customers", { body: { id: `many${at}`, couponId: "FIVE" } });
		const statements = (first: number) =>
			readsOf(async () => {
				const { customers } = await data(ours, query, { first });
				expect(customers.edges).toHaveLength(first);
				expect(
					nodes<{ subscriptions: object[] }>(customers).every(({ subscriptions }) => subscriptions.length === 1),
				).toBe(true);
			});
		// Caches from one call to the next are no part of it.
		for (const first of [20, 2]) await statements(first);
		const few = await statements(2);
		expect(few).toBeGreaterThan(5);
		expect(await statements(20)).toBe(few);
	});
});
