import { beforeEach, describe, expect, test } from "bun:test";
import { codes, data } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import type { World } from "../../support/world";
import { shop } from "../subscriptions/shop";

let ours: World;
beforeEach(async () => {
	ours = await shop();
});
const read = async (id: string) => (await ours.call("GET", `/customers/${id}`)).body.data;
const run = async (name: string, input: object, selection: string, options = {}) =>
	mutate(ours, name, input, { selection, ...options });

const profile = {
	name: "New",
	email: "new@x.test",
	billingId: "cus_new",
	couponRefId: "TEN",
	additionalMetaData: { refId: "kept", currency: "USD" },
	crmId: "h-1",
	salesforceId: "s-1",
	awsMarketplaceCustomerId: "a-1",
	billingInformation: {
		billingAddress: { country: "DE", city: "Köln", addressLine1: "Dom 1", postalCode: "50667", phoneNumber: "1" },
		shippingAddress: { addressLine2: "Hof" },
		currency: "EUR",
		language: "de",
		timezone: "Europe/Berlin",
		taxIds: [{ type: "eu_vat", value: "DE1" }],
		invoiceCustomFields: { refId: "PO" },
		metadata: { additionalMetaData: "x" },
		paymentMethodId: "pm_1",
		customerName: "New GmbH",
	},
};
const stored = {
	name: "New",
	email: "new@x.test",
	billingId: "cus_new",
	couponId: "TEN",
	metadata: { refId: "kept", currency: "USD" },
	billingCurrency: "eur",
	language: "de",
	timezone: "Europe/Berlin",
	integrations: [
		{ id: "hubspot", syncedEntityId: "h-1", vendorIdentifier: "HUBSPOT" },
		{ id: "salesforce", syncedEntityId: "s-1", vendorIdentifier: "SALESFORCE" },
		{ id: "aws_marketplace", syncedEntityId: "a-1", vendorIdentifier: "AWS_MARKETPLACE" },
	],
	passthrough: {
		stripe: {
			billingAddress: { country: "DE", city: "Köln", line1: "Dom 1", postalCode: "50667" },
			shippingAddress: { line2: "Hof" },
			taxIds: [{ type: "eu_vat", value: "DE1" }],
			invoiceCustomFields: { refId: "PO" },
			metadata: { additionalMetaData: "x" },
			paymentMethodId: "pm_1",
			customerName: "New GmbH",
		},
	},
};

const settings = (subscriptionStartSetup: string, subscriptionStartPlanId: string) =>
	ours.call("PATCH", "/products/app", {
		body: {
			productSettings: {
				subscriptionStartSetup,
				subscriptionStartPlanId,
				subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
				subscriptionCancellationTime: "IMMEDIATE",
			},
		},
	});

describe("provisionCustomer", () => {
	const answer = `{ customer { refId customerId crmId salesforceId awsMarketplaceCustomerId billingCurrency coupon { refId } }
		subscription { refId status plan { refId } customer { refId } } subscriptionDecisionStrategy
		entitlementsV2 { ... on FeatureEntitlement { isGranted } } }`;

	test("every field has its place; nothing was asked for, so nothing is subscribed to", async () => {
		const input = {
			refId: "new",
			...profile,
			shouldSyncFree: false,
			excludeFromExperiment: true,
			environmentId: "any",
		};
		const body = await run("provisionCustomer", { ...input, createdAt: "2026-01-01T00:00:00Z" }, answer);
		expect(body).toEqual({
			data: {
				provisionCustomer: {
					customer: {
						refId: "new",
						customerId: "new",
						crmId: "h-1",
						salesforceId: "s-1",
						awsMarketplaceCustomerId: "a-1",
						billingCurrency: "EUR",
						coupon: { refId: "TEN" },
					},
					subscription: null,
					subscriptionDecisionStrategy: "SKIPPED_SUBSCRIPTION_CREATION",
					entitlementsV2: [],
				},
			},
		});
		expect(await read("new")).toMatchObject({ id: "new", ...stored });
	});

	test("with a subscription, in the same transaction", async () => {
		const subscriptionParams = {
			planId: "pro",
			refId: "sub-new",
			billingPeriod: "ANNUALLY",
			addons: [{ addonId: "extra", quantity: 2 }],
			billableFeatures: [{ featureId: "seats", quantity: 3 }],
			additionalMetaData: { refId: "kept" },
			billingInformation: { taxPercentage: 19, billingAddress: { country: "DE", addressLine1: "Dom" } },
			startDate: "2026-01-31T00:00:00.000Z",
			skipTrial: true,
		};
		const body = await run("provisionCustomer", { customerId: "new", subscriptionParams }, answer);
		expect(body.data.provisionCustomer).toMatchObject({
			subscription: { refId: "sub-new", status: "ACTIVE", plan: { refId: "pro" }, customer: { refId: "new" } },
			subscriptionDecisionStrategy: "REQUESTED_PLAN",
		});
		const subscription = (await ours.call("GET", "/subscriptions/sub-new")).body.data;
		expect(subscription).toMatchObject({
			currentBillingPeriodEnd: "2027-01-31T00:00:00.000Z",
			addons: [{ id: "extra", quantity: 2 }],
			// 200, three seats of 50 and two addons of 33.30 a year, and 19 % on it.
			latestInvoice: { total: 495.75 },
			metadata: { refId: "kept" },
			startDate: "2026-01-31T00:00:00.000Z",
		});
	});

	test("a refused subscription undoes the customer", async () => {
		const cases: Array<[object, string]> = [
			[{ planId: "none" }, "PlanNotFound"],
			[{ planId: "draft" }, "UnPublishedPackage"],
			[{ planId: "basic", promotionCode: "SPRING" }, "PromotionCodeNotFound"],
			[{ planId: "basic", billingInformation: { couponId: "co" } }, "CouponNotFound"],
			[{ planId: "basic", billingInformation: { integrationId: "i" } }, "IntegrationNotFound"],
			[{ planId: "basic", charges: "many" }, "BadUserInput"],
			[{ planId: "basic", scheduleStrategy: "NEVER" }, "BadUserInput"],
		];
		for (const [subscriptionParams, code] of cases) {
			const body = await run("provisionCustomer", { refId: "new", subscriptionParams }, "{ customer { refId } }");
			expect([body.data, codes(body)]).toEqual([{ provisionCustomer: null }, [code]]);
			expect((await ours.call("GET", "/customers/new")).status).toBe(404);
		}
	});

	test("a key for customers alone cannot ask for one, but a product's journey begins all the same", async () => {
		const key = ours.scopedKey("CUSTOMER:WRITE");
		const input = { refId: "new", subscriptionParams: { planId: "free" } };
		const refused = await run("provisionCustomer", input, "{ customer { refId } }", { key });
		expect(codes(refused)).toEqual(["AccessDeniedError"]);
		await settings("FREE_PLAN", "free");
		const strategy = "{ subscriptionDecisionStrategy }";
		expect((await run("provisionCustomer", { refId: "new" }, strategy, { key })).data).toEqual({
			provisionCustomer: { subscriptionDecisionStrategy: "PREDEFINED_FREE_PLAN" },
		});
		const seen = await run("provisionCustomer", { refId: "two" }, "{ subscription { status } }", { key });
		expect(codes(seen)).toEqual(["AccessDeniedError"]);
	});

	test("tells how it was decided", async () => {
		const decided = async (refId: string, params = {}) => {
			const { data: done } = await run("provisionCustomer", { refId, ...params }, answer);
			const { subscription, subscriptionDecisionStrategy } = done.provisionCustomer;
			return [subscriptionDecisionStrategy, subscription?.plan.refId ?? null];
		};
		await settings("FREE_PLAN", "free");
		expect(await decided("a")).toEqual(["PREDEFINED_FREE_PLAN", "free"]);
		// The requested plan replaces its product's start plan.
		expect(await decided("b", { subscriptionParams: { planId: "basic" } })).toEqual(["REQUESTED_PLAN", "basic"]);
		expect((await ours.call("GET", "/subscriptions?customerId=b")).body.data).toHaveLength(1);
		await ours.call("POST", "/plans/basic/draft");
		await ours.call("PATCH", "/plans/basic", { body: { defaultTrialConfig: { duration: 7, units: "DAY" } } });
		await ours.call("POST", "/plans/basic/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		await settings("TRIAL_PERIOD", "basic");
		expect(await decided("c")).toEqual(["PREDEFINED_TRIAL_PLAN", "basic"]);
		const query = `{ getCustomerByRefId(input: { customerId: "c" }) { trialedPlans { planRefId productRefId }
			statistics { activeSubscriptionsByPricingType { pricingType totalCount } } } }`;
		expect((await data(ours, query)).getCustomerByRefId).toEqual({
			trialedPlans: [{ planRefId: "basic", productRefId: "app" }],
			statistics: { activeSubscriptionsByPricingType: [{ pricingType: "PAID", totalCount: 1 }] },
		});
	});

	test("the id has two names, and must be one", async () => {
		const both = await run("provisionCustomer", { refId: "a", customerId: "a" }, "{ customer { refId } }");
		expect(both.data.provisionCustomer.customer).toEqual({ refId: "a" });
		const differ = await run("provisionCustomer", { refId: "b", customerId: "c" }, "{ customer { refId } }");
		expect(codes(differ)).toEqual(["EntityIdDifferentFromRefIdError"]);
		for (const input of [{}, { refId: "a b" }, { refId: "x", email: "no" }]) {
			const body = await run("provisionCustomer", input, "{ customer { refId } }");
			expect(codes(body)).toEqual(["BadUserInput"]);
		}
		const integrated = { refId: "d", billingInformation: { integrationId: "i" } };
		expect(codes(await run("provisionCustomer", integrated, "{ customer { refId } }"))).toEqual([
			"IntegrationNotFound",
		]);
	});

	test("createOneCustomer does the same and answers the customer", async () => {
		await settings("FREE_PLAN", "free");
		const body = await run(
			"createOneCustomer",
			{ refId: "new", ...profile },
			"{ refId subscriptions { plan { refId } } }",
		);
		expect(body.data.createOneCustomer).toEqual({ refId: "new", subscriptions: [{ plan: { refId: "free" } }] });
		expect(await read("new")).toMatchObject(stored);
	});
});

describe.each(["updateOneCustomer", "updateCustomer"])("%s", (name) => {
	test("changes what is sent, null clears, what is left out stays", async () => {
		await ours.call("PATCH", "/customers/acme", {
			body: { integrations: [{ id: "own", syncedEntityId: "s-0", vendorIdentifier: "SALESFORCE" }] },
		});
		const filled = await run(name, { refId: "acme", ...profile, shouldWaitSync: true }, "{ refId email }");
		expect(filled.data[name]).toEqual({ refId: "acme", email: "new@x.test" });
		const links = [
			{ id: "own", syncedEntityId: "s-1", vendorIdentifier: "SALESFORCE" },
			...stored.integrations.filter(({ vendorIdentifier }) => vendorIdentifier !== "SALESFORCE"),
		];
		const after = await read("acme");
		expect(after).toMatchObject({ ...stored, integrations: links });
		await run(name, { refId: "acme", billingInformation: {} }, "{ refId }");
		expect(await read("acme")).toEqual(after);
		await run(
			name,
			{ customerId: "acme", name: null, couponRefId: null, crmId: null, salesforceId: null },
			"{ refId }",
		);
		expect(await read("acme")).toMatchObject({
			...stored,
			name: null,
			couponId: null,
			integrations: [{ id: "aws_marketplace" }],
		});
	});

	test("refuses as REST does", async () => {
		const refused = async (input: object) => codes(await run(name, input, "{ refId }"));
		expect(await refused({ refId: "nobody", crmId: "x" })).toEqual(["CustomerNotFound"]);
		expect(await refused({ name: "x" })).toEqual(["BadUserInput"]);
		expect(await refused({ refId: "acme", couponRefId: "OLD" })).toEqual(["ArchivedCouponCantBeApplied"]);
		await ours.call("POST", "/customers/acme/archive");
		expect(await refused({ refId: "acme", name: "x" })).toEqual(["EntityIsArchivedError"]);
		const key = ours.scopedKey("CUSTOMER:READ");
		expect(codes(await run(name, { refId: "acme" }, "{ refId }", { key }))).toEqual(["AccessDeniedError"]);
	});
});

test("importOneCustomer and importCustomer create, then change", async () => {
	const first = await run(
		"importOneCustomer",
		{ refId: "moved@x", name: "M", billingId: "cus_m", additionalMetaData: { a: "b" } },
		"{ refId billingId additionalMetaData }",
	);
	expect(first.data.importOneCustomer).toEqual({
		refId: "moved@x",
		billingId: "cus_m",
		additionalMetaData: { a: "b" },
	});
	const second = await run(
		"importCustomer",
		{ customerId: "moved@x", email: "m@x.test", updatedAt: "2026-02-01T00:00:00Z" },
		"{ name email billingId }",
	);
	expect(second.data.importCustomer).toEqual({ name: null, email: "m@x.test", billingId: "cus_m" });
});

test("importCustomersBulk answers the new ones' ids, without a selection", async () => {
	const customers = [{ refId: "a", name: "A" }, { customerId: "b", salesforceId: "s" }, { refId: "acme" }];
	const bulk = (input: object) => run("importCustomersBulk", input, "");
	expect(await bulk({ customers })).toEqual({ data: { importCustomersBulk: ["a", "b"] } });
	expect((await read("b")).integrations).toMatchObject([{ syncedEntityId: "s" }]);
	expect(codes(await bulk({ customers: [...customers, { refId: "a" }] }))).toEqual(["BadUserInput"]);
	expect(codes(await bulk({ customers: [] }))).toEqual(["BadUserInput"]);
	expect(codes(await bulk({ customers, integrationId: "i" }))).toEqual(["IntegrationNotFound"]);
});

test("archive, unarchive, and detaching the payment method", async () => {
	const call = (name: string) =>
		run(name, { customerId: "acme", environmentId: "any" }, "{ customerId hasPaymentMethod }");
	const shown = (hasPaymentMethod: boolean) => ({ customerId: "acme", hasPaymentMethod });
	await ours.call("POST", "/customers/acme/payment-method", {
		body: { integrationId: "i", paymentMethodId: "pm", vendorIdentifier: "STRIPE" },
	});
	expect((await call("archiveCustomer")).data.archiveCustomer).toEqual(shown(true));
	expect((await read("acme")).archivedAt).not.toBeNull();
	expect(codes(await call("detachCustomerPaymentMethod"))).toEqual(["EntityIsArchivedError"]);
	expect((await call("unarchiveCustomer")).data.unarchiveCustomer).toEqual(shown(true));
	expect((await call("detachCustomerPaymentMethod")).data.detachCustomerPaymentMethod).toEqual(shown(false));
	expect(codes(await call("detachCustomerPaymentMethod"))).toEqual(["PaymentMethodNotFoundError"]);
	const unknown = await run("archiveCustomer", { customerId: "nobody" }, "{ refId }");
	expect(codes(unknown)).toEqual(["CustomerNotFound"]);
});

test("trials and statistics are the subscriptions': a key for customers alone does not see them", async () => {
	const key = ours.scopedKey("CUSTOMER:READ");
	for (const field of [
		"trialedPlans { planRefId }",
		"statistics { activeSubscriptionsByPricingType { totalCount } }",
	]) {
		const query = `{ getCustomerByRefId(input: { customerId: "acme" }) { refId ${field} } }`;
		const { body } = await ours.call("POST", "/graphql", { key, body: { query } });
		expect(codes(body)).toEqual(["AccessDeniedError"]);
		expect((await data(ours, query)).getCustomerByRefId.refId).toBe("acme");
	}
});

test("statistics count what gives access now, by pricing type, for a page of customers at once", async () => {
	for (const id of ["b", "c"]) await ours.call("POST", "/customers", { body: { id } });
	const sell = (customerId: string, planId: string) =>
		ours.call("POST", "/subscriptions", { body: { customerId, planId } });
	await sell("acme", "free");
	await sell("b", "free");
	await sell("b", "basic");
	const query = `{ customers(sorting: [{ field: refId, direction: ASC }]) { edges { node { refId
		statistics { activeSubscriptionsByPricingType { pricingType totalCount } } } } } }`;
	const { customers } = await data(ours, query);
	const counts = customers.edges.map(
		({ node }: { node: { refId: string; statistics: { activeSubscriptionsByPricingType: object[] } } }) => [
			node.refId,
			node.statistics.activeSubscriptionsByPricingType,
		],
	);
	expect(counts).toEqual([
		["acme", [{ pricingType: "FREE", totalCount: 1 }]],
		["b", [{ pricingType: "PAID", totalCount: 1 }]],
		["c", []],
	]);
});
