import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { ask, codes } from "../../../graphql/ask";
import { studio } from "../../credits/charging/studio";
import { isRefusal } from "../../packages/guards";

setDefaultTimeout(60_000);

const data = async (answer: Promise<{ status: number; body: { data: unknown } }>) => {
	const { status, body } = await answer;
	expect(status).toBe(200);
	return body.data;
};

describe("the estimate of a report", () => {
	test("prices by unit, by newly started blocks, and by formula, with the balance", async () => {
		const ours = await studio();
		const one = (featureId: string, cost: number, balance = 100) => ({
			warnings: [],
			estimates: [
				{
					currencyId: "gold",
					estimatedCost: cost,
					currentBalance: balance,
					balanceAfterEstimate: balance - cost,
					wouldOverdraft: cost > balance,
					breakdown: [{ featureId, cost, warningCode: null }],
				},
			],
		});
		expect(await data(ours.ofUsage({ featureId: "images", value: 3 }))).toEqual(one("images", 6));
		expect(await data(ours.ofUsage({ featureId: "images", value: 51 }))).toEqual(one("images", 102));
		expect(await data(ours.ofUsage({ featureId: "pages", value: 101 }))).toEqual(one("pages", 6));
		await ours.call("POST", "/usage", { body: { usages: [{ customerId: "acme", featureId: "pages", value: 150 }] } });
		expect(await data(ours.ofUsage({ featureId: "pages", value: 50 }))).toEqual(one("pages", 0, 94));
		expect(await data(ours.ofUsage({ featureId: "pages", value: 51 }))).toEqual(one("pages", 3, 94));
		const set = { featureId: "pages", updateBehavior: "SET" };
		expect(await data(ours.ofUsage({ ...set, value: 301 }))).toEqual(one("pages", 6, 94));
		expect(await data(ours.ofUsage({ ...set, value: 0 }))).toEqual(one("pages", 0, 94));
		const dimensions = { input: 1000, output: "500" };
		expect(await data(ours.ofUsage({ featureId: "tokens", value: 1, dimensions }))).toEqual(one("tokens", 3, 94));
	});

	test("records nothing", async () => {
		const ours = await studio();
		await ours.ofUsage({ featureId: "images", value: 3 });
		const check = await ours.call("GET", "/customers/acme/entitlements/check?featureId=images");
		expect(check.body.data.currentUsage).toBe(0);
	});

	test("warns about unknown features and features without a credit rate", async () => {
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

	test("refuses as a report does", async () => {
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

describe("the estimate of an event", () => {
	test("includes every meter that counts it; only counts and sums have a cost", async () => {
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

describe("GraphQL", () => {
	const selection = `{ warnings estimates { currencyId estimatedCost currentBalance balanceAfterEstimate wouldOverdraft
		breakdown { featureId cost warningCode } } }`;
	const usageQuery = `query ($input: EstimateUsageCostInput!) { estimateUsageCost(input: $input) ${selection} }`;
	const eventQuery = `query ($input: EstimateEventCostInput!) { estimateEventCost(input: $input) ${selection} }`;

	test("answers as REST does", async () => {
		const ours = await studio();
		const both = async (query: string, input: object, rest: (body: object) => ReturnType<typeof ours.ofUsage>) => {
			const given = { ...input, customerId: "acme", resourceId: null, environmentId: "any" };
			const answer = await ask(ours, query, { input: given });
			expect(Object.values(answer.data)).toEqual([await data(rest(input))]);
		};
		await both(usageQuery, { featureId: "images", value: 51 }, ours.ofUsage);
		await both(usageQuery, { featureId: "pages", value: 301, updateBehavior: "SET" }, ours.ofUsage);
		await both(usageQuery, { featureId: "tokens", value: 1, dimensions: { input: 1000, output: 500 } }, ours.ofUsage);
		await both(usageQuery, { featureId: "none", value: 1 }, ours.ofUsage);
		await both(eventQuery, { eventName: "call", dimensions: { size: 8 } }, ours.ofEvent);
	});

	test("requires the scope of REST, and refuses as REST does", async () => {
		const ours = await studio();
		const input = { customerId: "acme", featureId: "images", value: 1 };
		const code = async (change: object, key = ours.key) =>
			codes(await ask(ours, usageQuery, { input: { ...input, ...change } }, { key }));
		expect(await code({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await code({ resourceId: "nowhere" })).toEqual(["CustomerResourceNotFound"]);
		expect(await code({}, ours.foreignKey)).toEqual(["CustomerNotFound"]);
		expect(await code({}, ours.scopedKey("CREDIT:READ"))).toEqual(["AccessDeniedError"]);
		const event = { input: { customerId: "acme", eventName: "" } };
		expect(codes(await ask(ours, eventQuery, event))).toEqual(["BadUserInput"]);
	});
});
