import { describe, expect, test } from "bun:test";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { type Answer, type CallOptions, longText, type World, world } from "../../../support/world";

const ndjson = "application/x-ndjson";
const cloudEvent = "application/cloudevents+json";
const cloudEvents = "application/cloudevents-batch+json";

function site() {
	const ours = world();
	ours.transactions.write(ours.actor, (work) => {
		for (const id of ["acme", "bob@b.example"]) provisionCustomer(work, { id });
	});
	return {
		...ours,
		send: (type: string, body: unknown, options: CallOptions = {}): Promise<Answer> =>
			ours.call("POST", "/events", { body, headers: { "content-type": type }, ...options }),
		logged: () => logged(ours),
	};
}

/** Returns all events of the log, the oldest first, with the fields that were sent. */
async function logged({ call, countUsage }: World) {
	countUsage();
	const { data } = (await call("GET", "/events?limit=100")).body;
	return data
		.map(({ id: _, canceledAt: __, meters: ___, ...event }: Record<string, unknown>) => event)
		.reverse() as Array<Record<string, unknown>>;
}

function isRefusal(answer: Answer, status: number, code: string | null, message: string): void {
	expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(message) } });
}

const ce = (more: object = {}): object => ({
	specversion: "1.0",
	id: "1",
	source: "/gateway",
	type: "api.call",
	subject: "acme",
	...more,
});

describe("CloudEvents on POST /events", () => {
	test("becomes an event by type, subject, source and id, time, resource and data", async () => {
		const { send, logged } = site();
		const event = ce({
			time: "2026-01-30T12:00:00.123456Z",
			resourceid: "r1",
			datacontenttype: "application/json; charset=utf-8",
			data: { bytes: 1.5, region: "eu", cached: true },
			traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
			dataschema: "https://schemas.example/call",
		});
		expect(await send(cloudEvent, event)).toMatchObject({ status: 200, body: { data: {} } });
		expect(await logged()).toEqual([
			{
				eventName: "api.call",
				customerId: "acme",
				resourceId: "r1",
				idempotencyKey: "/gateway 1",
				timestamp: "2026-01-30T12:00:00.123Z",
				dimensions: { bytes: 1.5, region: "eu", cached: true },
			},
		]);
	});

	test("accepts a batch as a whole; the same source and id count once, another source is another event", async () => {
		const { send, logged } = site();
		expect(
			(await send(cloudEvents, [ce(), ce({ source: "/other" }), ce({ time: "2026-01-30T00:00:00Z" })])).status,
		).toBe(200);
		expect((await send(`${cloudEvents}; charset=utf-8`, [ce()])).status).toBe(200);
		expect((await logged()).map(({ idempotencyKey }) => idempotencyKey)).toEqual(["/gateway 1", "/other 1"]);
	});

	test.each<[string, object, string]>([
		["another version", { specversion: "0.3" }, "body/1/specversion: must be '1.0'"],
		["no version", { specversion: undefined }, "body/1/specversion"],
		["no id", { id: undefined }, "body/1/id"],
		["an id that is a number", { id: 5 }, "body/1/id"],
		["an id that is too long with its source", { id: longText(247) }, "body/1/id: may have at most 254"],
		["no source", { source: undefined }, "body/1/source"],
		["a blank in its source", { source: "a b" }, "body/1/source"],
		["no type", { type: undefined }, "body/1/type"],
		["no subject", { subject: undefined }, "body/1/subject"],
		["a subject that is no id", { subject: "a/b" }, "body/1/subject"],
		["a time without a zone", { time: "2026-01-30T00:00:00" }, "body/1/time: must be an ISO 8601"],
		["a time that is null", { time: null }, "body/1/time"],
		["a time more than a day ahead", { time: "2026-02-02T00:00:00Z" }, "body/1/time: lies more than 24 hours"],
		["a resource that is no id", { resourceid: "" }, "body/1/resourceid"],
		["data that is a text", { data: "text" }, "body/1/data"],
		["data that nests", { data: { a: { b: 1 } } }, "body/1/data/a: must be a string, a number or a boolean"],
		["binary data", { data_base64: "AAAA" }, "body/1/data_base64"],
		["data of another type", { datacontenttype: "text/xml", data: {} }, "body/1/datacontenttype"],
	])("refuses a batch with an event that has %s, naming its attribute, and keeps nothing", async (_, more, message) => {
		const { send, logged } = site();
		isRefusal(await send(cloudEvents, [ce(), ce({ id: "2", ...more })]), 400, "BadUserInput", message);
		expect(await logged()).toEqual([]);
	});

	test.each<[string, string, unknown, string]>([
		["no list", cloudEvents, ce(), "must be a list"],
		["an empty list", cloudEvents, [], "1 to 1000"],
		["1001 events", cloudEvents, Array.from({ length: 1001 }, (_, at) => ce({ id: `${at}` })), "1 to 1000"],
		["malformed JSON", cloudEvents, "[{]", "JSON"],
		["a list where one is meant", cloudEvent, [ce()], "must be a CloudEvent"],
		["null", cloudEvent, "null", "must be a CloudEvent"],
	])("refuses %s", async (_, type, body, message) => {
		isRefusal(await site().send(type, body), 400, "BadUserInput", message);
	});

	test("unknown customers refuse the whole batch", async () => {
		const { send, logged } = site();
		isRefusal(await send(cloudEvents, [ce(), ce({ id: "2", subject: "nobody" })]), 404, "CustomerNotFound", "nobody");
		expect(await logged()).toEqual([]);
	});
});

describe("NDJSON on POST /events", () => {
	const line = (more: object = {}): string =>
		JSON.stringify({ eventName: "api.call", customerId: "acme", idempotencyKey: "1", ...more });

	test("accepts an event on each line, with or without a final line break, and skips empty lines", async () => {
		const { send, logged } = site();
		const body = `${line()}\r\n\n${line({ idempotencyKey: "2", timestamp: "2026-01-30T00:00:00Z" })}\n`;
		expect(await send(ndjson, body)).toMatchObject({ status: 200, body: { data: {} } });
		expect(await logged()).toMatchObject([{ idempotencyKey: "1" }, { idempotencyKey: "2" }]);
	});

	test("accepts 10000 lines, and refuses the whole body with one more", async () => {
		const { send, countUsage, db } = site();
		const lines = Array.from({ length: 10_001 }, (_, at) => line({ idempotencyKey: `${at}` }));
		isRefusal(await send(ndjson, lines.join("\n")), 400, "BadUserInput", "more than 10000 events");
		expect((await send(ndjson, lines.slice(1).join("\n"))).status).toBe(200);
		countUsage();
		const stored = db.$client.query<{ events: number }, []>("SELECT sum(events) AS events FROM event_blocks").get();
		expect(stored).toEqual({ events: 10_000 });
	});

	test.each<[string, string, string]>([
		["malformed JSON", "{", "body, line 3: is not valid JSON"],
		["what is no object", "5", "body, line 3"],
		["a key that is unknown", line({ surprise: 1 }), "body, line 3/surprise"],
		["no customer", line({ customerId: undefined }), "body, line 3/customerId"],
		["a time that is none", line({ timestamp: "yesterday" }), "body, line 3/timestamp"],
	])("refuses all for a line that holds %s, and names the line", async (_, bad, message) => {
		const { send, logged } = site();
		isRefusal(
			await send(ndjson, `${line()}\n\n${bad}\n${line({ idempotencyKey: "2" })}`),
			400,
			"BadUserInput",
			message,
		);
		expect(await logged()).toEqual([]);
	});

	test("refuses an event over 1 MiB with 413, naming its line, and a body without any event", async () => {
		const { send } = site();
		const large = line({ dimensions: { text: longText(1024 * 1024) } });
		isRefusal(await send(ndjson, `${line()}\n${large}`), 413, null, "body, line 2");
		isRefusal(await send(ndjson, "\n \n"), 400, "BadUserInput", "holds none");
	});
});

test("refuses another content type, and names the accepted ones", async () => {
	const { status, body } = await site().send("text/csv", "a,b");
	expect([status, body.code]).toEqual([400, "BadUserInput"]);
	for (const type of ["application/json", cloudEvents, cloudEvent, ndjson]) expect(body.message).toContain(`'${type}'`);
});

describe("POST /v1/metrics (OTLP/HTTP in JSON)", () => {
	const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
	const point = (more: object = {}) => ({
		asInt: "3",
		startTimeUnixNano: "1769774400000000000",
		timeUnixNano: "1769774460123456789",
		attributes: [attribute("region", "eu")],
		...more,
	});
	const sum = (points: readonly object[], more: object = {}) => ({
		name: "api.call",
		unit: "1",
		sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints: points, ...more },
	});
	const request = (metrics: readonly object[], resource = [attribute("tollgate.customer.id", "acme")]) => ({
		resourceMetrics: [
			{ resource: { attributes: resource }, scopeMetrics: [{ scope: { name: "app", version: "1" }, metrics }] },
		],
	});
	const post = ({ call }: World, body: unknown, options: CallOptions = {}) =>
		call("POST", "/v1/metrics", { body, ...options });

	test("a point of a delta sum becomes an event with the metric's name, its attributes and its value", async () => {
		const ours = site();
		expect(await post(ours, request([sum([point()])]))).toMatchObject({ status: 200, body: {} });
		expect(await ours.logged()).toEqual([
			{
				eventName: "api.call",
				customerId: "acme",
				resourceId: null,
				idempotencyKey: expect.stringMatching(/^otlp-[\w-]{43}$/),
				timestamp: "2026-01-30T12:01:00.123Z",
				dimensions: { region: "eu", value: 3 },
			},
		]);
	});

	test("a repeated point counts once; another time, attribute or metric is another point", async () => {
		const ours = site();
		const first = request([sum([point()])]);
		for (let round = 0; round < 2; round += 1) await post(ours, first);
		await post(ours, request([sum([point({ timeUnixNano: "1769774520000000000" })])]));
		await post(ours, request([sum([point({ attributes: [attribute("region", "us")] })])]));
		await post(ours, request([{ ...sum([point()]), name: "other" }]));
		expect(await ours.logged()).toHaveLength(4);
		// The same measurement in another form: attributes have no order.
		const two = [attribute("a", "1"), attribute("b", "2")];
		await post(ours, request([sum([point({ attributes: two })])]));
		await post(ours, request([sum([point({ attributes: two.toReversed() })])]));
		expect(await ours.logged()).toHaveLength(5);
	});

	test("a histogram becomes an event with its count, sum, least and greatest value", async () => {
		const ours = site();
		const each = { startTimeUnixNano: "1", timeUnixNano: "1769774460000000000", count: "4", sum: 10.5, min: 1, max: 5 };
		const metrics = [
			{ name: "latency", histogram: { aggregationTemporality: "AGGREGATION_TEMPORALITY_DELTA", dataPoints: [each] } },
			{ name: "sizes", exponentialHistogram: { aggregationTemporality: 1, dataPoints: [{ ...each, sum: undefined }] } },
		];
		expect((await post(ours, request(metrics))).body).toEqual({});
		expect((await ours.logged()).map(({ eventName, dimensions }) => [eventName, dimensions])).toEqual([
			["latency", { count: 4, sum: 10.5, min: 1, max: 5 }],
			["sizes", { count: 4, min: 1, max: 5 }],
		]);
	});

	test("takes the customer and the resource from the point, otherwise from its resource; dimensions keep their type", async () => {
		const ours = site();
		const attributes = [
			attribute("customer.id", "bob@b.example"),
			attribute("tollgate.resource.id", "r1"),
			{ key: "n", value: { intValue: "9007199254740993" } },
			{ key: "ok", value: { boolValue: true } },
			{ key: "rate", value: { doubleValue: 0.5 } },
			{ key: "list", value: { arrayValue: { values: [{ stringValue: "a" }] } } },
		];
		await post(ours, request([sum([point({ attributes, asInt: undefined, asDouble: -1.5 })], { isMonotonic: false })]));
		await post(ours, request([sum([point({ attributes })])], [attribute("customer.id", "acme")]));
		expect(await ours.logged()).toMatchObject([
			{
				customerId: "bob@b.example",
				resourceId: "r1",
				dimensions: {
					n: "9007199254740993",
					ok: true,
					rate: 0.5,
					list: '{"arrayValue":{"values":[{"stringValue":"a"}]}}',
					value: -1.5,
				},
			},
			{ customerId: "bob@b.example" },
		]);
	});

	test.each<[string, object, string]>([
		["cumulative temporality", sum([point()], { aggregationTemporality: 2 }), "cumulativetodelta"],
		["no temporality", sum([point()], { aggregationTemporality: 0 }), "cumulativetodelta"],
		["a gauge", { name: "g", gauge: { dataPoints: [point()] } }, "'g' is a gauge"],
		["a summary", { name: "s", summary: { dataPoints: [point()] } }, "'s' is a summary"],
		["no number", sum([point({ asInt: undefined, asDouble: "NaN" })]), "finite number"],
		["no time", sum([point({ timeUnixNano: undefined })]), "timeUnixNano"],
		["a time more than a day ahead", sum([point({ timeUnixNano: "1770000000000000000" })]), "24 hours ahead"],
		["a customer that is no id", sum([point({ attributes: [attribute("customer.id", "a b")] })]), "customerId"],
		["a customer that does not exist", sum([point({ attributes: [attribute("customer.id", "who")] })]), "'who'"],
	])("leaves out a point with %s, tells it as a partial success, and takes the others", async (_, metric, reason) => {
		const ours = site();
		const answer = await post(ours, request([metric, sum([point()])], [attribute("customer.id", "acme")]));
		expect(answer).toMatchObject({
			status: 200,
			body: { partialSuccess: { rejectedDataPoints: "1", errorMessage: expect.stringContaining(reason) } },
		});
		expect(await ours.logged()).toMatchObject([{ eventName: "api.call", dimensions: { value: 3 } }]);
	});

	test("reports a missing attribute of many points once, and skips points without a value", async () => {
		const ours = site();
		const nobody = request([sum([point(), point({ timeUnixNano: "1769774400000000000" }), point({ flags: 1 })])], []);
		const { partialSuccess } = (await post(ours, nobody)).body;
		expect(partialSuccess.rejectedDataPoints).toBe("2");
		expect(partialSuccess.errorMessage.match(/tollgate\.customer\.id/g)).toHaveLength(1);
	});

	test("reads only JSON, names the setting to change, and accepts an empty request", async () => {
		const ours = site();
		isRefusal(
			await post(ours, "\u0000", { headers: { "content-type": "application/x-protobuf" } }),
			415,
			null,
			"encoding: json",
		);
		isRefusal(await post(ours, "x", { headers: { "content-encoding": "gzip" } }), 415, null, "compression: none");
		isRefusal(await post(ours, "{"), 400, "BadUserInput", "JSON");
		expect(await post(ours, {})).toMatchObject({ status: 200, body: {} });
	});

	test("requires authentication and the scope of events", async () => {
		const ours = site();
		const body = request([sum([point()])]);
		isRefusal(await post(ours, body, { key: "" }), 401, "Unauthenticated", "");
		isRefusal(await post(ours, body, { key: ours.scopedKey("USAGE:READ") }), 403, "AccessDeniedError", "USAGE:WRITE");
		isRefusal(await post(ours, body, { key: ours.publishableKey }), 403, "IdentityForbidden", "");
		expect((await post(ours, body, { key: ours.scopedKey("USAGE:WRITE") })).status).toBe(200);
		// Customers of another environment do not exist here.
		expect((await post(ours, body, { key: ours.foreignKey })).body.partialSuccess.rejectedDataPoints).toBe("1");
	});
});
