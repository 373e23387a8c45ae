import { describe, expect, test } from "bun:test";
import { runImport } from "../../../../src/areas/subscriptions/import/import";
import { openLog } from "../../../../src/http/log";
import { drainTasks } from "../../../../src/workers/task-thread";
import { type World, world } from "../../../support/world";
import { maker, seats } from "../../packages/catalogue";

// The choice of the price list, and so of the currency, for a call without a country.

const flat = (...prices: ReadonlyArray<readonly [amount: number, currency: string, country?: string]>) => ({
	pricingType: "PAID",
	pricingModels: [
		{
			billingModel: "FLAT_FEE",
			pricePeriods: prices.map(([amount, currency, billingCountryCode]) => ({
				billingPeriod: "MONTHLY",
				price: { amount, currency },
				...(billingCountryCode && { billingCountryCode }),
			})),
		},
	],
});

/**
 * Plans `basic` and `pro` in dollars, in euros for Germany, in dinars for Kuwait; the addon `extra`, and `dollars` in
 * dollars only.
 */
async function market(): Promise<World> {
	const ours = world();
	const make = maker(ours);
	await make.product();
	await make.feature("seats", seats);
	await make.plan("basic");
	await make.charge("/plans/basic", flat([10, "usd"], [9, "eur", "DE"], [3.075, "kwd", "KW"]));
	await make.plan("pro");
	await make.charge("/plans/pro", flat([30, "usd"], [27, "eur", "DE"], [9.225, "kwd", "KW"]));
	await make.addon("extra");
	await make.charge("/addons/extra", flat([5, "usd"], [4, "eur", "DE"], [1.505, "kwd", "KW"]));
	await make.addon("dollars");
	await make.charge("/addons/dollars", flat([2, "usd"]));
	for (const path of ["/addons/extra", "/addons/dollars", "/plans/basic", "/plans/pro"]) await make.publish(path);
	return ours;
}

const inGermany = { passthrough: { stripe: { billingAddress: { city: "Berlin", country: "de" } } } };

const customer = ({ call }: World, id: string, profile: object = {}) =>
	call("POST", "/customers", { body: { id, ...profile } });

/** The latest invoice of the customer's subscription, for example "10 usd". */
async function billed(ours: World, body: { customerId: string } & Record<string, unknown>): Promise<string> {
	const { status, body: answer } = await ours.call("POST", "/subscriptions", { body: { planId: "basic", ...body } });
	expect(`${status} ${JSON.stringify(answer.message ?? "")}`).toBe('201 ""');
	const invoice = answer.data.subscription.latestInvoice;
	return `${invoice.total} ${invoice.currency}`;
}

const previewed = async (ours: World, body: object): Promise<string> => {
	const { data } = (await ours.call("POST", "/subscriptions/preview", { body: { planId: "basic", ...body } })).body;
	return `${data.immediateInvoice.total} ${data.immediateInvoice.currency}`;
};

describe("a call without a country is charged", () => {
	test.each<[string, object, object, string]>([
		["the default price, when nothing is known", {}, {}, "10 usd"],
		["in its billing currency", { billingCurrency: "eur" }, {}, "9 eur"],
		["in its billing currency, of three decimals", { billingCurrency: "kwd" }, {}, "3.075 kwd"],
		[
			"in its billing currency, also when its country has another",
			{ billingCurrency: "kwd", ...inGermany },
			{},
			"3.075 kwd",
		],
		["in the currency it gave for another provider", { passthrough: { zuora: { currency: "eur" } } }, {}, "9 eur"],
		["the price of its country", inGermany, {}, "9 eur"],
		[
			"the price of its country, when nothing is priced in its currency",
			{ billingCurrency: "gbp", ...inGermany },
			{},
			"9 eur",
		],
		[
			"the default price, when its country is written out",
			{ passthrough: { stripe: { billingAddress: { country: "Germany" } } } },
			{},
			"10 usd",
		],
		[
			"the price of the country in the invoice's address",
			{},
			{ billingInformation: { billingAddress: { country: "DE" } } },
			"9 eur",
		],
		["the price of the country that the call names", inGermany, { billingCountryCode: "KW" }, "3.075 kwd"],
		[
			"the default price, when an addon is priced in nothing else",
			inGermany,
			{ addons: [{ id: "dollars", quantity: 1 }] },
			"12 usd",
		],
		["with addons, all in one currency", inGermany, { addons: [{ id: "extra", quantity: 2 }] }, "17 eur"],
	])("%s", async (_, profile, terms, total) => {
		const ours = await market();
		await customer(ours, "acme", profile);
		expect(await previewed(ours, { customerId: "acme", ...terms })).toBe(total);
		expect(await billed(ours, { customerId: "acme", ...terms })).toBe(total);
	});

	test("the payer determines the prices", async () => {
		const ours = await market();
		await customer(ours, "parent", { billingCurrency: "eur" });
		await customer(ours, "child", { billingCurrency: "kwd" });
		expect(await billed(ours, { customerId: "child", payingCustomerId: "parent" })).toBe("9 eur");
	});

	test("two currencies are rejected if the call itself names the country", async () => {
		const ours = await market();
		await customer(ours, "acme");
		const body = {
			customerId: "acme",
			planId: "basic",
			billingCountryCode: "DE",
			addons: [{ id: "dollars", quantity: 1 }],
		};
		expect(await ours.call("POST", "/subscriptions", { body })).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError", message: expect.stringContaining("eur and usd") },
		});
	});
});

describe("the chosen country stays", () => {
	test("after a change of the customer's currency: addons and another plan use the current prices", async () => {
		const ours = await market();
		await customer(ours, "acme", { billingCurrency: "eur" });
		expect(await billed(ours, { customerId: "acme", id: "s-1" })).toBe("9 eur");
		await ours.call("PATCH", "/customers/acme", { body: { billingCurrency: "kwd" } });
		const { data } = (
			await ours.call("PATCH", "/subscriptions/s-1", { body: { addons: [{ id: "extra", quantity: 1 }] } })
		).body;
		expect(data.prices.map(({ amount, currency }: { amount: number; currency: string }) => [amount, currency])).toEqual(
			[
				[9, "eur"],
				[4, "eur"],
			],
		);
		expect(await billed(ours, { customerId: "acme", planId: "pro" })).toBe("14 eur");
	});

	test("except for default prices: another plan is charged in the customer's currency", async () => {
		const ours = await market();
		await customer(ours, "acme");
		expect(await billed(ours, { customerId: "acme" })).toBe("10 usd");
		await ours.call("PATCH", "/customers/acme", { body: { billingCurrency: "eur" } });
		expect(await billed(ours, { customerId: "acme", planId: "pro" })).toBe("27 eur");
	});
});

test("an import chooses prices like a sale", async () => {
	const ours = await market();
	await customer(ours, "acme", { billingCurrency: "eur" });
	await customer(ours, "other", inGermany);
	const subscriptions = ["acme", "other"].map((customerId) => ({
		id: `of-${customerId}`,
		customerId,
		planId: "basic",
	}));
	await ours.call("POST", "/subscriptions/import", { body: { subscriptions } });
	await drainTasks(
		ours.transactions,
		["IMPORT_SUBSCRIPTIONS"],
		(task) => runImport(ours.thread, task),
		openLog("silent"),
	);
	for (const id of ["of-acme", "of-other"])
		expect((await ours.call("GET", `/subscriptions/${id}`)).body.data.prices).toMatchObject([
			{ amount: 9, currency: "eur" },
		]);
});

describe("an amount without a currency", () => {
	const dearer = { minimumSpend: { amount: 40 } };

	test("is in the currency of the prices for a minimum spend, tiered prices too", async () => {
		const ours = await market();
		await customer(ours, "acme", { billingCurrency: "eur" });
		expect(await billed(ours, { customerId: "acme", ...dearer })).toBe("49 eur");
		const make = maker(ours);
		await make.plan("tiered");
		const tiers = [
			{ upTo: 5, unitPrice: { amount: 2, currency: "gbp" } },
			{ unitPrice: { amount: 1, currency: "gbp" } },
		];
		await make.charge("/plans/tiered", {
			pricingType: "PAID",
			pricingModels: [
				{
					billingModel: "PER_UNIT",
					featureId: "seats",
					tiersMode: "VOLUME",
					pricePeriods: [{ billingPeriod: "MONTHLY", tiers }],
				},
			],
		});
		await make.publish("/plans/tiered");
		await customer(ours, "other");
		expect(await billed(ours, { customerId: "other", planId: "tiered", ...dearer })).toBe("42 gbp");
	});

	test("is rejected for a price in credits, which has no amount of money to override", async () => {
		const ours = await market();
		const make = maker(ours);
		await make.feature("calls", { featureType: "NUMBER", meterType: "INCREMENTAL" });
		await make.currency("gold");
		await make.plan("credits");
		const creditRate = { amount: 1, currencyId: "gold" };
		const inCredits = {
			billingModel: "CREDIT_BASED",
			featureId: "calls",
			pricePeriods: [{ billingPeriod: "MONTHLY", creditRate }],
		};
		await make.charge("/plans/credits", { pricingType: "PAID", pricingModels: [inCredits] });
		await make.publish("/plans/credits");
		await customer(ours, "acme");
		const body = { customerId: "acme", planId: "credits", priceOverrides: [{ featureId: "calls", amount: 5 }] };
		expect(await ours.call("POST", "/subscriptions", { body })).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError", message: expect.stringContaining("credits") },
		});
	});

	test("is in the currency of its list for a price, else in the environment's", async () => {
		const ours = await market();
		const make = maker(ours);
		await make.plan("bare");
		const [mixed, bare] = await Promise.all([
			make.charge("/plans/bare", {
				...flat([10, "gbp"]),
				minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 50 } }],
			}),
			make.charge("/plans/bare", {
				pricingType: "PAID",
				minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 50 } }],
			}),
		]);
		expect(mixed.charges.map(({ price }: { price: object }) => price)).toEqual([
			{ amount: 10, currency: "gbp" },
			{ amount: 50, currency: "gbp" },
		]);
		expect(bare.charges[0].price).toEqual({ amount: 50, currency: "usd" });
		ours.db.$client.run("UPDATE environments SET default_currency = 'sek'");
		const { charges } = await make.charge("/plans/bare", {
			pricingType: "PAID",
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 50 } }],
		});
		expect(charges[0].price).toEqual({ amount: 50, currency: "sek" });
	});
});
