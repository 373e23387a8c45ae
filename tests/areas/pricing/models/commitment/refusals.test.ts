import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { beyond, flat, perUnit, till } from "../../../subscriptions/billing";
import { measured } from "../level/levels";
import { committed, hourly } from "./committed";

setDefaultTimeout(60_000);

const one = { amount: 1 };
const overage = beyond("calls", 5, { month: 1 });
const month = { billingPeriod: "MONTHLY", price: { amount: 1 } };

const refused: ReadonlyArray<
	readonly [name: string, code: string, models: readonly object[], message: string, more?: object]
> = [
	["neither amount nor quantity", "BadUserInput", [committed({ overageFactor: 2 })], "exactly one"],
	["both amount and quantity", "BadUserInput", [committed({ amount: 1, quantity: 1 })], "exactly one"],
	["a factor below 1", "BadUserInput", [committed({ amount: 1, overageFactor: 0.5 })], "overageFactor"],
	["a factor above 100", "BadUserInput", [committed({ amount: 1, overageFactor: 101 })], "overageFactor"],
	["a negative amount", "BadUserInput", [committed({ amount: -1 })], "amount"],
	[
		"units in advance",
		"BadUserInput",
		[{ ...perUnit("seats", {}), pricePeriods: [{ ...month, commitment: one }] }],
		"use it with USAGE_BASED",
	],
	[
		"a fee",
		"BadUserInput",
		[{ ...flat({}), pricePeriods: [{ ...month, commitment: one }] }],
		"use it with USAGE_BASED",
	],
	[
		"overage",
		"BadUserInput",
		[flat({ month: 1 })],
		"neither with top-ups nor overage",
		{ overagePricingModels: [{ ...overage, pricePeriods: [{ ...month, commitment: one }] }] },
	],
	["several hours", "BadUserInput", [committed({ amount: 1, interval: { unit: "HOUR", count: 2 } })], "one HOUR"],
	[
		"windows longer than the period",
		"UnsupportedParameter",
		[committed({ amount: 1, interval: { unit: "YEAR", count: 1 } })],
		"longer than the billing period MONTHLY",
	],
	[
		"more windows than a bill can have",
		"UnsupportedParameter",
		[
			committed(
				{ amount: 1, ...hourly },
				{ billingPeriod: "CUSTOM", billingInterval: { unit: "MONTH", count: 27 }, price: { amount: 1 } },
			),
		],
		"at most 20000 windows",
	],
	[
		"levels over time",
		"UnsupportedParameter",
		[measured("TIME_WEIGHTED", { ...month, commitment: one })],
		"charges a level",
	],
	["peaks", "UnsupportedParameter", [measured("PEAK", { ...month, commitment: one })], "charges a level"],
	[
		"a level",
		"UnsupportedFeatureType",
		[committed(one, undefined, { featureId: "seats" })],
		"use an INCREMENTAL feature",
	],
	[
		"a quantity of several prices",
		"BadUserInput",
		[committed({ quantity: 1 }, { price: { amount: 1 }, variants: [{ match: { a: ["b"] }, price: { amount: 2 } }] })],
		"variants and groups have several",
	],
	["a CUSTOM package", "UnsupportedParameter", [committed(one)], "a contract bills", { pricingType: "CUSTOM" }],
	[
		"a quantity of transactions",
		"BadUserInput",
		[committed({ quantity: 1 }, { transactionPrice: { percentRate: 1, currency: "usd" } })],
		"each transaction has its own",
	],
];

describe("commitments are refused without a trace", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.insist("POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });

	test.each(refused.map(([name, ...row]) => [name, row] as const))(
		"%s",
		async (_, [code, pricingModels, message, more = {}]) => {
			const { status, body } = await ours.call("PATCH", "/plans/pro", {
				body: { charges: { pricingType: "PAID", pricingModels, ...more } },
			});
			expect([status, body.code, body.message]).toEqual([400, code, expect.stringContaining(message)]);
			expect(await ours.insist("GET", "/plans/pro/charges?version=1")).toEqual([]);
		},
	);
});
