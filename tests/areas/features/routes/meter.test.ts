import { describe, expect, test } from "bun:test";
import { meterConditionsMax } from "../../../../src/areas/features/rules";
import { type World, world } from "../../../support/world";
import { maker, metered } from "../../packages/catalogue";
import { guard, isRefusal } from "../../packages/guards";
import { provision, shop } from "../../subscriptions/shop";

const patch = ({ call }: Pick<World, "call">, body: object, id = "calls") => call("PATCH", `/features/${id}`, { body });
const count = { aggregation: { function: "COUNT" }, filters: [] };
const sum = { aggregation: { function: "SUM", field: "bytes" }, filters: [] };

const withCalls = async () => {
	const ours = world();
	await maker(ours).feature("calls", metered);
	return ours;
};

guard(
	[
		{
			method: "GET",
			path: "/features/calls/meter",
			scope: "CATALOG:READ",
			missing: "FeatureNotFound",
			missingPath: "/features/no/meter",
		},
	],
	async (ours) => {
		await maker(ours).feature("calls", metered);
		await patch(ours, { meter: count });
	},
);

test("an update answers the meter: the one that was just set, the one that stays, or that there is none", async () => {
	const ours = await withCalls();
	expect((await patch(ours, { displayName: "Calls" })).body.data).toMatchObject({ displayName: "Calls", meter: null });
	expect((await patch(ours, { meter: sum })).body.data.meter).toMatchObject({ featureId: "calls", ...sum });
	expect((await patch(ours, { displayName: "API calls" })).body.data.meter).toMatchObject(sum);
});

describe("GET /features/{id}/meter", () => {
	test("answers the meter as it was set", async () => {
		const ours = await withCalls();
		const meter = {
			aggregation: { function: "PERCENTILE", field: "ms", percentile: 99.9 },
			filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "request" }] }],
		};
		await patch(ours, { meter });
		expect(await ours.call("GET", "/features/calls/meter")).toMatchObject({
			status: 200,
			body: { data: { featureId: "calls", ...meter, createdAt: "2026-01-31T00:00:00.000Z" } },
		});
	});

	test("a feature without one: 404 that says how to set it, without a code", async () => {
		isRefusal(await (await withCalls()).call("GET", "/features/calls/meter"), 404, null, "PATCH");
	});
});

describe("aggregations beyond the contract", () => {
	test.each([
		["LATEST", { function: "LATEST", field: "seats" }],
		["the median", { function: "PERCENTILE", field: "ms", percentile: 50 }],
		["the greatest value", { function: "PERCENTILE", field: "ms", percentile: 100 }],
	])("%s is taken", async (_, aggregation) => {
		expect((await patch(await withCalls(), { meter: { aggregation, filters: [] } })).status).toBe(200);
	});

	test.each([
		["LATEST of nothing", { function: "LATEST" }, "'field'"],
		["PERCENTILE of nothing", { function: "PERCENTILE", percentile: 50 }, "'field'"],
		["PERCENTILE without one", { function: "PERCENTILE", field: "ms" }, "needs 'percentile'"],
		["a percentile of a sum", { function: "SUM", field: "ms", percentile: 50 }, "not with SUM"],
		["the percentile 0", { function: "PERCENTILE", field: "ms", percentile: 0 }, "/percentile"],
		["a percentile above 100", { function: "PERCENTILE", field: "ms", percentile: 101 }, "/percentile"],
		["a percentile in quotes", { function: "PERCENTILE", field: "ms", percentile: "50" }, "/percentile"],
	])("%s is refused", async (_, aggregation, message) => {
		const answer = await patch(await withCalls(), { meter: { aggregation, filters: [] } });
		isRefusal(answer, 400, "BadUserInput", message);
	});
});

const condition = (operation: string, terms: object) => ({ field: "size", operation, ...terms });
test.each([
	...["EQUALS", "NOT_EQUALS", "CONTAINS", "STARTS_WITH", "ENDS_WITH"].map((name) => condition(name, { value: "a" })),
	...["GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL"].map((name) =>
		condition(name, { value: "-1.5" }),
	),
	condition("IS_NULL", {}),
	condition("IS_NOT_NULL", {}),
	condition("IN", { values: ["a"] }),
])("the operator of $operation is taken and shown", async (one) => {
	const ours = await withCalls();
	const filters = [{ conditions: [one] }];
	expect((await patch(ours, { meter: { ...count, filters } })).status).toBe(200);
	expect((await ours.call("GET", "/features/calls/meter")).body.data.filters).toEqual(filters);
});

test("a meter has no more conditions than every event can be held against", async () => {
	const ours = await withCalls();
	const group = { conditions: Array.from({ length: 50 }, () => condition("EQUALS", { value: "a" })) };
	const groups = meterConditionsMax / 50;
	const of = (filters: object[]) => patch(ours, { meter: { ...count, filters } });
	expect((await of(Array.from({ length: groups }, () => group))).status).toBe(200);
	const refused = await of([
		...Array.from({ length: groups }, () => group),
		{ conditions: [condition("IS_NULL", {})] },
	]);
	isRefusal(refused, 400, "FeatureConfigurationExceededLimitError", `${meterConditionsMax}`);
});

describe("a feature that running subscriptions have", () => {
	/** `calls` is metered by a count, and transformed; nothing runs yet. */
	const stocked = async () => {
		const ours = await shop();
		await patch(ours, { meter: count, unitTransformation: { divide: 10 } });
		return ours;
	};
	const change = { meter: sum };

	const cases: Array<[string, (ours: World) => Promise<unknown>]> = [
		["by its plan", (ours) => provision(ours, { planId: "free" })],
		[
			"by an addon",
			async (ours) => {
				await ours.call("POST", "/plans/pro/draft");
				await ours.call("DELETE", "/plans/pro/entitlements/calls");
				await maker(ours).publish("/plans/pro");
				await provision(ours, { planId: "pro", billingPeriod: "MONTHLY", addons: [{ id: "extra", quantity: 1 }] });
			},
		],
		[
			"by a base plan",
			async (ours) => {
				await maker(ours).plan("child", { parentPlanId: "free", pricingType: "FREE" });
				await maker(ours).publish("/plans/child");
				await provision(ours, { planId: "child" });
			},
		],
		[
			"by itself",
			(ours) => provision(ours, { planId: "custom", entitlements: [{ type: "FEATURE", id: "calls", usageLimit: 1 }] }),
		],
	];
	test.each(cases)("%s: neither its meter nor its units change", async (_, subscribe) => {
		const ours = await stocked();
		await subscribe(ours);
		isRefusal(await patch(ours, change), 400, "CannotUpdateMeterOfFeatureInUse", "'calls'");
		for (const unitTransformation of [{ divide: 5 }, { divide: 10, round: "DOWN" }, null])
			isRefusal(await patch(ours, { unitTransformation }), 400, "CannotUpdateUnitTransformationError", "'calls'");
		const same = { displayName: "Renamed", meter: count, unitTransformation: { divide: 10, round: "UP" } };
		expect((await patch(ours, same)).body.data.displayName).toBe("Renamed");
	});

	test("a refused change leaves all as it was", async () => {
		const ours = await stocked();
		await provision(ours, { planId: "free" });
		await patch(ours, { ...change, displayName: "Other" });
		expect((await ours.call("GET", "/features/calls")).body.data.displayName).toBe("calls");
		expect((await ours.call("GET", "/features/calls/meter")).body.data.aggregation).toEqual({ function: "COUNT" });
	});

	test("before anything runs, and after it has ended, both may change", async () => {
		const ours = await stocked();
		expect((await patch(ours, change)).status).toBe(200);
		const { id } = await provision(ours, { planId: "free" });
		isRefusal(await patch(ours, { meter: count }), 400, "CannotUpdateMeterOfFeatureInUse");
		await ours.call("POST", `/subscriptions/${id}/cancel`, { body: {} });
		expect((await patch(ours, { meter: count, unitTransformation: null })).status).toBe(200);
	});

	test("a first meter is no change, and neither is another feature's", async () => {
		const ours = await shop();
		await maker(ours).feature("mails", metered);
		await patch(ours, { meter: count }, "mails");
		await provision(ours, { planId: "free" });
		expect((await patch(ours, { meter: count })).status).toBe(200);
		expect((await patch(ours, change, "mails")).status).toBe(200);
	});
});
