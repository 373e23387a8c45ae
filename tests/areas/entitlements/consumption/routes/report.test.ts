import { describe, expect, test } from "bun:test";
import { isRefusal } from "../../../packages/guards";
import { type Site, site } from "../site";

const tokens = (value: number, more: object = {}) => ({ featureId: "tokens", value, ...more });

describe("POST /usage", () => {
	test("returns the records and the usage after each, and a check sees them", async () => {
		const ours = await site();
		const answer = await ours.report(
			tokens(3, { idempotencyKey: "k1", dimensions: { region: "eu", cached: true, size: 1.5 } }),
			{ featureId: "seats", value: 2 },
			tokens(-1),
		);
		expect(answer.status).toBe(201);
		const period = {
			usagePeriodStart: "2026-01-31T00:00:00.000Z",
			usagePeriodEnd: "2026-02-28T00:00:00.000Z",
			nextResetDate: "2026-02-28T00:00:00.000Z",
		};
		const never = { usagePeriodStart: null, usagePeriodEnd: null, nextResetDate: null };
		const at = "2026-01-31T00:00:00.000Z";
		const common = {
			id: expect.any(String),
			customerId: "acme",
			resourceId: null,
			timestamp: at,
			createdAt: at,
			credit: null,
		};
		expect(answer.body.data).toEqual([
			{ ...common, featureId: "tokens", value: 3, currentUsage: 3, ...period },
			{ ...common, featureId: "seats", value: 2, currentUsage: 2, ...never },
			{ ...common, featureId: "tokens", value: -1, currentUsage: 2, ...period },
		]);
		expect(await ours.check("tokens")).toMatchObject({ currentUsage: 2, isGranted: true });
		expect(await ours.check("seats")).toMatchObject({ currentUsage: 2, isGranted: true });
	});

	test("SET replaces the current value, up and down", async () => {
		const ours = await site();
		for (const value of [4, 1, 3]) {
			const [record] = (await ours.report({ featureId: "seats", value, updateBehavior: "SET" })).body.data;
			expect(record).toMatchObject({ value, currentUsage: value });
		}
		await ours.report(tokens(7), tokens(2.5, { updateBehavior: "SET" }));
		expect((await ours.check("tokens")).currentUsage).toBe(2.5);
	});

	test("records all items or none", async () => {
		const ours = await site();
		isRefusal(await ours.report(tokens(3), tokens(-4)), 400, "UsageMeasurementDiffOutOfRangeError", "body/usages/1");
		isRefusal(await ours.report(tokens(3), { featureId: "none", value: 1 }), 404, "FeatureNotFound");
		expect((await ours.check("tokens")).currentUsage).toBe(0);
	});

	test("a repeated key returns the first record and changes nothing, also within one request", async () => {
		const ours = await site();
		const sent = tokens(3, { idempotencyKey: "k" });
		const [first, twice] = (await ours.report(sent, { ...sent, value: 9 })).body.data;
		expect(twice).toEqual(first);
		await ours.report(tokens(1));
		const [again] = (await ours.report(sent)).body.data;
		expect(again).toEqual({ ...first, currentUsage: 4 });
		// The key belongs to a customer, a resource and a feature.
		await ours.report({ featureId: "mails", value: 1, idempotencyKey: "k" });
		expect((await ours.check("mails")).currentUsage).toBe(1);
	});

	test("a past time counts in its own period", async () => {
		const ours = await site();
		await ours.advance("2026-03-05T00:00:00Z");
		const [late] = (await ours.report(tokens(4, { createdAt: "2026-02-27T23:59:59.999Z" }))).body.data;
		expect(late).toMatchObject({
			timestamp: "2026-02-27T23:59:59.999Z",
			createdAt: "2026-03-05T00:00:00.000Z",
			currentUsage: 0,
		});
		await ours.report(tokens(2, { createdAt: "2026-02-28T00:00:00Z" }));
		expect((await ours.check("tokens")).currentUsage).toBe(2);
		expect((await ours.report(tokens(1, { createdAt: "2026-03-06T00:00:00Z" }))).status).toBe(201);
		isRefusal(await ours.report(tokens(1, { createdAt: "2026-03-06T00:00:00.001Z" })), 400, "BadUserInput", "24 hours");
	});

	test("a late report from before a SET does not change the set value", async () => {
		const level = async (...order: number[]) => {
			const ours = await site();
			await ours.advance("2026-03-01T00:00:00Z");
			const sent = [
				{ value: 2, createdAt: "2026-02-01T00:00:00Z" },
				{ value: 5, createdAt: "2026-02-10T00:00:00Z", updateBehavior: "SET" },
				{ value: 1, createdAt: "2026-02-20T00:00:00Z" },
			];
			for (const at of order) expect((await ours.report({ featureId: "seats", ...sent[at] })).status).toBe(201);
			const query = "startDate=2026-01-31T00:00:00Z&endDate=2026-03-01T00:00:00Z";
			const { series } = (await ours.call("GET", `/usage/acme/history/seats?${query}`)).body.data;
			return series;
		};
		const inOrder = await level(0, 1, 2);
		expect(inOrder[0].points.at(-1).value).toBe(6);
		for (const order of [
			[1, 0, 2],
			[2, 1, 0],
			[1, 2, 0],
			[2, 0, 1],
		])
			expect(await level(...order)).toEqual(inOrder);
	});

	test("is never refused because of a limit; later checks deny", async () => {
		const ours = await site();
		expect((await ours.report(tokens(25))).body.data[0].currentUsage).toBe(25);
		expect(await ours.check("tokens")).toMatchObject({
			isGranted: false,
			accessDeniedReason: "RequestedUsageExceedingLimit",
			currentUsage: 25,
		});
	});

	test("counts a resource separately; an unknown resource is refused", async () => {
		const ours = await site();
		isRefusal(await ours.report(tokens(1, { resourceId: "site" })), 404, "CustomerResourceNotFound", "site");
	});

	test.each<[string, object, string]>([
		["nothing", { usages: [] }, "body/usages"],
		["101 items", { usages: Array.from({ length: 101 }, () => ({ customerId: "acme", ...tokens(1) })) }, "body/usages"],
		["no value", { usages: [{ customerId: "acme", featureId: "tokens" }] }, "body/usages/0/value"],
		[
			"a value that is text",
			{ usages: [{ customerId: "acme", featureId: "tokens", value: "1" }] },
			"body/usages/0/value",
		],
		[
			"another behaviour",
			{ usages: [{ customerId: "acme", ...tokens(1, { updateBehavior: "ADD" }) }] },
			"updateBehavior",
		],
		[
			"a date without a time",
			{ usages: [{ customerId: "acme", ...tokens(1, { createdAt: "2026-01-01" }) }] },
			"createdAt",
		],
		["an empty key", { usages: [{ customerId: "acme", ...tokens(1, { idempotencyKey: "" }) }] }, "idempotencyKey"],
		[
			"a dimension that is a list",
			{ usages: [{ customerId: "acme", ...tokens(1, { dimensions: { a: [] } }) }] },
			"dimensions",
		],
		["another field", { usages: [{ customerId: "acme", ...tokens(1, { surprise: 1 }) }] }, "surprise"],
	])("refuses %s", async (_, body, where) => {
		const ours = await shared();
		isRefusal(await ours.call("POST", "/usage", { body }), 400, "BadUserInput", where);
	});

	test.each<[string, object, number, string]>([
		["a feature with a meter", { featureId: "calls" }, 400, "CannotReportUsageForEntitlementWithMeterError"],
		["a boolean feature", { featureId: "sso" }, 400, "MeteringNotAvailableForFeatureType"],
		["a number that counts nothing", { featureId: "depth" }, 400, "MeteringNotAvailableForFeatureType"],
		["an unknown feature", { featureId: "none" }, 404, "FeatureNotFound"],
		["a feature the customer never had", { featureId: "unsold" }, 400, "NoFeatureEntitlementInSubscription"],
		["an unknown customer", { featureId: "tokens", customerId: "nobody" }, 404, "CustomerNotFound"],
		["less than nothing", { featureId: "tokens", value: -1 }, 400, "UsageMeasurementDiffOutOfRangeError"],
		[
			"a SET below zero",
			{ featureId: "seats", value: -1, updateBehavior: "SET" },
			400,
			"UsageMeasurementDiffOutOfRangeError",
		],
		["more than a number holds", { featureId: "tokens", value: 1e15 }, 400, "UsageMeasurementDiffOutOfRangeError"],
		["a finer part than any price", { featureId: "tokens", value: 1e-13 }, 400, "UsageMeasurementDiffOutOfRangeError"],
	])("refuses %s", async (_, more, status, code) => {
		const ours = await shared();
		isRefusal(await ours.report({ value: 1, ...more }), status, code);
		expect((await ours.check("tokens")).currentUsage).toBe(0);
	});

	test("accepts late usage of an ended subscription", async () => {
		const ours = await site();
		const body = { cancellationTime: "IMMEDIATE" };
		expect((await ours.call("POST", `/subscriptions/${ours.subscriptionId}/cancel`, { body })).status).toBe(200);
		const [record] = (await ours.report(tokens(2))).body.data;
		expect(record).toMatchObject({ value: 2, currentUsage: null, usagePeriodEnd: null });
	});
});

describe("a meter and reports", () => {
	test("a feature with reports cannot get a meter", async () => {
		const ours = await site();
		const body = { meter: { aggregation: { function: "COUNT" }, filters: [] } };
		await ours.report(tokens(3));
		isRefusal(
			await ours.call("PATCH", "/features/tokens", { body }),
			400,
			"CannotUpdateMeterOfFeatureInUse",
			"reported",
		);
		expect((await ours.check("tokens")).currentUsage).toBe(3);
		expect((await ours.call("PATCH", "/features/mails", { body })).status).toBe(200);
		isRefusal(
			await ours.report({ featureId: "mails", value: 1 }),
			400,
			"CannotReportUsageForEntitlementWithMeterError",
		);
	});
});

describe("the history of reported usage", () => {
	test("covers the time since the last reset, and splits by dimensions", async () => {
		const ours = await site();
		await ours.advance("2026-03-02T00:00:00Z");
		const on = (createdAt: string, value: number, region?: string) =>
			tokens(value, { createdAt, ...(region !== undefined && { dimensions: { region } }) });
		await ours.report(
			on("2026-02-26T10:00:00Z", 3, "eu"),
			on("2026-02-27T10:00:00Z", 1, "us"),
			on("2026-02-28T10:00:00Z", 4, "eu"),
			on("2026-03-01T10:00:00Z", 2),
		);
		const query = "startDate=2026-02-25T00:00:00Z&endDate=2026-03-02T00:00:00Z";
		const history = async (more = "") =>
			(await ours.call("GET", `/usage/acme/history/tokens?${query}${more}`)).body.data;
		const whole = await history();
		expect(whole.markers).toEqual([{ timestamp: "2026-02-28T00:00:00.000Z", type: "PERIODIC_RESET" }]);
		const valuesAt = (series: { points: Array<{ timestamp: string; value: number; isResetPoint: boolean }> }) =>
			Object.fromEntries(series.points.map(({ timestamp, value }) => [timestamp.slice(0, 13), value]));
		const values = valuesAt(whole.series[0]);
		const asked = [
			"2026-02-26T10",
			"2026-02-26T11",
			"2026-02-27T23",
			"2026-02-28T00",
			"2026-02-28T11",
			"2026-03-02T00",
		];
		expect(asked.map((at) => values[at])).toEqual([0, 3, 4, 0, 4, 6]);
		expect(whole.series[0].points.find(({ isResetPoint }: { isResetPoint: boolean }) => isResetPoint).timestamp).toBe(
			"2026-02-28T00:00:00.000Z",
		);
		const split = await history("&groupBy=region");
		const ends = split.series.map(({ tags, points }: { tags: unknown; points: Array<{ value: number }> }) => [
			tags,
			points.at(-1)?.value,
		]);
		expect(ends).toHaveLength(3);
		expect(ends).toEqual(
			expect.arrayContaining([
				[[{ key: "region", value: "eu" }], 4],
				[[{ key: "region", value: "us" }], 0],
				[[{ key: "region", value: "" }], 2],
			]),
		);
	});

	test("continues a level from its earlier value", async () => {
		const ours = await site();
		await ours.advance("2026-03-02T00:00:00Z");
		const seats = (value: number, createdAt: string, team: string) => ({
			featureId: "seats",
			value,
			createdAt,
			dimensions: { team },
		});
		await ours.report(
			seats(3, "2026-02-01T00:00:00Z", "red"),
			seats(1, "2026-03-01T00:00:00Z", "blue"),
			seats(-2, "2026-03-01T12:00:00Z", "red"),
		);
		const query = "startDate=2026-03-01T00:00:00Z&endDate=2026-03-02T00:00:00Z";
		const seriesOf = async (more = "") =>
			(await ours.call("GET", `/usage/acme/history/seats?${query}${more}`)).body.data.series;
		const ends = (one: { points: Array<{ value: number }> }) => [one.points[0]?.value, one.points.at(-1)?.value];
		expect((await seriesOf()).map(ends)).toEqual([[3, 2]]);
		expect((await seriesOf("&groupBy=team")).map(ends)).toEqual([
			[3, 1],
			[0, 1],
		]);
	});
});

let known: Promise<Site> | undefined;
/** A site for refused requests, which change nothing. */
function shared(): Promise<Site> {
	known ??= site();
	return known;
}
