import { beforeAll, describe, expect, test } from "bun:test";
import { provision, shop } from "../../areas/subscriptions/shop";
import type { World } from "../../support/world";
import { ask, codes, data } from "../ask";

let ours: World;

beforeAll(async () => {
	ours = await shop();
	await provision(ours, { planId: "pro", billingPeriod: "MONTHLY" });
});

describe("fields that the schema lacks do not fail an operation", () => {
	test("an unknown field is null under its response key, with all fields below it, and is reported", async () => {
		const body = await ask(
			ours,
			`query ($x: Int!) { getCustomerByRefId(input: { customerId: "acme" }) {
				refId future nick: alsoUnknown(first: $x) { deep { deeper } } subscriptions { refId unheardOf { id } }
			} }`,
			{ x: 1 },
		);
		expect(body).toEqual({
			data: {
				getCustomerByRefId: {
					refId: "acme",
					future: null,
					nick: null,
					subscriptions: [{ refId: expect.any(String), unheardOf: null }],
				},
			},
			extensions: { unknownFields: ["Customer.future", "Customer.alsoUnknown", "CustomerSubscription.unheardOf"] },
		});
	});

	test("the same document again, from the cache, and another one after it", async () => {
		const query = '{ getCustomerByRefId(input: { customerId: "acme" }) { refId future } }';
		const first = await ask(ours, query);
		expect(first.data).toEqual({ getCustomerByRefId: { refId: "acme", future: null } });
		expect(await ask(ours, query)).toEqual(first);
		expect(await ask(ours, query.replace("future", "name"))).toEqual({
			data: { getCustomerByRefId: { refId: "acme", name: "Acme Ltd" } },
		});
	});

	test("fragments on unknown types, and on types that cannot be here, select nothing", async () => {
		const { entitlementsState } = await data(
			ours,
			`{ entitlementsState(query: { customerId: "acme" }) { entitlements {
				...Future ... on Martian { horns } ... on Customer { refId }
				... on CreditEntitlement { currency { currencyId } usageLimit later } ... on FeatureEntitlement { later: isGranted }
			} } } fragment Future on Unheard { a b }`,
		);
		expect(entitlementsState.entitlements).toContainEqual({
			currency: { currencyId: "gold" },
			usageLimit: 100,
			later: null,
		});
		expect(entitlementsState.entitlements).toContainEqual({ later: true });
	});

	test("an object without known fields is not null", async () => {
		const query = '{ getCustomerByRefId(input: { customerId: "acme" }) { ...F } } fragment F on Stranger { a }';
		expect(await data(ours, query)).toEqual({ getCustomerByRefId: { __typename: "Customer" } });
	});

	test("a key without access to an object's fields learns nothing from null", async () => {
		const key = ours.scopedKey("SUBSCRIPTION:READ");
		const query = "{ subscriptions { edges { node { plan { refId future description } } } } }";
		const body = await ask(ours, query, undefined, { key });
		expect(codes(body)).toEqual(["AccessDeniedError"]);
		expect(body.data.subscriptions.edges).toEqual([
			{ node: { plan: { refId: "pro", future: null, description: null } } },
		]);
	});
});

describe("strict checks", () => {
	const refused = {
		"a field of the root": "{ nope }",
		"a field of the root next to an unknown one of an object": "{ nope customers { future } }",
		"an argument": "{ customers(nope: 1) { totalCount } }",
		"an argument next to an unknown field": "{ customers(nope: 1) { totalCount future } }",
		"a field of a filter": "{ customers(filter: { nope: { eq: 1 } }) { totalCount } }",
		"an enum value": "{ customers(sorting: [{ field: nope, direction: ASC }]) { totalCount } }",
		"a variable that is not declared": "{ customers(paging: { first: $x }) { totalCount future } }",
		"a missing argument": "{ getSubscription { refId } }",
		"an object without a selection": "{ customers }",
		"the stand-in's own name on the root": "{ _absent }",
	};
	for (const [name, query] of Object.entries(refused))
		test(name, async () => {
			const body = await ask(ours, query);
			expect(body).not.toHaveProperty("data");
			expect(new Set(codes(body))).toEqual(new Set(["BadUserInput"]));
		});

	test("the stand-in does not show in introspection", async () => {
		const { __schema: schema } = await data(ours, "{ __schema { types { fields { name } } } }");
		expect(JSON.stringify(schema)).not.toContain("_absent");
	});
});
