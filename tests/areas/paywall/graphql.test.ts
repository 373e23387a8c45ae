import { beforeAll, describe, expect, test } from "bun:test";
import { ask, codes, data } from "../../graphql/ask";
import { type World, world } from "../../support/world";
import { maker } from "../packages/catalogue";
import { provision, shop } from "../subscriptions/shop";

let ours: World;

/** The shop, and a plan with a price of its own for Germany, whose base hides one of its entitlements from paywalls. */
beforeAll(async () => {
	ours = await shop();
	const make = maker(ours);
	await make.plan("world", { displayName: "World", parentPlanId: "free" });
	await make.entitle(
		"/plans/world",
		{ type: "FEATURE", id: "calls", usageLimit: 5, displayNameOverride: "API calls" },
		{ type: "FEATURE", id: "sso", hiddenFromWidgets: ["PAYWALL"] },
		{ type: "FEATURE", id: "region", enumValues: ["eu"], hiddenFromWidgets: ["CHECKOUT"] },
	);
	const price = (period: string, amount: number, code: string) => ({
		billingPeriod: period,
		...(code !== "" && { billingCountryCode: code }),
		price: { amount, currency: code === "" ? "usd" : "eur" },
	});
	await make.charge("/plans/world", {
		pricingType: "PAID",
		pricingModels: [
			{
				billingModel: "FLAT_FEE",
				pricePeriods: ["", "DE"].flatMap((code) => [price("MONTHLY", 15, code), price("ANNUALLY", 150, code)]),
			},
		],
	});
	await make.publish("/plans/world");
	await ours.call("POST", "/customers", {
		body: { id: "berlin", passthrough: { stripe: { billingAddress: { country: "DE" } } } },
	});
});

const fields = `plans { refId prices { billingPeriod billingCountryCode price { amount currency } } entitlements { featureId displayNameOverride
	hiddenFromWidgets } inheritedEntitlements { featureId } product { refId productSettings { downgradePlan { refId } } }
	compatibleAddons { refId prices { price { amount } } entitlements { featureId } } compatiblePackageGroups { packageGroupId } }
	currency { code symbol } configuration customer { refId } resource { resourceId } activeSubscriptions { refId plan { refId } }`;
const query = `query GetPaywall($input: GetPaywallInput!) { paywall(input: $input) { ${fields} } }`;

const paywall = async (input: object) => (await data(ours, query, { input })).paywall;
const planOf = async (input: object, refId: string) =>
	(await paywall(input)).plans.find((plan: { refId: string }) => plan.refId === refId);

describe("a paywall", () => {
	test("shows what is published: free ones first, then by price, then what has none", async () => {
		const shown = await paywall({});
		expect(shown.plans.map(({ refId }: { refId: string }) => refId)).toEqual([
			"free",
			"basic",
			"world",
			"pro",
			"custom",
		]);
		expect(shown).toMatchObject({
			currency: { code: "USD", symbol: "$" },
			configuration: null,
			customer: null,
			resource: null,
			activeSubscriptions: [],
		});
		expect(await paywall({ productId: "app" })).toEqual(shown);
		expect(await paywall({ includeHiddenPlans: true, environmentId: "any" })).toEqual(shown);
	});

	test("leaves out what is hidden from it, and keeps the names that were given", async () => {
		const plan = await planOf({}, "world");
		expect(plan.entitlements).toEqual([
			{ featureId: "calls", displayNameOverride: "API calls", hiddenFromWidgets: [] },
			{ featureId: "region", displayNameOverride: null, hiddenFromWidgets: ["CHECKOUT"] },
		]);
		expect(plan.inheritedEntitlements).toEqual([{ featureId: "calls" }]);
		expect(plan.product.productSettings).toEqual({ downgradePlan: null });
		const { entitlements } = (await data(ours, '{ plan(refId: "world") { entitlements { featureId } } }')).plan;
		expect(entitlements).toHaveLength(3);
	});

	test("shows the addons that go with a plan, with their prices", async () => {
		const { compatibleAddons } = await planOf({}, "pro");
		expect(compatibleAddons.map(({ refId }: { refId: string }) => refId).sort()).toEqual(["extra", "needy"]);
		expect(compatibleAddons.find(({ refId }: { refId: string }) => refId === "extra")).toMatchObject({
			prices: [{ price: { amount: 3.33 } }, { price: { amount: 33.3 } }],
			entitlements: [{ featureId: "calls" }],
		});
	});

	const prices = (amount: number, currency: string, code: string | null) =>
		[
			["MONTHLY", amount],
			["ANNUALLY", amount * 10],
		].map(([billingPeriod, one]) => ({ billingPeriod, billingCountryCode: code, price: { amount: one, currency } }));

	test("shows the prices of one country", async () => {
		expect((await planOf({}, "world")).prices).toEqual(prices(15, "USD", null));
		expect((await planOf({ billingCountryCode: "DE" }, "world")).prices).toEqual(prices(15, "EUR", "DE"));
		expect((await planOf({ billingCountryCode: "de" }, "world")).prices).toEqual(prices(15, "EUR", "DE"));
		expect((await planOf({ billingCountryCode: "FR" }, "world")).prices).toEqual(prices(15, "USD", null));
		expect((await planOf({ fetchAllCountriesPrices: true }, "world")).prices).toHaveLength(4);
		expect((await planOf({ customerId: "berlin" }, "world")).prices).toEqual(prices(15, "EUR", "DE"));
	});

	test.each(["", "a\u0000b", "zzz", "usd ", "us", "xxx", "USD,EUR"])(
		"refuses %j, which is no currency",
		async (currency) => {
			for (const field of ["paywall", "mockPaywall"]) {
				const asked = `query ($input: GetPaywallInput!) { ${field}(input: $input) { currency { code symbol } } }`;
				const { errors } = await ask(ours, asked, { input: { currency } });
				expect(errors[0]).toMatchObject({
					message: "body/currency: must be a currency of ISO 4217, such as usd.",
					extensions: { code: "BadUserInput" },
				});
			}
			expect(
				codes(
					await ask(ours, "query ($input: GetPaywallInput!) { getPaywall(input: $input) { refId } }", {
						input: { currency },
					}),
				),
			).toEqual(["BadUserInput"]);
		},
	);

	test("shows the currency and its symbol where nothing has a price, in either case", async () => {
		const here = world();
		for (const currency of ["eur", "EUR", "Eur"])
			expect((await data(here, query, { input: { currency } })).paywall.currency).toEqual({ code: "EUR", symbol: "€" });
	});

	test("shows what the customer has, on a resource or on any", async () => {
		const here = await shop();
		await provision(here, { id: "sited", planId: "basic", billingPeriod: "MONTHLY", resourceId: "site" });
		const active = async (input: object) =>
			(await data(here, query, { input: { customerId: "acme", ...input } })).paywall;
		expect(await active({ resourceId: "site" })).toMatchObject({
			customer: { refId: "acme" },
			resource: { resourceId: "site" },
			activeSubscriptions: [{ refId: "sited", plan: { refId: "basic" } }],
		});
		expect((await active({})).activeSubscriptions).toHaveLength(1);
		expect(codes(await ask(here, query, { input: { customerId: "acme", resourceId: "none" } }))).toEqual([
			"CustomerResourceNotFound",
		]);
	});

	test("by the first release is a plain list of plans, in the same order; mockPaywall knows no customer", async () => {
		const both = await data(
			ours,
			`query ($input: GetPaywallInput!) { getPaywall(input: $input) { __typename refId prices { price { amount } } }
				mockPaywall(input: $input) { customer { refId } plans { refId } } }`,
			{ input: { customerId: "berlin" } },
		);
		const order = (await paywall({})).plans.map(({ refId }: { refId: string }) => refId);
		expect(both.getPaywall.map(({ refId }: { refId: string }) => refId)).toEqual(order);
		expect(both.getPaywall[0].__typename).toBe("Plan");
		expect(both.mockPaywall.customer).toBeNull();
		expect(both.mockPaywall.plans.map(({ refId }: { refId: string }) => refId)).toEqual(order);
	});

	test("is refused for what is not there, or not seen", async () => {
		const code = async (input: object, key = ours.key) => codes(await ask(ours, query, { input }, { key }));
		expect(await code({ productId: "none" })).toEqual(["ProductNotFoundError"]);
		expect(await code({ customerId: "none" })).toEqual(["CustomerNotFound"]);
		expect(await code({}, ours.scopedKey("COUPON:READ"))).toEqual(["AccessDeniedError"]);
		expect(await code({ customerId: "berlin" }, ours.foreignKey)).toEqual(["CustomerNotFound"]);
		const ofCustomer = await ask(
			ours,
			query,
			{ input: { customerId: "berlin" } },
			{ key: ours.scopedKey("CATALOG:READ") },
		);
		expect([ofCustomer.data.paywall.customer, codes(ofCustomer)]).toEqual([{ refId: "berlin" }, []]);
	});
});

test("a customer's portal shows what it has", async () => {
	const here = await shop();
	await provision(here, { id: "sub", planId: "pro", billingPeriod: "MONTHLY" });
	await here.call("POST", "/customers/acme/promotional-entitlements", {
		body: { promotionalEntitlements: [{ featureId: "seats", usageLimit: 3, period: "1 month" }] },
	});
	const portal = `query ($input: CustomerPortalInput!) { customerPortal(input: $input) { customer { refId } resource { resourceId }
		subscriptions { refId } entitlements { feature { refId } } promotionalEntitlements { featureId } billingPortalUrl
		canUpgradeSubscription showWatermark configuration } }`;
	const { customerPortal } = await data(here, portal, { input: { customerId: "acme" } });
	expect(customerPortal).toMatchObject({
		customer: { refId: "acme" },
		resource: null,
		subscriptions: [{ refId: "sub" }],
		billingPortalUrl: null,
	});
	const refs = customerPortal.entitlements.map(({ feature }: { feature: { refId: string } }) => feature.refId);
	expect(refs.sort()).toEqual(["calls", "region", "seats", "sso"]);
	for (const [input, code] of [
		[{ customerId: "none" }, "CustomerNotFound"],
		[{ customerId: "acme", resourceId: "none" }, "CustomerResourceNotFound"],
		[{ customerId: "acme", productId: "none" }, "ProductNotFoundError"],
	] as const)
		expect(codes(await ask(here, portal, { input }))).toEqual([code]);
});
