import { describe, expect, test } from "bun:test";
import { changeEnvironment } from "../../../src/areas/access/operations";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import { createFeature, updateFeature } from "../../../src/areas/features/operations";
import type { MeterInput } from "../../../src/areas/features/schema";
import { Aggregator } from "../../../src/areas/usage/counting/aggregator";
import { type Answer, longText, type World, world } from "../../support/world";
import { guard } from "../packages/guards";
import { count, event, named, sumOf } from "./ground";

/** Customers "acme" and "bob", and a metered feature "calls", in our environment. */
async function prepare({ transactions, actor, foreignActor }: World, meter: MeterInput = count): Promise<void> {
	transactions.write(actor, (work) => {
		for (const id of ["acme", "bob@b.example"]) provisionCustomer(work, { id });
		createFeature(work, { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" });
		updateFeature(work, "calls", { meter });
	});
	transactions.write(foreignActor, (work) => {
		provisionCustomer(work, { id: "foreign" });
	});
}

async function site(meter?: MeterInput) {
	const ours = world();
	await prepare(ours, meter);
	const aggregator = new Aggregator({ folder: ours.folder });
	return {
		...ours,
		send: (events: readonly unknown[], key = ours.key) => ours.call("POST", "/events", { body: { events }, key }),
		history: async (query: string, path = "/usage/acme/history/calls", key = ours.key): Promise<Answer> => {
			aggregator.run();
			return ours.call("GET", `${path}?${query}`, { key });
		},
	};
}

guard([{ method: "POST", path: "/events", scope: "USAGE:WRITE", body: { events: [event()] } }], prepare);

function isRefusal(answer: Answer, status: number, code: string | null, message: string): void {
	expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
	expect(Object.keys(answer.body).sort()).toEqual(["code", "message"]);
}

describe("POST /events", () => {
	test.each<[string, object]>([
		["the required fields", {}],
		["a resource", { resourceId: "r1" }],
		["no resource, by null", { resourceId: null }],
		["every kind of dimension", { dimensions: { region: "eu", bytes: 1.5, cached: false, none: "" } }],
		["no dimensions at all", { dimensions: {} }],
		["a past time", { timestamp: "1999-12-31T23:59:59.999Z" }],
		["a time in another zone", { timestamp: "2026-01-31T12:00:00+05:30" }],
		["24 hours ahead", { timestamp: "2026-02-01T00:00:00Z" }],
		["any characters in its name and key", { eventName: 'a "b"\u0000\n', idempotencyKey: "ключ 🔑" }],
	])("takes an event with %s, and answers an empty object", async (_, more) => {
		const { send, woken } = await site();
		const answer = await send([event(more)]);
		expect([answer.status, answer.body]).toEqual([200, { data: {} }]);
		expect(woken).toContain("aggregator");
	});

	const valid = event();
	test.each<[string, unknown, string]>([
		["no body", undefined, "JSON"],
		["no events", {}, "body/events"],
		["events that are no list", { events: event() }, "body/events"],
		["an empty list", { events: [] }, "body/events"],
		[
			"1001 events",
			{ events: Array.from({ length: 1001 }, (_, at) => event({ idempotencyKey: `${at}` })) },
			"body/events",
		],
		["a key in addition to the events", { events: [valid], source: "x" }, "body/source"],
		["an event that is null", { events: [valid, null] }, "body/events/1"],
		["no eventName", { events: [valid, { ...valid, eventName: undefined }] }, "body/events/1/eventName"],
		["an empty eventName", { events: [{ ...valid, eventName: "" }] }, "body/events/0/eventName"],
		["an eventName of 256 characters", { events: [{ ...valid, eventName: longText(256) }] }, "body/events/0/eventName"],
		["no customerId", { events: [{ ...valid, customerId: undefined }] }, "body/events/0/customerId"],
		["a number for customerId", { events: [{ ...valid, customerId: 5 }] }, "body/events/0/customerId"],
		["a customerId with a slash", { events: [{ ...valid, customerId: "a/b" }] }, "body/events/0/customerId"],
		["no idempotencyKey", { events: [{ ...valid, idempotencyKey: undefined }] }, "body/events/0/idempotencyKey"],
		["an empty idempotencyKey", { events: [{ ...valid, idempotencyKey: "" }] }, "body/events/0/idempotencyKey"],
		[
			"half a character in the key",
			{ events: [{ ...valid, idempotencyKey: "\ud800" }] },
			"body/events/0/idempotencyKey",
		],
		["an empty resourceId", { events: [{ ...valid, resourceId: "" }] }, "body/events/0/resourceId"],
		["a number for resourceId", { events: [{ ...valid, resourceId: 1 }] }, "body/events/0/resourceId"],
		["a date without a time", { events: [valid, { ...valid, timestamp: "2026-01-31" }] }, "body/events/1/timestamp"],
		["the 30th of February", { events: [{ ...valid, timestamp: "2026-02-30T00:00:00Z" }] }, "body/events/0/timestamp"],
		["a time without a zone", { events: [{ ...valid, timestamp: "2026-01-31T00:00:00" }] }, "body/events/0/timestamp"],
		["a time as a number", { events: [{ ...valid, timestamp: 1769817600000 }] }, "body/events/0/timestamp"],
		["a time more than 24 hours ahead", { events: [{ ...valid, timestamp: "2026-02-01T00:00:00.001Z" }] }, "24 hours"],
		["dimensions that are a list", { events: [{ ...valid, dimensions: [] }] }, "body/events/0/dimensions"],
		["a dimension that is null", { events: [{ ...valid, dimensions: { a: null } }] }, "body/events/0/dimensions/a"],
		["a dimension that is an object", { events: [{ ...valid, dimensions: { a: {} } }] }, "body/events/0/dimensions/a"],
		[
			"an infinite dimension",
			'{"events":[{"eventName":"a","customerId":"acme","idempotencyKey":"k","dimensions":{"a":1e999}}]}',
			"dimensions/a",
		],
		["an unknown key in an event", { events: [{ ...valid, time: 1 }] }, "body/events/0/time"],
		["JSON nested a hundred thousand deep", `{"events":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "body"],
	])("refuses %s with 400, naming index and field, and keeps nothing of the request", async (_, body, message) => {
		const { call, history } = await site();
		isRefusal(await call("POST", "/events", { body }), 400, "BadUserInput", message);
		const stored = await history("startDate=2020-01-01T00:00:00Z&endDate=2026-02-02T00:00:00Z");
		expect(stored.body.data.series[0].points.at(-1).value).toBe(0);
	});

	test("refuses unknown customers with 404, names the first ten indexes, and stores nothing", async () => {
		const { send, history } = await site();
		const strangers = Array.from({ length: 12 }, (_, at) => event({ customerId: `no-${at}` }));
		const answer = await send([event(), ...strangers]);
		const { message } = answer.body;
		isRefusal(answer, 404, "CustomerNotFound", "events[10] 'no-9' and 2 more");
		expect(message).toContain("events[1] 'no-0'");
		expect(message).not.toContain("events[11]");
		expect((await history("startDate=2026-01-30T00:00:00Z")).body.data.series[0].points.at(-1).value).toBe(0);
	});

	test("does not know the customers of another environment", async () => {
		const { send, foreignKey } = await site();
		isRefusal(await send([event({ customerId: "foreign" })]), 404, "CustomerNotFound", "foreign");
		isRefusal(await send([event()], foreignKey), 404, "CustomerNotFound", "acme");
	});

	test("accepts events of unknown customers if the environment does, and counts them once the customer exists", async () => {
		const { send, history, transactions, actor, environmentId } = await site();
		isRefusal(await send([event({ customerId: "later" })]), 404, "CustomerNotFound", "later");
		transactions.write(actor, (work) => {
			changeEnvironment(work, environmentId, { unknownCustomers: "accept" });
		});
		for (let round = 0; round < 2; round += 1)
			expect((await send([event({ customerId: "later", timestamp: "2026-01-30T05:00:00Z" })])).status).toBe(200);
		const path = "/usage/later/history/calls";
		isRefusal(await history("startDate=2026-01-30T00:00:00Z", path), 404, "CustomerNotFound", "later");
		transactions.write(actor, (work) => {
			provisionCustomer(work, { id: "later" });
		});
		expect((await send([event({ customerId: "later" })])).status).toBe(200);
		expect((await history("startDate=2026-01-30T00:00:00Z", path)).body.data.series[0].points.at(-1).value).toBe(1);
	});

	test("takes 1000 events, and an event of almost 1 MiB", async () => {
		const { send, history } = await site();
		const many = Array.from({ length: 1000 }, (_, at) =>
			event({ idempotencyKey: `${at}`, timestamp: "2026-01-30T00:00:01Z" }),
		);
		expect((await send(many)).status).toBe(200);
		expect(
			(await send([event({ idempotencyKey: "large", dimensions: { text: longText(1024 * 1024 - 200) } })])).status,
		).toBe(200);
		expect((await history("startDate=2026-01-30T00:00:00Z")).body.data.series[0].points.at(-1).value).toBe(1000);
	});

	test("refuses an event over 1 MiB with 413, and a body over 8 MiB", async () => {
		const { send, call } = await site();
		const large = event({ idempotencyKey: "large", dimensions: { text: longText(1024 * 1024) } });
		isRefusal(await send([event(), large]), 413, null, "events/1");
		isRefusal(await call("POST", "/events", { body: longText(8 * 1024 * 1024 + 1) }), 413, null, "8388608");
	});

	test("replays the answer under an Idempotency-Key", async () => {
		const { call } = await site();
		const headers = { "idempotency-key": "once" };
		await call("POST", "/events", { body: { events: [event()] }, headers });
		const again = await call("POST", "/events", { body: { events: [event()] }, headers });
		expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([200, { data: {} }, "true"]);
	});
});

describe("GET /usage/{customerId}/history/{featureId}", () => {
	const hour = (time: string, more: object = {}) =>
		event({ idempotencyKey: time, timestamp: `2026-01-30T${time}Z`, ...more });

	test("shows the running total over time", async () => {
		const { send, history } = await site();
		await send([hour("00:30:00"), hour("02:00:00"), hour("02:59:59.999"), hour("03:00:00")]);
		const answer = await history("startDate=2026-01-30T00:00:00Z&endDate=2026-01-30T03:00:00Z");
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({
			data: {
				markers: [],
				series: [
					{
						tags: [],
						points: [0, 1, 1, 3].map((value, at) => ({
							timestamp: `2026-01-30T0${at}:00:00.000Z`,
							value,
							isResetPoint: false,
						})),
					},
				],
			},
		});
	});

	test("ends now without an end date", async () => {
		const { history } = await site();
		const { points } = (await history("startDate=2026-01-30T23:00:00Z")).body.data.series[0];
		expect(points.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
			"2026-01-30T23:00:00.000Z",
			"2026-01-31T00:00:00.000Z",
		]);
	});

	test("is separate for each resource; an empty id means none", async () => {
		const { send, history } = await site();
		await send([hour("01:00:00"), hour("01:00:00", { resourceId: "r1" }), hour("02:00:00", { resourceId: "r1" })]);
		const last = async (query: string) =>
			(await history(`startDate=2026-01-30T00:00:00Z&${query}`)).body.data.series[0].points.at(-1).value;
		expect([
			await last(""),
			await last("resourceId="),
			await last("resourceId=r1"),
			await last("resourceId=r2"),
		]).toEqual([1, 1, 2, 0]);
	});

	test("splits by dimension, and the series add up", async () => {
		const { send, history } = await site({ ...sumOf("bytes"), filters: [named("api.call")] });
		await send([
			hour("00:10:00", { dimensions: { bytes: 0.1, region: "eu" } }),
			hour("00:20:00", { dimensions: { bytes: "0.2", region: "eu" } }),
			hour("01:20:00", { dimensions: { bytes: 5, region: "us" } }),
			hour("01:30:00", { dimensions: { bytes: 7 } }),
			hour("01:40:00", { eventName: "login", dimensions: { bytes: 100, region: "eu" } }),
		]);
		const range = "startDate=2026-01-30T00:00:00Z&endDate=2026-01-30T02:00:00Z";
		const { series } = (await history(`${range}&groupBy=region`)).body.data;
		const values = Object.fromEntries(
			series.map((one: { tags: Array<{ value: string }>; points: Array<{ value: number }> }) => [
				one.tags.map(({ value }) => value).join(),
				one.points.map(({ value }) => value),
			]),
		);
		expect(values).toEqual({ eu: [0, 0.3, 0.3], us: [0, 0, 5], "": [0, 0, 7] });
		expect(series[0].tags).toEqual([{ key: "region", value: "eu" }]);
		const whole = (await history(range)).body.data.series[0].points;
		expect(whole.map(({ value }: { value: number }) => value)).toEqual([0, 0.3, 12.3]);
	});

	test("a feature without usage has a series of zeros", async () => {
		const { history } = await site();
		const { series } = (await history("startDate=2026-01-30T22:00:00Z")).body.data;
		expect(series[0].points.map(({ value }: { value: number }) => value)).toEqual([0, 0, 0]);
	});

	test.each([
		["no startDate", "", "startDate"],
		["a date for startDate", "startDate=2026-01-30", "startDate"],
		["an end before the start", "startDate=2026-01-30T00:00:00Z&endDate=2026-01-29T00:00:00Z", "startDate"],
		["a start that is now", "startDate=2026-01-31T00:00:00Z", "startDate"],
		["four dimensions", "startDate=2026-01-30T00:00:00Z&groupBy=a,b,c,d", "groupBy"],
		["an unknown parameter", "startDate=2026-01-30T00:00:00Z&from=1", "from"],
		["a period beyond all bounds", "startDate=1926-01-30T00:00:00Z", "7000 days"],
	])("refuses %s with 400", async (_, query, message) => {
		const { history } = await site();
		isRefusal(await history(query), 400, "BadUserInput", message);
	});

	test("requires authentication, the scope, and more than a publishable key", async () => {
		const { call, history, scopedKey, publishableKey, expiredKey } = await site();
		const path = "/usage/acme/history/calls";
		const query = "startDate=2026-01-30T00:00:00Z";
		expect((await history(query, path, scopedKey("USAGE:READ"))).status).toBe(200);
		isRefusal(await history(query, path, scopedKey("CUSTOMER:WRITE")), 403, "AccessDeniedError", "USAGE:READ");
		isRefusal(await history(query, path, publishableKey), 403, "IdentityForbidden", "");
		isRefusal(await history("", path, expiredKey()), 401, "Unauthenticated", "");
		isRefusal(await history("", path, ""), 401, "Unauthenticated", "");
		isRefusal(await call("POST", path, { body: {} }), 405, null, "GET");
	});

	test.each(["-x", "a%20b", "x".repeat(256)])("requires ids of the interface's pattern: %s", async (id) => {
		const { history } = await site();
		const query = "startDate=2026-01-30T00:00:00Z";
		isRefusal(await history(query, `/usage/${id}/history/calls`), 400, "BadUserInput", "customerId");
		isRefusal(await history(query, `/usage/acme/history/${id}`), 400, "BadUserInput", "featureId");
	});

	test("knows only the customers and features of its environment", async () => {
		const { history, foreignKey } = await site();
		const query = "startDate=2026-01-30T00:00:00Z";
		isRefusal(await history(query, "/usage/acme/history/no-feature"), 404, "FeatureNotFound", "no-feature");
		isRefusal(await history(query, "/usage/foreign/history/calls"), 404, "CustomerNotFound", "foreign");
		isRefusal(await history(query, "/usage/acme/history/calls", foreignKey), 404, "CustomerNotFound", "acme");
		isRefusal(await history(query, "/usage/foreign/history/calls", foreignKey), 404, "FeatureNotFound", "calls");
	});
});
