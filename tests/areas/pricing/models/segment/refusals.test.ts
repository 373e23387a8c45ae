import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { beyond, flat, till } from "../../../subscriptions/billing";
import { segmented, variant } from "./events";

setDefaultTimeout(60_000);

const one = variant({ model: ["a"] }, 1);
const overage = beyond("calls", 5, { month: 1 });
const tiers = [{ unitPrice: { amount: 1 } }];

const refused: ReadonlyArray<readonly [name: string, models: readonly object[], message: string, more?: object]> = [
	["two variants alike", [segmented(1, [one, variant({ model: ["a"] }, 2)])], "variants[1]: matches the same as"],
	[
		"alike in another order",
		[segmented(1, [variant({ a: ["1", "2"], b: ["*"] }, 1), variant({ b: ["*"], a: ["2", "1"] }, 2)])],
		"variants[0]",
	],
	["one id twice", [segmented(1, [{ ...one, id: "x" }, variant({ b: ["*"] }, 1, { id: "x" })])], "the id 'x' names"],
	[
		"an id by place twice",
		[segmented(1, [{ ...one, id: "variant-2" }, variant({ b: ["*"] }, 1)])],
		"'variant-2' names",
	],
	["any value and another", [segmented(1, [variant({ a: ["*", "b"] }, 1)])], "'a' has '*', which is any value"],
	["no dimension", [segmented(1, [variant({}, 1)])], "match"],
	[
		"six dimensions",
		[segmented(1, [variant(Object.fromEntries([..."abcdef"].map((name) => [name, ["*"]])), 1)])],
		"match",
	],
	["no text", [segmented(1, [variant({ a: [] }, 1)])], "match"],
	["101 texts", [segmented(1, [variant({ a: Array.from({ length: 101 }, (_, at) => `${at}`) }, 1)])], "match"],
	[
		"501 variants",
		[
			segmented(
				1,
				Array.from({ length: 501 }, (_, at) => variant({ a: [`${at}`] }, 1)),
			),
		],
		"variants",
	],
	["a variant without a price", [segmented(1, [{ match: { a: ["*"] } }])], "exactly one of 'price' and 'tiers'"],
	["a variant with price and tiers", [segmented(1, [{ ...one, tiers }], { tiersMode: "VOLUME" })], "exactly one of"],
	["tiers without a mode", [segmented(1, [{ match: { a: ["*"] }, tiers }])], "'tiers' need 'tiersMode'"],
	[
		"another currency",
		[
			segmented(1, [variant({ a: ["*"] }, 1, { price: { amount: 1, currency: "eur" } })], {
				period: { price: { amount: 1, currency: "usd" } },
			}),
		],
		"give it one currency",
	],
	["four groups", [segmented(1, [], { groupBy: ["a", "b", "c", "d"] })], "groupBy"],
	["one group twice", [segmented(1, [], { groupBy: ["a", "a"] })], "names a dimension twice"],
	["units in advance", [{ ...segmented(1, [one]), billingModel: "PER_UNIT" }], "use it with USAGE_BASED"],
	[
		"transactions",
		[segmented(1, [one], { period: { price: undefined, transactionPrice: { percentRate: 1 } } })],
		"'transactionPrice' prices each event",
	],
	[
		"an unused flat price",
		[segmented(1, [one], { tiersMode: "VOLUME", chargesFlatPriceUnused: true, period: { price: undefined, tiers } })],
		"'chargesFlatPriceUnused' is for",
	],
	[
		"variants of overage",
		[flat({ month: 1 })],
		"divides usage",
		{ overagePricingModels: [{ ...overage, pricePeriods: [{ ...overage.pricePeriods[0], variants: [one] }] }] },
	],
	["groups without a meter", [{ ...segmented(1, [], { groupBy: ["a"] }), featureId: "jobs" }], "set its meter first"],
	["variants of a level", [{ ...segmented(1, [one]), featureId: "level" }], "reports a level"],
];

describe("variants and groups are refused without a trace", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	for (const [id, meterType] of [
		["jobs", "INCREMENTAL"],
		["level", "FLUCTUATING"],
	])
		await ours.insist("POST", "/features", {
			...{ id, displayName: id, featureType: "NUMBER", meterType, featureUnits: "x", featureUnitsPlural: "xs" },
		});
	await ours.insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });

	test.each(refused.map(([name, ...row]) => [name, row] as const))(
		"%s",
		async (_, [pricingModels, message, more = {}]) => {
			const { status, body } = await ours.call("PATCH", "/plans/pro", {
				body: { charges: { pricingType: "PAID", pricingModels, ...more } },
			});
			expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
			expect(await ours.insist("GET", "/plans/pro/charges?version=1")).toEqual([]);
		},
	);
});

test("neutral values leave no trace", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [segmented(1, [], { groupBy: [], period: { variants: [] } })]);
	await ours.buy("pro");
	await ours.use("calls", 3);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 3 = 3 Calls (pro) 3"]);
	const [charge] = await ours.insist("GET", "/plans/pro/charges");
	expect([charge.variants, charge.groupBy]).toEqual([undefined, undefined]);
});
