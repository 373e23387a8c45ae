import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { world } from "../../../support/world";
import { maker, metered } from "../../packages/catalogue";
import { isRefusal } from "../../packages/guards";

setDefaultTimeout(60_000);

/** The plan `ai` grants 100 `gold` a month and prices what is used in it: see each feature. */
async function studio() {
	const ours = world();
	const make = maker(ours);
	await make.product();
	await make.currency("gold");
	const rates: Readonly<Record<string, object>> = {
		// 2 gold for each.
		images: { amount: 2 },
		// 3 gold for each started hundred.
		pages: { amount: 3 },
		// By what one report or event says.
		tokens: { amount: 1, costFormula: "(input + 4 * output) / 1000" },
		// Counted by meters.
		calls: { amount: 0.5 },
		bytes: { amount: 0.25 },
		peak: { amount: 7 },
	};
	for (const id of [...Object.keys(rates), "free"]) await make.feature(id, metered);
	const named = (name: string) => [{ conditions: [{ field: "eventName", operation: "EQUALS", value: name }] }];
	for (const [id, aggregation] of Object.entries({
		calls: { function: "COUNT" },
		bytes: { function: "SUM", field: "size" },
		peak: { function: "MAX", field: "size" },
	})) {
		const meter = { aggregation, filters: named("call") };
		expect((await ours.call("PATCH", `/features/${id}`, { body: { meter } })).status).toBe(200);
	}
	await make.plan("ai");
	await make.entitle("/plans/ai", { type: "CREDIT", id: "gold", amount: 100, cadence: "MONTH" });
	await make.entitle("/plans/ai", ...[...Object.keys(rates), "free"].map((id) => ({ type: "FEATURE", id })));
	await make.charge("/plans/ai", {
		pricingType: "PAID",
		pricingModels: Object.entries(rates).map(([featureId, rate]) => ({
			billingModel: "CREDIT_BASED",
			featureId,
			pricePeriods: [
				{
					billingPeriod: "MONTHLY",
					creditRate: { ...rate, currencyId: "gold" },
					...(featureId === "pages" && { blockSize: 100 }),
				},
			],
		})),
	});
	await make.publish("/plans/ai");
	for (const id of ["acme", "new"]) await ours.call("POST", "/customers", { body: { id } });
	const sold = await ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "ai" } });
	if (sold.status !== 201) throw new Error(JSON.stringify(sold.body));
	const estimate = (path: string) => (body: object) =>
		ours.call("POST", `/${path}/estimate`, { body: { customerId: "acme", ...body } });
	return { ...ours, ofUsage: estimate("usage"), ofEvent: estimate("events") };
}

const data = async (answer: Promise<{ status: number; body: { data: unknown } }>) => {
	const { status, body } = await answer;
	expect(status).toBe(200);
	return body.data;
};

describe("what usage would cost in credits", () => {
	test("by the unit, by started blocks beyond what was used, and by a formula, with the balance", async () => {
		const ours = await studio();
		const one = (featureId: string, cost: number) => ({
			warnings: [],
			estimates: [
				{
					currencyId: "gold",
					estimatedCost: cost,
					currentBalance: 100,
					balanceAfterEstimate: 100 - cost,
					wouldOverdraft: cost > 100,
					breakdown: [{ featureId, cost, warningCode: null }],
				},
			],
		});
		expect(await data(ours.ofUsage({ featureId: "images", value: 3 }))).toEqual(one("images", 6));
		expect(await data(ours.ofUsage({ featureId: "images", value: 51 }))).toEqual(one("images", 102));
		expect(await data(ours.ofUsage({ featureId: "pages", value: 101 }))).toEqual(one("pages", 6));
		await ours.call("POST", "/usage", { body: { usages: [{ customerId: "acme", featureId: "pages", value: 150 }] } });
		expect(await data(ours.ofUsage({ featureId: "pages", value: 50 }))).toEqual(one("pages", 0));
		expect(await data(ours.ofUsage({ featureId: "pages", value: 51 }))).toEqual(one("pages", 3));
		const set = { featureId: "pages", updateBehavior: "SET" };
		expect(await data(ours.ofUsage({ ...set, value: 301 }))).toEqual(one("pages", 6));
		expect(await data(ours.ofUsage({ ...set, value: 0 }))).toEqual(one("pages", 0));
		const dimensions = { input: 1000, output: "500" };
		expect(await data(ours.ofUsage({ featureId: "tokens", value: 1, dimensions }))).toEqual(one("tokens", 3));
	});

	test("records nothing", async () => {
		const ours = await studio();
		await ours.ofUsage({ featureId: "images", value: 3 });
		const check = await ours.call("GET", "/customers/acme/entitlements/check?featureId=images");
		expect(check.body.data.currentUsage).toBe(0);
	});

	test("warns of what is unknown, and of what costs no credits", async () => {
		const ours = await studio();
		expect(await data(ours.ofUsage({ featureId: "none", value: 1 }))).toEqual({
			estimates: [],
			warnings: ["FEATURE_NOT_FOUND"],
		});
		for (const more of [{ featureId: "free" }, { featureId: "images", customerId: "new" }])
			expect(await data(ours.ofUsage({ value: 1, ...more }))).toEqual({
				estimates: [],
				warnings: ["FEATURE_NOT_CREDIT_BASED"],
			});
	});

	test("refuses what a report would be refused for", async () => {
		const ours = await studio();
		isRefusal(await ours.ofUsage({ featureId: "images", value: 1, customerId: "none" }), 404, "CustomerNotFound");
		isRefusal(await ours.ofUsage({ featureId: "images", value: 1, resourceId: "r" }), 404, "CustomerResourceNotFound");
		isRefusal(
			await ours.ofUsage({ featureId: "calls", value: 1 }),
			400,
			"CannotReportUsageForEntitlementWithMeterError",
		);
		isRefusal(await ours.ofUsage({ featureId: "images", value: -1 }), 400, "UsageMeasurementDiffOutOfRangeError");
	});
});

describe("what an event would cost in credits", () => {
	test("by every meter that takes it; of others than counts and sums nothing can be said", async () => {
		const ours = await studio();
		expect(await data(ours.ofEvent({ eventName: "call", dimensions: { size: 10 } }))).toEqual({
			warnings: [],
			estimates: [
				{
					currencyId: "gold",
					estimatedCost: 3,
					currentBalance: 100,
					balanceAfterEstimate: 97,
					wouldOverdraft: false,
					breakdown: [
						{ featureId: "calls", cost: 0.5, warningCode: null },
						{ featureId: "bytes", cost: 2.5, warningCode: null },
						{ featureId: "peak", cost: 0, warningCode: "UNSUPPORTED_AGGREGATION" },
					],
				},
			],
		});
		expect(await data(ours.ofEvent({ eventName: "other" }))).toEqual({
			estimates: [],
			warnings: ["FEATURE_NOT_FOUND"],
		});
		expect(await data(ours.ofEvent({ eventName: "call", customerId: "new" }))).toEqual({
			estimates: [],
			warnings: ["FEATURE_NOT_CREDIT_BASED"],
		});
	});
});
