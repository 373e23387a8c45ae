import { expect, setDefaultTimeout, test } from "bun:test";
import { segmented, variant } from "../../../pricing/models/segment/events";
import { beyond, flat, till, used } from "../../billing";

setDefaultTimeout(60_000);

const large = variant({ model: ["large"] }, 1, { id: "large" });
const percent = { percentRate: 1 };
const month = { unit: "MONTH", count: 1 };

async function shop() {
	const ours = await till("2026-01-01T00:00:00Z");
	const make = (id: string, more: object) =>
		ours.insist("POST", "/features", {
			...{ id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" },
			...{ featureUnits: "unit", featureUnitsPlural: "units", ...more },
		});
	await make("reported", {});
	await make("levels", { meterType: "FLUCTUATING" });
	await make("counted", {});
	await ours.insist("PATCH", "/features/counted", {
		meter: {
			aggregation: { function: "COUNT" },
			filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "x" }] }],
		},
	});
	await ours.plan("pro", [
		flat({ month: 5 }, { key: "fee" }),
		used("calls", { month: 1 }),
		used("reported", { month: 1 }),
		used("levels", { month: 1 }),
		used("counted", { month: 1 }),
	]);
	await ours.plan("grouped", [segmented(1, [large], { groupBy: ["team"] })]);
	await ours.plan("events", [{ ...used("calls", { month: 1 }), paymentTime: "AT_EVENT" }]);
	await ours.plan("payments", [
		{
			billingModel: "USAGE_BASED",
			featureId: "calls",
			pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice: percent }],
		},
	]);
	await ours.plan("limited", [flat({ month: 5 })], {
		overagePricingModels: [{ ...beyond("calls", 10, { month: 1 }), key: "more" }],
	});
	const year = { billingPeriod: "ANNUALLY", price: { amount: 1 } };
	await ours.plan("year", [
		{ billingModel: "USAGE_BASED", featureId: "calls", pricePeriods: [{ ...year, chargeInterval: month }] },
	]);
	return ours;
}

test.each([
	["both kinds", "pro", "calls", { transactionPrice: { ...percent, formula: "n" } }, "BadUserInput", "exactly one"],
	["neither kind", "pro", "calls", { transactionPrice: {} }, "BadUserInput", "exactly one"],
	["an amount too", "pro", "calls", { amount: 1, transactionPrice: percent }, "BadUserInput", "replaces 'amount'"],
	["variants too", "pro", "calls", { variants: [large], transactionPrice: percent }, "BadUserInput", "replaces"],
	[
		"bounds that cross",
		"pro",
		"calls",
		{ transactionPrice: { ...percent, minimum: 2, maximum: 1 } },
		"BadUserInput",
		"is above",
	],
	["a broken formula", "pro", "calls", { transactionPrice: { formula: "n *" } }, "BadUserInput", "formula"],
	["a fee", "pro", undefined, { key: "fee", transactionPrice: percent }, "InvalidArgumentError", "FLAT_FEE"],
	["variants of a fee", "pro", undefined, { key: "fee", variants: [large] }, "InvalidArgumentError", "price usage"],
	[
		"an interval of a fee",
		"pro",
		undefined,
		{ key: "fee", chargeInterval: { unit: "MONTH", count: 3 } },
		"InvalidArgumentError",
		"of usage",
	],
	[
		"no meter",
		"pro",
		"reported",
		{ transactionPrice: percent },
		"MeterMustBeAssociatedToMeteredFeature",
		"body/priceOverrides.transactionPrice",
	],
	["a meter without a field", "pro", "counted", { transactionPrice: percent }, "BadUserInput", "field"],
	["variants of levels", "pro", "levels", { variants: [large] }, "UnsupportedFeatureType", "level"],
	["two alike", "pro", "calls", { variants: [large, { ...large, id: "other" }] }, "BadUserInput", "matches the same"],
	["a variant without a price", "pro", "calls", { variants: [{ match: { a: ["b"] } }] }, "BadUserInput", "exactly one"],
	[
		"another currency",
		"pro",
		"calls",
		{ variants: [{ match: { a: ["b"] }, price: { amount: 1, currency: "eur" } }] },
		"InvalidArgumentError",
		"eur",
	],
	["groups", "grouped", "calls", { variants: [], transactionPrice: percent }, "BadUserInput", "groupBy"],
	["variants at events", "events", "calls", { variants: [large] }, "UnsupportedParameter", "each event"],
	["units at events", "events", "calls", { commitment: { amount: 1 } }, "UnsupportedParameter", "each event"],
	["no price left", "payments", "calls", { transactionPrice: null }, "BadUserInput", "'amount' or 'tiers'"],
	["overage", "limited", undefined, { key: "more", variants: [large] }, "BadUserInput", "nor overage"],
	[
		"overage by the quarter",
		"limited",
		undefined,
		{ key: "more", chargeInterval: { unit: "MONTH", count: 3 } },
		"UnsupportedParameter",
		"overage",
	],
	[
		"an interval that does not divide",
		"pro",
		"calls",
		{ chargeInterval: { unit: "DAY", count: 10 } },
		"BadUserInput",
		"do not divide",
	],
	[
		"an interval of eleven years",
		"pro",
		"calls",
		{ chargeInterval: { unit: "YEAR", count: 11 } },
		"BadUserInput",
		"ten years",
	],
	["usage by the year", "year", "calls", { chargeInterval: null }, "BadUserInput", "by the year"],
	["an unknown field", "pro", "calls", { transactionPrice: { rate: 1 } }, "BadUserInput", "rate"],
] as const)("refuses %s, and leaves no trace", async (_, planId, featureId, override, code, message) => {
	const ours = await shop();
	const body = { customerId: "acme", planId, priceOverrides: [{ ...(featureId && { featureId }), ...override }] };
	const answer = await ours.call("POST", "/subscriptions", { body });
	expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, code, expect.stringContaining(message)]);
	expect(await ours.insist("GET", "/subscriptions")).toEqual([]);
	expect(ours.db.$client.query("SELECT count(*) AS n FROM agreed_prices").get()).toEqual({ n: 0 });
});

test("counts at most 100 agreed prices of a feature; equal ones count once", async () => {
	const ours = await shop();
	const { $client } = ours.db;
	const environmentId = ours.actor.environmentId;
	const { id: featureId } = $client
		.query<{ id: string }, []>("SELECT id FROM features WHERE ref_id = 'calls'")
		.get() ?? { id: "" };
	const buy = (percentRate: number) =>
		ours.call("POST", "/subscriptions", {
			body: {
				customerId: "acme",
				planId: "pro",
				priceOverrides: [{ featureId: "calls", transactionPrice: { percentRate } }],
			},
		});
	expect((await buy(2)).status).toBe(201);
	for (let at = 1; at < 100; at += 1)
		$client.run("INSERT INTO agreed_prices VALUES (?, ?, ?, '{}', 0)", [environmentId, featureId, `p${at}`]);
	const { status, body } = await buy(3);
	expect([status, body.message]).toEqual([400, expect.stringContaining("at most 100 agreed prices of 'calls'")]);
	expect((await buy(2)).status).toBe(201);
});

test("bounds the bytes of all agreed prices; equal ones of plans and subscriptions need none", async () => {
	const ours = await shop();
	const { $client } = ours.db;
	const environmentId = ours.actor.environmentId;
	const features = $client.query<{ id: string }, []>("SELECT id FROM features ORDER BY id LIMIT 2").all();
	const buy = (percentRate: number) =>
		ours.call("POST", "/subscriptions", {
			body: {
				...{ customerId: "acme", planId: "pro" },
				priceOverrides: [{ featureId: "calls", transactionPrice: { percentRate } }],
			},
		});
	expect((await buy(2)).status).toBe(201);
	for (const { id } of features)
		$client.run("INSERT INTO agreed_prices VALUES (?, ?, 'large', ?, 0)", [
			...[environmentId, id, JSON.stringify({ transactionPrice: { formula: "n".repeat(2 * 1024 * 1024) } })],
		]);
	const { status, body } = await buy(3);
	expect([status, body.code, body.message]).toEqual([
		...[400, "BadUserInput", expect.stringMatching(/would take \d+ bytes; the most is 4194304/)],
	]);
	expect((await buy(2)).status).toBe(201);
});
