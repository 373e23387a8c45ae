import { describe, expect, test } from "bun:test";
import { listMeters } from "../../../src/areas/features/operations";
import { longText, type World, world } from "../../support/world";
import { fill, maker, metered, region } from "../packages/catalogue";
import { guard, isRefusal } from "../packages/guards";

guard(
	[
		{ method: "GET", path: "/features", scope: "CATALOG:READ", publishable: true },
		{
			method: "POST",
			path: "/features",
			scope: "CATALOG:WRITE",
			body: { id: "f", displayName: "F", featureType: "BOOLEAN" },
		},
		{
			method: "GET",
			path: "/features/calls",
			scope: "CATALOG:READ",
			publishable: true,
			missing: "FeatureNotFound",
			missingPath: "/features/none",
		},
		{
			method: "PATCH",
			path: "/features/calls",
			scope: "CATALOG:WRITE",
			body: { displayName: "Calls" },
			missing: "FeatureNotFound",
			missingPath: "/features/none",
		},
	],
	fill,
);

const post = ({ call }: World, body: object) =>
	call("POST", "/features", { body: { id: "f", displayName: "F", ...body } });

describe("POST /features", () => {
	test("makes a boolean feature with every key of the contract", async () => {
		const answer = await post(world(), { featureType: "BOOLEAN" });
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			data: {
				id: "f",
				displayName: "F",
				description: null,
				featureType: "BOOLEAN",
				meterType: "None",
				featureStatus: "NEW",
				featureUnits: null,
				featureUnitsPlural: null,
				enumConfiguration: null,
				unitTransformation: null,
				metadata: {},
				createdAt: "2026-01-31T00:00:00.000Z",
				updatedAt: "2026-01-31T00:00:00.000Z",
			},
		});
	});

	test("makes a metered one with units, and one of values", async () => {
		const ours = world();
		const units = { featureUnits: "call", featureUnitsPlural: "calls" };
		const body = { ...metered, ...units, unitTransformation: { divide: 1000, featureUnits: "kilocall" } };
		expect((await post(ours, body)).body.data).toMatchObject({
			...metered,
			...units,
			unitTransformation: { divide: 1000, round: "UP", featureUnits: "kilocall", featureUnitsPlural: null },
		});
		expect((await post(ours, { id: "g", ...region })).body.data).toMatchObject(region);
	});

	test.each([
		["no type", {}, 400, "BadUserInput", "featureType"],
		["an unknown type", { featureType: "TEXT" }, 400, "BadUserInput", "/featureType"],
		["a lower-case type", { featureType: "number" }, 400, "BadUserInput", "/featureType"],
		["a meter type in capitals", { featureType: "NUMBER", meterType: "NONE" }, 400, "BadUserInput", "/meterType"],
		["a metered boolean", { ...metered, featureType: "BOOLEAN" }, 400, "MeteringNotAvailableForFeatureType", "NUMBER"],
		["values of a number", { ...region, featureType: "NUMBER" }, 400, "UnsupportedFeatureType", "enumConfiguration"],
		["an enum without values", { featureType: "ENUM" }, 400, "BadUserInput", "enumConfiguration"],
		["an enum of no values", { featureType: "ENUM", enumConfiguration: [] }, 400, "BadUserInput", "enumConfiguration"],
		[
			"an enum with one value twice",
			{ featureType: "ENUM", enumConfiguration: [...region.enumConfiguration, { value: "eu", displayName: "EU" }] },
			400,
			"BadUserInput",
			"'eu' twice",
		],
		["a division by nothing", { ...metered, unitTransformation: { divide: 0 } }, 400, "BadUserInput", "/divide"],
		[
			"a transformation of what is not counted",
			{ featureType: "NUMBER", unitTransformation: { divide: 2 } },
			400,
			"MeteringNotAvailableForFeatureType",
			"unitTransformation",
		],
		["a long unit", { ...metered, featureUnits: longText(256) }, 400, "BadUserInput", "/featureUnits"],
		["a meter, which only updates take", { ...metered, meter: {} }, 400, "BadUserInput", "meter"],
	] as const)("refuses %s", async (_, body, status, code, message) => {
		isRefusal(await post(world(), body), status, code, message);
	});

	test("refuses a second one of the same id", async () => {
		const ours = world();
		await post(ours, metered);
		isRefusal(await post(ours, metered), 409, "DuplicatedEntityNotAllowed", "'f'");
	});
});

const meter = {
	aggregation: { function: "SUM", field: "bytes" },
	filters: [
		{
			conditions: [
				{ field: "eventName", operation: "EQUALS", value: "upload" },
				{ field: "bytes", operation: "GREATER_THAN", value: "10" },
			],
		},
		{ conditions: [{ field: "region", operation: "IN", values: ["eu", "us"] }] },
	],
};

const patch = ({ call }: World, body: object) => call("PATCH", "/features/calls", { body });
const metersOf = (ours: World) => ours.transactions.read(ours.actor, (work) => listMeters(work));

describe("PATCH /features/{id}", () => {
	const withCalls = async () => {
		const ours = world();
		await maker(ours).feature("calls", metered);
		return ours;
	};

	test("changes only what is sent; null removes the transformation", async () => {
		const ours = await withCalls();
		await patch(ours, {
			description: "All calls",
			metadata: { a: "1" },
			unitTransformation: { divide: 0.5, round: "DOWN" },
		});
		expect((await patch(ours, { displayName: "Calls" })).body.data).toMatchObject({
			displayName: "Calls",
			description: "All calls",
			metadata: { a: "1" },
			unitTransformation: { divide: 0.5, round: "DOWN", featureUnits: null },
		});
		expect((await patch(ours, { unitTransformation: null })).body.data.unitTransformation).toBeNull();
	});

	test("a meter is kept with its feature, shown in the answer, and wakes who counts", async () => {
		const ours = await withCalls();
		const answer = await patch(ours, { meter });
		expect(answer.status).toBe(200);
		expect(answer.body.data.meter).toMatchObject(meter);
		expect(ours.woken).toEqual(["aggregator"]);
		expect(metersOf(ours)).toMatchObject([meter]);
		expect(ours.transactions.read(ours.foreignActor, (work) => listMeters(work))).toEqual([]);
	});

	test("another meter takes its place under a new id; the same one again changes nothing", async () => {
		const ours = await withCalls();
		await patch(ours, { meter });
		const [first] = metersOf(ours);
		await patch(ours, { meter, displayName: "Renamed" });
		expect(metersOf(ours)).toEqual([first as never]);
		expect(ours.woken).toEqual(["aggregator"]);
		await patch(ours, { meter: { aggregation: { function: "COUNT" }, filters: [] } });
		const [second, ...more] = metersOf(ours);
		expect(more).toEqual([]);
		expect(second).toMatchObject({ aggregation: { function: "COUNT" }, filters: [] });
		expect(second?.id).not.toBe(first?.id);
		expect(ours.woken).toEqual(["aggregator", "aggregator"]);
	});

	test.each(["SUM", "MAX", "MIN", "AVG", "UNIQUE"])("%s needs a field, COUNT needs none", async (name) => {
		const ours = await withCalls();
		const of = (aggregation: object) => patch(ours, { meter: { aggregation, filters: [] } });
		isRefusal(await of({ function: name }), 400, "BadUserInput", "meter.aggregation");
		expect((await of({ function: name, field: "bytes" })).status).toBe(200);
		expect((await of({ function: "COUNT" })).status).toBe(200);
	});

	const condition = (change: object) => ({
		...meter,
		filters: [{ conditions: [{ field: "region", operation: "EQUALS", value: "eu" }] }, { conditions: [change] }],
	});
	const place = "meter.filters[1].conditions[0]";
	test.each([
		["no filters key", { aggregation: { function: "COUNT" } }, "/meter/filters"],
		[
			"an unknown function",
			{ ...meter, aggregation: { function: "MEDIAN", field: "a" } },
			"/meter/aggregation/function",
		],
		["an empty group", { ...meter, filters: [{ conditions: [] }] }, "/meter/filters/0/conditions"],
		["an unknown operation", condition({ field: "a", operation: "LIKE", value: "b" }), "/operation"],
		["EQUALS without a value", condition({ field: "a", operation: "EQUALS" }), place],
		["CONTAINS with values", condition({ field: "a", operation: "CONTAINS", values: ["b"] }), place],
		["IN without values", condition({ field: "a", operation: "IN", values: [] }), place],
		["IN with a value", condition({ field: "a", operation: "IN", value: "b" }), place],
		["IS_NULL with a value", condition({ field: "a", operation: "IS_NULL", value: "b" }), place],
		["more than what is no number", condition({ field: "a", operation: "GREATER_THAN", value: "many" }), place],
		["a number as value", condition({ field: "a", operation: "EQUALS", value: 1 }), "/value"],
	])("refuses %s", async (_, refused, message) => {
		const ours = await withCalls();
		isRefusal(await patch(ours, { meter: refused }), 400, "BadUserInput", message);
		expect(metersOf(ours)).toEqual([]);
		expect(ours.woken).toEqual([]);
	});

	test.each([
		["a boolean", { featureType: "BOOLEAN" }],
		["a configuration number", { featureType: "NUMBER" }],
		["an enum", region],
	])("refuses the meter of %s", async (_, kind) => {
		const ours = world();
		await maker(ours).feature("calls", kind);
		isRefusal(await patch(ours, { meter }), 400, "MeterMustBeAssociatedToMeteredFeature", "'calls'");
	});

	test("a refused meter leaves all of the feature as it was", async () => {
		const ours = await withCalls();
		await patch(ours, { displayName: "Other", meter: { ...meter, aggregation: { function: "SUM" } } });
		expect((await ours.call("GET", "/features/calls")).body.data.displayName).toBe("calls");
	});

	test.each([
		["another type", { featureType: "BOOLEAN" }, "BadUserInput"],
		["a name of null", { displayName: null }, "BadUserInput"],
		["values of a number", { enumConfiguration: region.enumConfiguration }, "UnsupportedFeatureType"],
	])("refuses %s", async (_, body, code) => {
		isRefusal(await patch(await withCalls(), body), 400, code);
	});
});

describe("GET /features", () => {
	test("filters by id, type, meter type, status and date, all at once", async () => {
		const ours = world();
		await fill(ours);
		await maker(ours).entitle("/plans/pro", { type: "FEATURE", id: "calls" });
		const ids = async (query: string) =>
			(await ours.call("GET", `/features?${query}`)).body.data.map(({ id }: { id: string }) => id);
		expect(await ids("")).toEqual(["region", "depth", "seats", "calls", "sso"]);
		expect(await ids("featureType=NUMBER")).toEqual(["depth", "seats", "calls"]);
		expect(await ids("featureType=BOOLEAN,ENUM")).toEqual(["region", "sso"]);
		expect(await ids("meterType=None&featureType=NUMBER")).toEqual(["depth"]);
		expect(await ids("meterType=INCREMENTAL&meterType=FLUCTUATING")).toEqual(["seats", "calls"]);
		// The first package that entitles a feature puts it to use.
		expect(await ids("status=ACTIVE")).toEqual(["calls"]);
		expect(await ids("status=NEW&featureType=NUMBER")).toEqual(["depth", "seats"]);
		expect(await ids("id=sso&featureType=NUMBER")).toEqual([]);
		expect(await ids("createdAt[gt]=2026-01-31T00:00:00Z")).toEqual([]);
		expect((await ours.call("GET", "/features", { key: ours.foreignKey })).body.data).toEqual([]);
		for (const query of ["meterType=none", "featureType=TEXT", "status=ARCHIVED", "limit=101", "x=1"])
			isRefusal(await ours.call("GET", `/features?${query}`), 400, "BadUserInput");
	});
});
