import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { beyond, flat, perUnit, till, used } from "../../../subscriptions/billing";
import { measured, setSeats } from "./levels";

setDefaultTimeout(60_000);

const each = { price: { amount: 1 } };
const overage = beyond("seats", 5, { month: 1 });

const refused: ReadonlyArray<
	readonly [name: string, code: string, models: readonly object[], message: string, more?: object]
> = [
	[
		"units in advance",
		"UnsupportedFeatureType",
		[{ ...perUnit("seats", { month: 1 }), usageMeasure: "PEAK" }],
		"use it with USAGE_BASED",
	],
	["a fee", "UnsupportedFeatureType", [{ ...flat({ month: 1 }), usageMeasure: "TIME_WEIGHTED" }], "use it with"],
	[
		"an INCREMENTAL feature",
		"UnsupportedFeatureType",
		[{ ...measured("TIME_WEIGHTED", each), featureId: "jobs" }],
		"use a FLUCTUATING feature",
	],
	[
		"a level that a meter counts",
		"UnsupportedFeatureType",
		[{ ...measured("PEAK", each), featureId: "metered" }],
		"use a feature without a meter",
	],
	["an unknown measure", "BadUserInput", [measured("AVERAGE", each)], "usageMeasure"],
	[
		"overage",
		"BadUserInput",
		[flat({ month: 1 })],
		"usageMeasure",
		{ overagePricingModels: [{ ...overage, usageMeasure: "PEAK" }] },
	],
	[
		"thirty-day months",
		"UnsupportedParameter",
		[measured("TIME_WEIGHTED", each, { prorationMode: "THIRTY_DAY_MONTH" })],
		"by time or BY_DAY",
	],
	[
		"days of a peak",
		"UnsupportedParameter",
		[measured("PEAK", each, { prorationMode: "BY_DAY" })],
		"leave 'prorationMode'",
	],
	[
		"days of other usage",
		"UnsupportedParameter",
		[measured("AS_METERED", each, { prorationMode: "BY_DAY" })],
		"leave 'prorationMode'",
	],
	[
		"unused time that is not credited",
		"UnsupportedParameter",
		[measured("TIME_WEIGHTED", each, { refundsUnusedTime: false })],
		"'refundsUnusedTime'",
	],
	[
		"an unused flat price",
		"BadUserInput",
		[
			measured(
				"TIME_WEIGHTED",
				{ tiers: [{ unitPrice: { amount: 1 } }] },
				{ tiersMode: "VOLUME", chargesFlatPriceUnused: true },
			),
		],
		"'chargesFlatPriceUnused'",
	],
];

describe("measures of levels are refused without a trace", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	for (const [id, meterType] of [
		["jobs", "INCREMENTAL"],
		["metered", "FLUCTUATING"],
	])
		await ours.insist("POST", "/features", {
			...{ id, displayName: id, featureType: "NUMBER", meterType, featureUnits: "x", featureUnitsPlural: "xs" },
		});
	await ours.insist("PATCH", "/features/metered", {
		meter: { aggregation: { function: "MAX", field: "n" }, filters: [] },
	});
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

test("AS_METERED leaves no trace", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [{ ...used("seats", { month: 10 }), usageMeasure: "AS_METERED" }]);
	await ours.buy("pro");
	await setSeats(ours, 10, "2026-04-01T00:00:00Z");
	await ours.advance("2026-04-30T00:00:00Z");
	await setSeats(ours, 2, "2026-04-30T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 20 = 2 Seats (pro) 20"]);
	const [charge] = await ours.insist("GET", "/plans/pro/charges");
	expect(Object.keys(charge)).not.toContain("usageMeasure");
	expect(ours.db.$client.query("SELECT count(*) AS n FROM charges WHERE price_terms IS NOT NULL").get()).toEqual({
		n: 0,
	});
});
