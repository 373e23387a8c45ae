import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { beyond, flat, perUnit, tiered, till, used } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const calls = (terms: object, more: object = {}) => ({ ...used("calls", { month: 0.5 }, terms), ...more });
const pricePeriods = (terms: object) => [{ billingPeriod: "MONTHLY", price: { amount: 1, currency: "usd" }, ...terms }];
const credits = (terms: object) => ({
	overagePricingModels: [{ billingModel: "USAGE_BASED", currencyId: "gold", pricePeriods: pricePeriods(terms) }],
});

const priced = (transactionPrice: object, more: object = {}, model: object = {}) => ({
	...{ billingModel: "USAGE_BASED", featureId: "calls" },
	pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice, ...more }],
	...model,
});
const percent = { percentRate: 1 };
const usd = { amount: 1, currency: "usd" };
const refusedTransactions = [
	["neither percentage nor formula", [priced({ fixedFee: 1 })], {}, "transactionPrice: needs exactly one of"],
	["percentage and formula", [priced({ ...percent, formula: "n" })], {}, "transactionPrice: needs exactly one of"],
	["a free amount with a formula", [priced({ formula: "n", freeAmount: 5 })], {}, "'freeAmount' counts values"],
	["a formula that cannot be read", [priced({ formula: "n *" })], {}, "transactionPrice.formula: character 4"],
	["transactions and a price", [priced(percent, { price: usd })], {}, "replaces 'price', 'tiers' and 'blockSize'"],
	[
		"transactions and tiers",
		[priced(percent, { tiers: [{ unitPrice: usd }] }, { tiersMode: "VOLUME" })],
		{},
		"replaces 'price', 'tiers' and 'blockSize'",
	],
	["transactions by the block", [priced(percent, { blockSize: 10 })], {}, "replaces 'price', 'tiers' and 'blockSize'"],
	["a minimum above the maximum of each", [priced({ ...percent, minimum: 2, maximum: 1 })], {}, "'minimum' 2 is above"],
	["a percentage above 100", [priced({ percentRate: 101 })], {}, "percentRate"],
	["a negative fee", [priced({ ...percent, fixedFee: -1 })], {}, "fixedFee"],
	["a part of a free transaction", [priced({ ...percent, freeTransactions: 0.5 })], {}, "freeTransactions"],
	["transactions of units", [priced(percent, {}, { billingModel: "PER_UNIT" })], {}, "use it with USAGE_BASED"],
	[
		"transactions in another currency",
		[flat({ month: 1 }), priced({ ...percent, currency: "eur" })],
		{},
		"price everything in 'usd'",
	],
	[
		"transactions of overage",
		[flat({ month: 1 })],
		{
			overagePricingModels: [
				{ ...beyond("calls", 5, { month: 1 }), pricePeriods: pricePeriods({ transactionPrice: percent }) },
			],
		},
		"use it with USAGE_BASED",
	],
] as const;

describe("a price is refused without a trace", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });

	test.each([
		[
			"a minimum above the maximum",
			[calls({ minimumAmount: 5, maximumAmount: 4 })],
			{},
			"pricePeriods[0]: 'minimumAmount' 5 is above",
		],
		["a negative minimum", [calls({ minimumAmount: -1 })], {}, "minimumAmount"],
		["a negative maximum", [calls({ maximumAmount: -1 })], {}, "maximumAmount"],
		[
			"a maximum of a fee",
			[flat({}, { pricePeriods: pricePeriods({ maximumAmount: 5 }) })],
			{},
			"FLAT_FEE is charged in advance",
		],
		[
			"a minimum of units",
			[perUnit("seats", {}, { pricePeriods: pricePeriods({ minimumAmount: 5 }) })],
			{},
			"PER_UNIT is charged in advance",
		],
		[
			"an unused flat price without tiers",
			[calls({}, { chargesFlatPriceUnused: true })],
			{},
			"pricingModels[0]: 'chargesFlatPriceUnused'",
		],
		[
			"bounds of overage of credits",
			[flat({ month: 1 })],
			credits({ maximumAmount: 5 }),
			"overagePricingModels[0].pricePeriods[0]: overage of credits",
		],
		["two charges of one thing without keys", [calls({}), calls({})], {}, "give each its own 'key'"],
		[
			"one key of two charges",
			[calls({}, { key: "a" }), flat({ month: 1 }, { key: "a" })],
			{},
			"the key 'a' names charges.pricingModels",
		],
		[
			"the name of another charge as a key",
			[calls({}), flat({ month: 1 }, { key: "calls" })],
			{},
			"the key 'calls' names charges.pricingModels[0]",
		],
		[
			"a key of overage that names another charge",
			[calls({}, { key: "a" })],
			{ overagePricingModels: [{ ...beyond("tokens", 5, { month: 1 }), key: "a" }] },
			"the key 'a' names",
		],
		["a key that is no id", [calls({}, { key: "" })], {}, "key"],
		...refusedTransactions,
	] as const)("%s", async (_, pricingModels, more, message) => {
		const { status, body } = await ours.call("PATCH", "/plans/pro", {
			body: { charges: { pricingType: "PAID", pricingModels, ...more } },
		});
		expect([status, body.code, body.message]).toEqual([400, "BadUserInput", expect.stringContaining(message)]);
		expect(await ours.insist("GET", "/plans/pro/charges?version=1")).toEqual([]);
	});

	test("a published version", async () => {
		await ours.plan("sold", [tiered("calls", "VOLUME", [[null, 1, 2]])]);
		const { status, body } = await ours.call("PATCH", "/plans/sold", {
			body: { charges: { pricingType: "PAID", pricingModels: [calls({ maximumAmount: 5 })] } },
		});
		expect([status, body.code]).toEqual([400, "CannotEditPackageInNonDraftMode"]);
	});

	test("transactions of a feature without a meter, or without a value", async () => {
		const make = (id: string, more: object) =>
			ours.insist("POST", "/features", {
				id,
				displayName: id,
				featureType: "NUMBER",
				meterType: "INCREMENTAL",
				...more,
			});
		await make("reported", {});
		await make("events", {});
		await ours.insist("PATCH", "/features/events", { meter: { aggregation: { function: "COUNT" }, filters: [] } });
		for (const [featureId, code] of [
			["reported", "MeterMustBeAssociatedToMeteredFeature"],
			["events", "BadUserInput"],
		] as const) {
			const { status, body } = await ours.call("PATCH", "/plans/pro", {
				body: { charges: { pricingType: "PAID", pricingModels: [priced(percent, {}, { featureId })] } },
			});
			expect([status, body.code, body.message]).toEqual([
				400,
				code,
				expect.stringContaining("pricePeriods[0].transactionPrice"),
			]);
		}
	});

	test("a free package", async () => {
		const { status, body } = await ours.call("PATCH", "/plans/pro", {
			body: { charges: { pricingType: "FREE", pricingModels: [calls({ minimumAmount: 5 })] } },
		});
		expect([status, body.code, body.message]).toEqual([400, "BadUserInput", expect.stringContaining("FREE package")]);
	});
});
