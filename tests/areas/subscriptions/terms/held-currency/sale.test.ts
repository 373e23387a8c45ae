import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { calls, design, euros, fee, living, market, priced, type Row, setup } from "./market";

setDefaultTimeout(60_000);

describe("design 2.27: the country and the currency of a sale", () => {
	const german = living("DE");
	test.each<[string, object, object, string]>([
		["an address in DE pays the price of DE", german, {}, "8.5 eur"],
		[
			"an address in DE pays dollars where the customer's currency is usd",
			{ ...german, billingCurrency: "usd" },
			{},
			"10 usd",
		],
		["an address in FR pays the default price", living("FR"), {}, "10 usd"],
		["an address in IN pays the price of IN", living("IN"), {}, "3 usd"],
	])("%s, with and without a default price in euros", async (_, profile, terms, price) => {
		const ours = await market(...design);
		expect(await ours.sell(profile, terms)).toBe(price);
		const more = await market(...design, euros);
		expect(await more.sell(profile, terms)).toBe(price);
	});

	test.each<[string, object, object, string]>([
		["FR requests eur", living("FR"), { billingCurrency: "eur" }, "9 eur"],
		["FR has the currency eur", { ...living("FR"), billingCurrency: "eur" }, {}, "9 eur"],
		["IN requests eur: the default price in it", living("IN"), { billingCurrency: "eur" }, "9 eur"],
		["DE requests usd: the default price in it", german, { billingCurrency: "usd" }, "10 usd"],
		["DE requests eur: its own price", german, { billingCurrency: "eur" }, "8.5 eur"],
		["IN requests usd: its own price", living("IN"), { billingCurrency: "usd" }, "3 usd"],
		["the request goes before the customer", { billingCurrency: "eur" }, { billingCurrency: "usd" }, "10 usd"],
		[
			"a currency without prices falls through to the customer's",
			{ billingCurrency: "eur" },
			{ billingCurrency: "gbp" },
			"9 eur",
		],
		["and then to the first row", { billingCurrency: "jpy" }, { billingCurrency: "gbp" }, "10 usd"],
		["a named country goes before the customer's address", german, { billingCountryCode: "IN" }, "3 usd"],
		[
			"the customer's currency holds in a named country",
			{ billingCurrency: "usd" },
			{ billingCountryCode: "DE" },
			"10 usd",
		],
	])("with eur 9.00 for all: %s", async (_, profile, terms, price) => {
		const ours = await market(...design, euros);
		expect(await ours.sell(profile, terms)).toBe(price);
	});

	test("one currency for each country: a named country decides, as before, unless the call names a currency", async () => {
		const ours = await market(...design);
		const named = { billingCountryCode: "DE" };
		expect(await ours.sell({ billingCurrency: "usd" }, named)).toBe("8.5 eur");
		expect(await ours.sell({}, { ...named, billingCurrency: "gbp" })).toBe("8.5 eur");
		expect(await ours.sell({}, { ...named, billingCurrency: "usd" })).toBe("10 usd");
		expect(await ours.sell(living("FR"), { billingCurrency: "eur" })).toBe("10 usd");
	});
});

test("a subscription shows a chosen currency, and none where there was no choice", async () => {
	const ours = await market(...design, euros);
	expect(await priced(ours, await ours.buy("pro"))).toBe("10 usd, chosen usd");
	await ours.plan("old", [fee([10, "usd"])]);
	await ours.customer("beta");
	expect(await priced(ours, await ours.buy("old", { customerId: "beta" }))).toBe("10 usd");
});

test("everything that recurs needs a price in the currency; a charge paid once may lack one", async () => {
	const ours = await market();
	await ours.plan("pro", [
		fee([10, "usd"], [9, "eur"]),
		calls([0.1, "usd"], [0.08, "eur"], [0.05, "eur", "DE"]),
		setup([50, "usd"], [45, "gbp"]),
	]);
	expect(await ours.sell()).toBe("60 usd");
	// The setup has no price in euros, so an order in euros has none.
	expect(await ours.sell({}, { billingCurrency: "eur" })).toBe("9 eur");
	// Only the setup has a price in pounds.
	expect(await ours.sell({}, { billingCurrency: "gbp" })).toBe("60 usd");
	const german = await ours.buy("pro", { billingCurrency: "eur", billingCountryCode: "DE" });
	expect(await priced(ours, german)).toBe("9 eur, 0.05 eur, chosen eur");
	await ours.use("calls", 100);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toContain("14");
});

describe("addons", () => {
	test("choose the currency together with the plan", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		await ours.addon("extra", fee([5, "usd"], [4, "eur"]));
		await ours.addon("dollars", fee([2, "usd"]));
		const sold = (id: string, more: object = {}) => ours.sell({}, { addons: [{ id, quantity: 1 }], ...more });
		expect(await sold("extra", { billingCurrency: "eur" })).toBe("13 eur");
		expect(await sold("dollars", { billingCurrency: "eur" })).toBe("12 usd");
	});

	test("without any currency in common are refused, with the remedy", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		await ours.addon("euros", fee([4, "eur"]));
		await ours.addon("pounds", fee([4, "gbp"]));
		const body = { customerId: "acme", planId: "pro" };
		const euros = { ...body, addons: [{ id: "euros", quantity: 1 }] };
		expect(await ours.refusal("POST", "/subscriptions", euros)).toEqual([
			404,
			"PriceNotFound",
			expect.stringContaining("request 'billingCurrency' eur"),
		]);
		const pounds = { ...body, billingCurrency: "eur", addons: [{ id: "pounds", quantity: 1 }] };
		for (const path of ["/subscriptions", "/subscriptions/preview"])
			expect(await ours.refusal("POST", path, pounds)).toEqual([
				404,
				"PriceNotFound",
				expect.stringContaining("a price in eur or in usd"),
			]);
		expect(await ours.insist("GET", "/subscriptions?customerId=acme")).toEqual([]);
		expect(await ours.buy("pro", { billingCurrency: "eur", addons: euros.addons })).toBeString();
	});
});

test("price overrides are in the chosen currency, and a named one refuses another", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	const over = (more: object) => ({
		billingCurrency: "eur",
		priceOverrides: [{ baseCharge: true, amount: 7, ...more }],
	});
	expect(await priced(ours, await ours.buy("pro", over({})))).toBe("7 eur, chosen eur");
	const body = { customerId: "acme", planId: "pro", ...over({ currency: "usd" }) };
	expect(await ours.refusal("POST", "/subscriptions", body)).toEqual([
		400,
		"InvalidArgumentError",
		expect.stringContaining("override them in eur"),
	]);
});

test.each([
	["EUR", "billingCurrency"],
	["euro", "billingCurrency"],
	[7, "billingCurrency"],
	[null, "billingCurrency"],
])("a sale refuses the currency %p", async (billingCurrency, place) => {
	const ours = await market([10, "usd"], [9, "eur"]);
	const body = { customerId: "acme", planId: "pro", billingCurrency };
	for (const path of ["/subscriptions", "/subscriptions/preview"])
		expect(await ours.refusal("POST", path, body)).toEqual([400, "BadUserInput", expect.stringContaining(place)]);
	expect(await ours.insist("GET", "/subscriptions?customerId=acme")).toEqual([]);
});

test("a free plan keeps the named currency for the plan that follows", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	await ours.plan("free", []);
	await ours.buy("free", { billingCurrency: "eur" });
	expect(await priced(ours, await ours.buy("pro"))).toBe("9 eur, chosen eur");
});

test("a phase with prices of its own is sold in the currency of the plan's prices, and refused without a price in it", async () => {
	const ours = await market();
	const phase = (...rows: readonly Row[]) => [
		{ id: "start", duration: { unit: "MONTH", count: 1 }, charges: { pricingModels: [fee(...rows)] } },
	];
	const both = [fee([10, "usd"], [9, "eur"])];
	await ours.plan("pro", both, { phases: phase([5, "usd"], [4, "eur"]) });
	expect(await ours.sell({}, { billingCurrency: "eur" })).toBe("4 eur");
	await ours.plan("dollars", both, { phases: phase([5, "usd"]) });
	const body = { customerId: "acme", planId: "dollars", billingCurrency: "eur" };
	expect((await ours.refusal("POST", "/subscriptions", body)).slice(0, 2)).toEqual([404, "PriceNotFound"]);
});

const isRefused = async (refusal: Promise<readonly unknown[]>, place: string): Promise<void> =>
	expect(await refusal).toEqual([400, "InvalidArgumentError", expect.stringContaining(place)]);

// The simulation found a sale for a later date that was accepted, and could never begin.
test("a minimum spend in another currency than the prices is refused at once, also for a later date", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	const later = { startDate: "2026-05-01T00:00:00Z" };
	const euros = { minimumSpend: { amount: 5, currency: "eur" } };
	const refused = "body/minimumSpend";
	const body = { customerId: "acme", planId: "pro", ...euros };
	for (const more of [{}, later, { trialOverrideConfiguration: { isTrial: true } }])
		await isRefused(ours.refusal("POST", "/subscriptions", { ...body, ...more }), refused);
	const id = await ours.buy("pro", { billingCurrency: "eur", ...euros, ...later });
	await ours.advance("2026-05-02T00:00:00Z");
	expect(await priced(ours, id)).toBe("9 eur, chosen eur");
	const dollars = { minimumSpend: { amount: 5, currency: "usd" } };
	for (const more of [{}, { scheduleStrategy: "END_OF_BILLING_PERIOD" }])
		await isRefused(ours.refusal("PATCH", `/subscriptions/${id}`, { ...dollars, ...more }), refused);
});

test("prices in two currencies are refused before the bill that would need both", async () => {
	const ours = await market();
	await ours.plan("pro", [fee([10, "usd"]), calls([0.1, "usd"])]);
	const refused = "body/priceOverrides";
	const euros = { priceOverrides: [{ baseCharge: true, amount: 7, currency: "eur" }] };
	const body = { customerId: "acme", planId: "pro", ...euros };
	const later = { startDate: "2026-05-01T00:00:00Z" };
	for (const more of [{}, later])
		await isRefused(ours.refusal("POST", "/subscriptions", { ...body, ...more }), refused);
	const id = await ours.buy("pro");
	for (const more of [{}, { scheduleStrategy: "END_OF_BILLING_PERIOD" }])
		await isRefused(ours.refusal("PATCH", `/subscriptions/${id}`, { ...euros, ...more }), refused);
	// All prices in the other currency are one currency.
	const both = [...euros.priceOverrides, { featureId: "calls", amount: 0.07, currency: "eur" }];
	await ours.customer("beta");
	await ours.buy("pro", { customerId: "beta", priceOverrides: both });
	await ours.use("calls", 100);
	await ours.advance("2026-05-02T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 20 = pro 10 + 100 Calls (pro) 10");
});
