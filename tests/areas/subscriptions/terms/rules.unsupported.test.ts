import { describe, expect, test } from "bun:test";
import { isRefusal } from "../../packages/guards";
import { provision, shop } from "../shop";

// Fields and values of the interface that the built-in billing cannot carry out: each is refused by its name, and nothing is stored.

const sale = { customerId: "acme", planId: "basic" };
const billing = (billingInformation: object) => ({ billingInformation });
const override = (terms: object) => ({
	priceOverrides: [
		{ baseCharge: true, amount: 5 },
		{ baseCharge: true, ...terms },
	],
});
const checkoutOptions = { successUrl: "https://a.test/x", cancelUrl: "https://a.test/y" };

const everywhere: ReadonlyArray<[string, object, string, string]> = [
	[
		"money for another account",
		billing({ chargeOnBehalfOfAccount: "acct_1" }),
		"UnsupportedParameter",
		"chargeOnBehalfOfAccount",
	],
	["a tax rate that is no tax", billing({ taxRateIds: ["txr_1"] }), "InvalidArgumentError", "taxRateIds[0]"],
];
const inSales: typeof everywhere = [
	...everywhere,
	["a checkout", { checkoutOptions }, "CheckoutIsNotSupported", "awaitPaymentConfirmation"],
	[
		"a rate in credits",
		override({ creditRate: { amount: 2, currencyId: "gold" } }),
		"UnsupportedParameter",
		"body/priceOverrides/1/creditRate",
	],
	[
		"a cadence of credits",
		override({ creditGrantCadence: "MONTHLY" }),
		"UnsupportedParameter",
		"body/priceOverrides/1/creditGrantCadence",
	],
];

describe("a sale is refused with", () => {
	test.each(inSales)("%s", async (_, terms, code, message) => {
		const ours = await shop();
		isRefusal(await ours.call("POST", "/subscriptions", { body: { ...sale, ...terms } }), 400, code, message);
		expect((await ours.call("GET", "/subscriptions?customerId=acme")).body.data).toEqual([]);
		const contract = {
			customerId: "acme",
			subscriptions: [{ newSubscription: { ...sale, planId: "custom", ...terms } }],
		};
		isRefusal(await ours.call("POST", "/contracts", { body: contract }), 400, code);
	});

	test.each(everywhere)("%s: its preview and an update too", async (_, terms, code) => {
		const ours = await shop();
		isRefusal(await ours.call("POST", "/subscriptions/preview", { body: { ...sale, ...terms } }), 400, code);
		const { id } = await provision(ours, sale);
		isRefusal(await ours.call("PATCH", `/subscriptions/${id}`, { body: terms }), 400, code);
	});

	test("nothing where the value asks for nothing", async () => {
		const ours = await shop();
		const terms = billing({ chargeOnBehalfOfAccount: null, taxRateIds: [], metadata: {}, isBackdated: false });
		await provision(ours, { ...sale, ...terms, paymentCollectionMethod: "NONE" });
		const { id } = await provision(ours, { ...sale, ...terms, paymentCollectionMethod: "INVOICE" });
		const update = billing({ taxRateIds: [], isBackdated: false });
		expect((await ours.call("PATCH", `/subscriptions/${id}`, { body: update })).status).toBe(200);
	});
});

test("an update cannot backdate what has started", async () => {
	const ours = await shop();
	const { id } = await provision(ours, sale);
	const body = billing({ isBackdated: true });
	isRefusal(await ours.call("PATCH", `/subscriptions/${id}`, { body }), 400, "UnsupportedParameter", "isBackdated");
});

test("GraphQL refuses what REST refuses, and a payment method that was to be charged at once", async () => {
	const ours = await shop();
	const ask = async (name: string, input: object) => {
		const query = `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { subscription { refId } } }`;
		return (await ours.call("POST", "/graphql", { body: { query, variables: { input } } })).body.errors?.[0]?.extensions
			?.code;
	};
	expect(await ask("provisionSubscription", { ...sale, checkoutOptions })).toBe("CheckoutIsNotSupported");
	expect(await ask("applySubscription", { ...sale, paymentMethodId: "pm_1" })).toBe("BillingIntegrationMissing");
	expect(await ask("applySubscription", { ...sale, paymentMethodId: null })).toBeUndefined();
});

test("billing information that is kept is shown by GraphQL, where the contract of REST has no place for it", async () => {
	const ours = await shop();
	const kept = {
		billingAddress: { country: "DE" },
		metadata: { costCentre: "7" },
		taxIds: [{ type: "eu_vat", value: "DE1" }],
	};
	await provision(ours, { ...sale, id: "s-1", ...billing({ ...kept, taxPercentage: 19 }) });
	const query = '{ getSubscription(input: { subscriptionId: "s-1" }) { billingInformation } }';
	const { data } = (await ours.call("POST", "/graphql", { body: { query } })).body;
	expect(data.getSubscription.billingInformation).toEqual(kept);
});
