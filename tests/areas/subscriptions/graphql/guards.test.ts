import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { SubscriptionImport } from "../../../../src/areas/subscriptions/import/schema";
import { SubscriptionPreview } from "../../../../src/areas/subscriptions/preview/schema";
import { SubscriptionProvision } from "../../../../src/areas/subscriptions/schema.provision";
import { SubscriptionUpdate } from "../../../../src/areas/subscriptions/schema.update";
import { callOfRoute, type LimitedRoute } from "../../../../src/http/limits/limits";
import type { Instant } from "../../../../src/kernel/clock";
import { ask, codes, data } from "../../../graphql/ask";
import { mutate, shownTypes } from "../../../graphql/mutate";
import { countingReads } from "../../../graphql/statements";
import { type World, world } from "../../../support/world";
import { provision, shop, stock } from "../shop";

type Sent = readonly [mutation: string, input: Readonly<Record<string, unknown>>, selection?: string | undefined];

/** Each mutation that writes, about a subscription `s` of the customer `c`; neither is there. */
const writes: readonly Sent[] = [
	["provisionSubscription", { customerId: "c", planId: "p" }],
	["provisionSubscriptionV2", { customerId: "c", planId: "p" }],
	["applySubscription", { customerId: "c", planId: "p" }],
	["importSubscriptionsBulk", { subscriptions: [{ refId: "s", customerId: "c", planId: "p" }] }, ""],
	["updateOneSubscription", { refId: "s" }],
	["updateSubscription", { subscriptionId: "s" }],
	["cancelSubscription", { subscriptionRefId: "s" }],
	["migrateSubscriptionToLatest", { subscriptionId: "s" }],
	["transferSubscription", { subscriptionId: "s", destinationResourceId: "r" }],
	["transferSubscriptionToResource", { subscriptionId: "s", destinationResourceId: "r" }],
	["delegateSubscriptionToCustomer", { subscriptionId: "s", targetCustomerId: "c" }],
	["cancelSchedule", { subscriptionId: "s" }, ""],
	["cancelSchedule", { subscriptionId: "s", status: "PendingPayment" }, ""],
	["markInvoiceAsPaid", { subscriptionId: "s" }],
	["chargeSubscriptionUsage", { subscriptionId: "s" }],
	["triggerSubscriptionUsageSync", { subscriptionId: "s" }],
];

const send = (ours: World, [mutation, input, selection = "{ __typename }"]: Sent, key = ours.key) =>
	mutate(ours, mutation, input, { selection, key });

const created = `mutation ($subscription: SubscriptionInput!) { createSubscription(subscription: $subscription) { refId } }`;
const create = (ours: World, key = ours.key) =>
	ask(ours, created, { subscription: { customerId: "c", planId: "p" } }, { key });

describe("permissions", () => {
	let ours: World;
	beforeAll(() => {
		ours = world();
	});

	for (const sent of writes)
		test(JSON.stringify(sent), async () => {
			const key = ours.scopedKey("SUBSCRIPTION:READ", "CUSTOMER:WRITE");
			expect(codes(await send(ours, sent, key))).toEqual(["AccessDeniedError"]);
			const [code] = codes(await send(ours, sent, ours.scopedKey("SUBSCRIPTION:WRITE")));
			expect(["CustomerNotFound", "SubscriptionNotFound"]).toContain(code ?? "none");
		});

	test("createSubscription", async () => {
		expect(codes(await create(ours, ours.scopedKey("SUBSCRIPTION:READ")))).toEqual(["AccessDeniedError"]);
		expect(codes(await create(ours))).toEqual(["CustomerNotFound"]);
	});
});

describe("a limited mutation counts as the route that it stands for", () => {
	const routes: ReadonlyArray<readonly [LimitedRoute, ...Sent]> = [
		["POST /subscriptions", "provisionSubscription", { customerId: "c", planId: "p", resourceId: "r" }],
		["POST /subscriptions", "provisionSubscriptionV2", { customerId: "c", planId: "p" }],
		["POST /subscriptions", "applySubscription", { customerId: "c", planId: "p" }],
		["PATCH /subscriptions/:id", "updateOneSubscription", { refId: "s" }],
		["PATCH /subscriptions/:id", "updateSubscription", { subscriptionId: "s" }],
		["POST /subscriptions/:id/cancel", "cancelSubscription", { subscriptionRefId: "s" }],
		["POST /subscriptions/:id/migrate", "migrateSubscriptionToLatest", { subscriptionId: "s" }],
		["POST /subscriptions/:id/transfer", "transferSubscription", { subscriptionId: "s", destinationResourceId: "r" }],
		[
			"POST /subscriptions/:id/transfer",
			"transferSubscriptionToResource",
			{ subscriptionId: "s", destinationResourceId: "r" },
		],
		[
			"POST /subscriptions/:id/delegate",
			"delegateSubscriptionToCustomer",
			{ subscriptionId: "s", targetCustomerId: "c" },
		],
		["DELETE /subscriptions/:id/future-update/schedule", "cancelSchedule", { subscriptionId: "s" }, ""],
		[
			"DELETE /subscriptions/:id/future-update/pending-payment",
			"cancelSchedule",
			{ subscriptionId: "s", status: "PendingPayment" },
			"",
		],
	];

	/** The REST calls of the same route; each body is one that the route accepts. */
	const byRest = (ours: World, limited: LimitedRoute, { resourceId }: Readonly<Record<string, unknown>>) => {
		const { method, route } = callOfRoute(limited);
		const body = limited.endsWith("transfer")
			? { destinationResourceId: "r" }
			: limited.endsWith("delegate")
				? { targetCustomerId: "c" }
				: limited === "POST /subscriptions"
					? { customerId: "c", planId: "p", ...(resourceId !== undefined && { resourceId }) }
					: {};
		return ours.call(method, route.replace(":id", "s"), method === "DELETE" ? {} : { body });
	};

	for (const [limited, ...sent] of routes)
		test(`${limited} by ${JSON.stringify(sent)}`, async () => {
			const [mutation, input, selection] = sent;
			const ours = world();
			const absent = limited === "POST /subscriptions" ? "CustomerNotFound" : "SubscriptionNotFound";
			for (let at = 0; at < 15; at += 1) {
				expect(codes(await send(ours, sent))).toEqual([absent]);
				expect((await byRest(ours, limited, input)).status).toBe(404);
			}
			expect(codes(await send(ours, sent))).toEqual(["RateLimitExceeded"]);
			expect((await byRest(ours, limited, input)).status).toBe(429);
			const { resourceId: _, ...elsewhere } = input;
			const another =
				limited === "POST /subscriptions"
					? { ...elsewhere, resourceId: "other" }
					: Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value === "s" ? "s2" : value]));
			expect(codes(await send(ours, [mutation, another, selection]))).toEqual([absent]);
			for (const [other, ...unlike] of routes)
				if (other !== limited) expect(codes(await send(ours, unlike))).not.toEqual(["RateLimitExceeded"]);
			ours.limitClock.ms += 60_000;
			expect(codes(await send(ours, sent))).toEqual([absent]);
		});

	test("createSubscription counts as provisioning", async () => {
		const ours = world();
		for (let at = 0; at < 30; at += 1) expect(codes(await create(ours))).toEqual(["CustomerNotFound"]);
		expect(codes(await create(ours))).toEqual(["RateLimitExceeded"]);
		expect((await byRest(ours, "POST /subscriptions", {})).status).toBe(429);
	});
});

describe("in the shop", () => {
	let ours: World;
	beforeEach(async () => {
		ours = await shop();
	});

	test("a field of the root is one Work: what fails leaves what was done before, and hinders nothing after", async () => {
		await provision(ours, { id: "s", planId: "pro", billingPeriod: "MONTHLY" });
		const body = await ask(
			ours,
			`mutation {
				one: updateSubscription(input: { refId: "s", addons: [{ addonId: "extra" }] }) { refId }
				two: updateSubscription(input: { refId: "s", addons: [], billingInformation: { integrationId: "i" } }) { refId }
				three: cancelSubscription(input: { subscriptionRefId: "s", subscriptionCancellationTime: IMMEDIATE }) { status }
			}`,
		);
		expect([body.data, codes(body)]).toEqual([
			{ one: { refId: "s" }, two: null, three: { status: "CANCELED" } },
			["IntegrationNotFound"],
		]);
		expect(body.errors[0].path).toEqual(["two"]);
		expect((await ours.call("GET", "/subscriptions/s")).body.data.addons).toEqual([{ id: "extra", quantity: 1 }]);
	});

	test("a field that a key may not see rolls back, as every error does", async () => {
		const key = ours.scopedKey("SUBSCRIPTION:WRITE");
		const input = { customerId: "acme", planId: "free" };
		const selection = "{ status subscription { refId customer { email } } }";
		const body = await mutate(ours, "provisionSubscription", input, { key, selection });
		expect([body.data, codes(body)]).toEqual([{ provisionSubscription: null }, ["AccessDeniedError"]]);
		expect((await ours.call("GET", "/subscriptions")).body.data).toEqual([]);
		const open = "{ status subscription { refId } entitlementsV2 { __typename } }";
		expect(await mutate(ours, "provisionSubscription", input, { key, selection: open })).not.toHaveProperty("errors");
	});

	test("the other environment's key changes nothing of ours", async () => {
		await provision(ours, { id: "s", planId: "pro", billingPeriod: "MONTHLY" });
		const before = (await ours.call("GET", "/subscriptions/s")).body;
		for (const [mutation, input, selection] of writes) {
			const about = JSON.parse(JSON.stringify(input).replaceAll('"c"', '"acme"').replaceAll('"p"', '"pro"'));
			const [code] = codes(await send(ours, [mutation, about, selection], ours.foreignKey));
			expect([mutation, code]).toEqual([mutation, expect.stringMatching(/^(Customer|Subscription)NotFound$/)]);
		}
		expect((await ours.call("GET", "/subscriptions/s")).body).toEqual(before);
		const active = '{ getActiveSubscriptions(input: { customerId: "acme" }) { refId } }';
		expect(await data(ours, active, undefined, { key: ours.foreignKey })).toEqual({ getActiveSubscriptions: [] });
	});

	test("an Idempotency-Key answers again what was done", async () => {
		const headers = { "idempotency-key": "once" };
		const input = { customerId: "acme", planId: "basic" };
		const selection = "{ subscription { refId } }";
		const first = await mutate(ours, "provisionSubscription", input, { selection, headers });
		expect(await mutate(ours, "provisionSubscription", input, { selection, headers })).toEqual(first);
		expect((await ours.call("GET", "/subscriptions")).body.data).toHaveLength(1);
	});

	test("getActiveSubscriptions: what gives access now, by resource", async () => {
		await ours.call("PATCH", "/products/app", { body: { multipleSubscriptions: true } });
		for (const resourceId of [null, "one", "two"])
			await provision(ours, { id: `on-${resourceId}`, planId: "free", resourceId });
		await provision(ours, { id: "later", planId: "basic", resourceId: "three", startDate: "2026-05-01T00:00:00Z" });
		const active = async (input: object) => {
			const query = `query ($input: GetActiveSubscriptionsInput!) { getActiveSubscriptions(input: $input) { refId plan { refId } } }`;
			const { getActiveSubscriptions: found } = await data(ours, query, { input: { customerId: "acme", ...input } });
			return found.map(({ refId }: { refId: string }) => refId);
		};
		expect(await active({})).toEqual(["on-null", "on-one", "on-two"]);
		expect(await active({ resourceId: "one" })).toEqual(["on-one"]);
		expect(await active({ resourceIds: ["one", "two", "three"] })).toEqual(["on-one", "on-two"]);
		expect(await active({ resourceId: "one", resourceIds: ["two"] })).toEqual(["on-one", "on-two"]);
		expect(await active({ resourceIds: [] })).toEqual([]);
		expect(await active({ customerId: "nobody" })).toEqual([]);
		const query = '{ getActiveSubscriptions(input: { customerId: "acme" }) { refId } }';
		expect(codes(await ask(ours, query, undefined, { key: ours.scopedKey("CUSTOMER:READ") }))).toEqual([
			"AccessDeniedError",
		]);
	});

	test("an end that has come shows in lists as it does in REST, and is found by filters", async () => {
		await ours.call("POST", "/customers", { body: { id: "beta" } });
		await provision(ours, { id: "canceled", planId: "basic", cancellationDate: "2026-02-10T00:00:00Z" });
		const trial = { isTrial: true, trialEndDate: "2026-02-10T00:00:00Z", trialEndBehavior: "CANCEL_SUBSCRIPTION" };
		await provision(ours, { customerId: "beta", id: "tried", planId: "basic", trialOverrideConfiguration: trial });
		ours.clock.at = Date.UTC(2026, 1, 10) as Instant;
		const fields = "refId status cancelReason effectiveEndDate";
		const reasons = { canceled: "ScheduledCancellation", tried: "TrialEnded" };
		for (const [refId, cancelReason] of Object.entries(reasons)) {
			const { status, effectiveEndDate } = (await ours.call("GET", `/subscriptions/${refId}`)).body.data;
			expect(effectiveEndDate).toBe("2026-02-10T00:00:00.000Z");
			const { subscriptions } = await data(
				ours,
				`{ subscriptions(filter: { status: { eq: ${status} }, cancelReason: { eq: ${cancelReason} },
					effectiveEndDate: { eq: "${effectiveEndDate}" } }) { edges { node { ${fields} } } } }`,
			);
			expect(subscriptions.edges).toEqual([{ node: { refId, status, cancelReason, effectiveEndDate } }]);
		}
		const { subscriptions } = await data(
			ours,
			"{ subscriptions(filter: { status: { in: [ACTIVE, IN_TRIAL] } }) { totalCount } }",
		);
		expect(subscriptions.totalCount).toBe(0);
	});
});

test("a page of subscriptions takes as many statements as two, whatever they are to become", async () => {
	const ours = world();
	const readsOf = countingReads(ours);
	await stock(ours);
	for (let at = 0; at < 8; at += 1) {
		const customerId = `many${at}`;
		await ours.call("POST", "/customers", { body: { id: customerId, ...(at % 2 && { couponId: "TEN" }) } });
		await provision(ours, { customerId, planId: "pro", billingPeriod: "MONTHLY" });
		await provision(ours, { customerId, planId: "basic", scheduleStrategy: "END_OF_BILLING_PERIOD" });
	}
	const query = `query ($first: Int) { subscriptions(paging: { first: $first }, filter: { status: { eq: ACTIVE } }) { edges { node { refId
			totalPrice { total { amount } } coupons { status } trial { trialEndBehavior } minimumSpend { amount }
			futureUpdates { targetPackage { refId product { refId } } } } } } }`;
	const statements = (first: number) =>
		readsOf(async () => {
			const { subscriptions } = await data(ours, query, { first });
			expect(subscriptions.edges).toHaveLength(first);
			expect(subscriptions.edges[0].node).toMatchObject({
				futureUpdates: [{ targetPackage: { refId: "basic", product: { refId: "app" } } }],
			});
		});
	// Caches from one call to the next are no part of it.
	for (const first of [8, 2]) await statements(first);
	const few = await statements(2);
	expect(few).toBeGreaterThan(5);
	expect(await statements(8)).toBe(few);
});

describe("inputs have the fields that the bodies of REST have, under the clients' names", () => {
	const ours = world();
	/** REST's name → GraphQL's. */
	const names: Readonly<Record<string, string>> = { id: "refId", metadata: "additionalMetaData" };
	const both = ["subscriptionId", "billableFeatures", "environmentId"];
	const bought = [...both, "priceUnitAmount", "subscriptionEntitlements", "promotionCode", "skipTrial"];
	const estimated = ["environmentId", "priceUnitAmount", "promotionCode", "skipTrial"];
	type Like = readonly [input: string, body: TSchema, more: readonly string[], without?: readonly string[]];
	const likes: readonly Like[] = [
		["ProvisionSubscriptionInput", SubscriptionProvision, bought],
		["ApplySubscriptionInput", SubscriptionProvision, [...bought, "paymentMethodId"], ["checkoutOptions"]],
		[
			"SubscriptionInput",
			SubscriptionProvision,
			[...bought, "endDate", "isTrial", "isOverridingTrialConfig", "isCustomPriceSubscription", "crmId"],
			["checkoutOptions"],
		],
		["UpdateSubscriptionInput", SubscriptionUpdate, [...both, "refId", "unitQuantity", "subscriptionEntitlements"]],
		["EstimateSubscriptionInput", SubscriptionPreview, estimated],
		["PreviewSubscriptionInput", SubscriptionPreview, estimated],
		["ImportSubscriptionsBulkInput", SubscriptionImport, ["environmentId"]],
		[
			"ImportSubscriptionInput",
			SubscriptionImport.properties.subscriptions.items,
			["subscriptionId", "billableFeatures"],
		],
		["CheckoutOptions", SubscriptionProvision.properties.checkoutOptions, []],
		// The billing provider's metadata, which is not the subscription's own.
		["SubscriptionBillingInfo", SubscriptionUpdate.properties.billingInformation, ["metadata"], ["metadata"]],
	];
	test.each(likes)("%s", async (input, body, more, without = []) => {
		const properties = Object.keys(body.properties).filter((name) => !without.includes(name));
		const expected = [...properties.map((name) => names[name] ?? name), ...more];
		const fields = (await shownTypes(ours)).get(input)?.inputFields ?? [];
		expect(fields.map(({ name }) => name).sort()).toEqual(expected.sort());
	});
});
