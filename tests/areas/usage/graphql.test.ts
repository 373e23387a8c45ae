import { describe, expect, test } from "bun:test";
import { ask, codes, data } from "../../graphql/ask";
import { site } from "../entitlements/consumption/site";

const measured = `{ __typename id measurementId customerId featureId resourceId value currentUsage usagePeriodStart usagePeriodEnd
	nextResetDate timestamp createdAt credit { currencyId currentUsage timestamp usagePeriodEnd } }`;
const create = `mutation CreateUsageMeasurement($usageMeasurement: UsageMeasurementCreateInput!) {
	createUsageMeasurement(usageMeasurement: $usageMeasurement) { id } }`;
const report = `mutation ReportUsage($input: ReportUsageInput!) { reportUsage(input: $input) ${measured} }`;
const bulk = `mutation ReportUsageBulk($input: ReportUsagesInput!) { reportUsageBulk(input: $input) ${measured} }`;
const events = "mutation ReportEvent($input: UsageEventsReportInput!) { reportEvent(events: $input) }";

const tokens = { customerId: "acme", featureId: "tokens" };

describe("usage that is reported", () => {
	test("is answered as by REST, and a check sees it", async () => {
		const [one, other] = [await site(), await site()];
		const sent = { value: 3, idempotencyKey: "k", dimensions: { id: "x", currency: "USD" } };
		const [rest] = (await other.report({ featureId: "tokens", ...sent })).body.data;
		const { reportUsage } = await data(one, report, { input: { ...tokens, ...sent, environmentId: "any" } });
		expect(reportUsage).toEqual({
			...rest,
			__typename: "UsageMeasurement",
			id: expect.any(String),
			measurementId: reportUsage.id,
		});
		expect((await one.check("tokens")).currentUsage).toBe(3);
		const list = "/usage/acme/reports/tokens";
		const [kept] = (await one.call("GET", list)).body.data;
		expect(kept.dimensions).toEqual(sent.dimensions);
	});

	test("by the first release's name, and at a time of its own", async () => {
		const ours = await site();
		const usageMeasurement = { ...tokens, value: 2, createdAt: "2026-01-31T00:00:00.000Z" };
		const { createUsageMeasurement } = await data(ours, create, { usageMeasurement });
		expect(createUsageMeasurement.id).toEqual(expect.any(String));
		expect((await ours.check("tokens")).currentUsage).toBe(2);
		const ahead = { ...usageMeasurement, createdAt: "2026-02-02T00:00:00.000Z" };
		expect(codes(await ask(ours, create, { usageMeasurement: ahead }))).toEqual(["BadUserInput"]);
	});

	test("many at once: all of them or none, in order", async () => {
		const ours = await site();
		const usages = [
			{ ...tokens, value: 4 },
			{ ...tokens, value: 1, updateBehavior: "SET" },
		];
		const { reportUsageBulk } = await data(ours, bulk, { input: { usages } });
		expect(reportUsageBulk.map(({ currentUsage }: { currentUsage: number }) => currentUsage)).toEqual([4, 1]);
		const refused = await ask(ours, bulk, {
			input: { usages: [...usages, { ...tokens, featureId: "none", value: 1 }] },
		});
		expect([refused.data, codes(refused)]).toEqual([{ reportUsageBulk: null }, ["FeatureNotFound"]]);
		expect((await ours.check("tokens")).currentUsage).toBe(1);
		const tooMany = Array.from({ length: 101 }, () => usages[0]);
		expect(codes(await ask(ours, bulk, { input: { usages: tooMany } }))).toEqual(["BadUserInput"]);
	});

	test("is refused as by REST", async () => {
		const ours = await site();
		const code = async (change: object, key = ours.key) =>
			codes(await ask(ours, report, { input: { ...tokens, value: 1, ...change } }, { key }));
		expect(await code({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await code({ resourceId: "nowhere" })).toEqual(["CustomerResourceNotFound"]);
		expect(await code({ featureId: "unsold" })).toEqual(["NoFeatureEntitlementInSubscription"]);
		expect(await code({ featureId: "calls" })).toEqual(["CannotReportUsageForEntitlementWithMeterError"]);
		expect(await code({ value: -1 })).toEqual(["UsageMeasurementDiffOutOfRangeError"]);
		expect(await code({ dimensions: { a: [1] } })).toEqual(["BadUserInput"]);
		expect(await code({ later: 1 })).toEqual(["BadUserInput"]);
		expect(await code({}, ours.scopedKey("USAGE:READ"))).toEqual(["AccessDeniedError"]);
		expect(await code({}, ours.foreignKey)).toEqual(["CustomerNotFound"]);
	});
});

describe("events", () => {
	const event = { eventName: "call", customerId: "acme", idempotencyKey: "e1", dimensions: { id: 1, currency: "USD" } };

	test("come in by either name of the argument, and count once", async () => {
		const ours = await site();
		const usageEvents = [event, { ...event, idempotencyKey: "e2", timestamp: "2026-01-31T00:00:00.000Z" }];
		expect(await data(ours, events, { input: { usageEvents } })).toEqual({ reportEvent: true });
		const other = events.replace("events: $input", "input: $input");
		expect(await data(ours, other, { input: { usageEvents } })).toEqual({ reportEvent: true });
		ours.countUsage();
		expect((await ours.check("calls")).currentUsage).toBe(2);
		const [kept] = (await ours.call("GET", "/events")).body.data;
		expect(kept.dimensions).toEqual(event.dimensions);
	});

	test("are refused as by REST, and without the argument", async () => {
		const ours = await site();
		const refused = async (input: object, key = ours.key) => {
			const body = await ask(ours, events, { input }, { key });
			return [body.data, codes(body)];
		};
		const none = { reportEvent: null };
		expect(await refused({ usageEvents: [] })).toEqual([none, ["BadUserInput"]]);
		expect(await refused({ usageEvents: [{ ...event, customerId: "nobody" }] })).toEqual([none, ["CustomerNotFound"]]);
		expect(await refused({ usageEvents: [{ ...event, dimensions: { a: [1] } }] })).toEqual([none, ["BadUserInput"]]);
		expect(await refused({ usageEvents: [event] }, ours.scopedKey("CUSTOMER:WRITE"))).toEqual([
			none,
			["AccessDeniedError"],
		]);
		const missing = await ask(ours, "mutation { reportEvent }");
		expect([missing.data, codes(missing), missing.errors[0].path]).toEqual([none, ["BadUserInput"], ["reportEvent"]]);
	});

	test("stand though a field next to them is refused", async () => {
		const ours = await site();
		const body = await ask(
			ours,
			`mutation ($input: UsageEventsReportInput!) { reportEvent(events: $input)
				reportUsage(input: { customerId: "acme", featureId: "none", value: 1 }) { id } __typename }`,
			{ input: { usageEvents: [event] } },
		);
		expect([body.data, codes(body)]).toEqual([
			{ reportEvent: true, reportUsage: null, __typename: "Mutation" },
			["FeatureNotFound"],
		]);
	});
});

describe("the history", () => {
	const query = `query ($one: UsageHistoryInput!, $two: UsageHistoryV2Input!) {
		usageHistory(usageHistoryInput: $one) { usageMeasurements { date value isResetPoint } }
		usageHistoryV2(input: $two) { markers { type timestamp } series { tags { key value } points { timestamp value isResetPoint } } } }`;
	const period = { startDate: "2026-01-30T20:00:00.000Z", endDate: "2026-01-31T01:00:00.000Z" };

	test("is that of REST, in both forms", async () => {
		const ours = await site();
		await ours.report({ ...tokens, value: 3, dimensions: { team: "red" } });
		const rest = (
			await ours.call(
				"GET",
				`/usage/acme/history/tokens?startDate=${period.startDate}&endDate=${period.endDate}&groupBy=team`,
			)
		).body.data;
		const { usageHistory, usageHistoryV2 } = await data(ours, query, {
			one: { customerRefId: "acme", featureRefId: "tokens", ...period },
			two: { ...tokens, ...period, groupBy: ["team"] },
		});
		expect(usageHistoryV2).toEqual(rest);
		expect(usageHistoryV2.series).toMatchObject([{ tags: [{ key: "team", value: "red" }] }]);
		expect(usageHistory.usageMeasurements.at(-1)).toEqual({ date: period.endDate, value: 3, isResetPoint: false });
	});

	test("is refused as by REST", async () => {
		const ours = await site();
		const two = { ...tokens, ...period };
		const code = async (change: object, key = ours.key) =>
			codes(
				await ask(
					ours,
					"query ($two: UsageHistoryV2Input!) { usageHistoryV2(input: $two) { series { tags { key } } } }",
					{ two: { ...two, ...change } },
					{ key },
				),
			);
		expect(await code({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await code({ featureId: "none" })).toEqual(["FeatureNotFound"]);
		expect(await code({ endDate: period.startDate })).toEqual(["BadUserInput"]);
		expect(await code({ groupBy: ["a", "b", "c", "d"] })).toEqual(["BadUserInput"]);
		expect(await code({}, ours.scopedKey("CUSTOMER:READ"))).toEqual(["AccessDeniedError"]);
		expect(await code({}, ours.foreignKey)).toEqual(["CustomerNotFound"]);
	});
});

test("checks that clients have decided are taken, in batches, and do nothing", async () => {
	const ours = await site();
	const body = {
		operationName: "ReportEntitlementCheckRequested",
		query: `mutation ReportEntitlementCheckRequested($entitlementCheckRequested: EntitlementCheckRequested!) {
			reportEntitlementCheckRequested(entitlementCheckRequested: $entitlementCheckRequested) }`,
		variables: {
			entitlementCheckRequested: {
				...tokens,
				requestedUsage: 1,
				entitlementCheckResult: { hasAccess: true, currentUsage: 0, usageLimit: 10, resetPeriod: "MONTH" },
			},
		},
	};
	const answer = await ours.call("POST", "/graphql", { body: Array.from({ length: 25 }, () => body) });
	expect(answer.body).toEqual(Array.from({ length: 25 }, () => ({ data: { reportEntitlementCheckRequested: true } })));
	expect((await ours.check("tokens")).currentUsage).toBe(0);
});
