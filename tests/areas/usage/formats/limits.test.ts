import { describe, expect, spyOn, test } from "bun:test";
import { readMetrics } from "../../../../src/areas/usage/formats/otlp";
import type { EventFormat } from "../../../../src/areas/usage/formats/schema";
import { IngestQueue } from "../../../../src/areas/usage/ingest/ingest-queue";
import { checkEvents, checkInSteps } from "../../../../src/areas/usage/log/event-check";
import { testNow } from "../../../support/world";
import { event, ground, textOf } from "../ground";

const eightMebibytes = 8 * 1024 * 1024;
/** Repeats `one` as often as the largest body fits. */
const filled = (start: string, one: string, end = ""): string =>
	start + one.repeat(Math.floor((eightMebibytes - start.length - end.length) / one.length)) + end;

const outcome = (format: EventFormat, text: string): string => {
	const checked = checkEvents(text, testNow, format);
	return checked.kind === "events" ? `${checked.events.length} events` : checked.message;
};

const attribute = (key: string, stringValue = "v") => ({ key, value: { stringValue } });
const attributes = (count: number) => Array.from({ length: count }, (_, index) => attribute(`k${index}`));
const point = (index: number, more: object = {}) => ({
	asInt: "1",
	timeUnixNano: `${1769774460000 + index}000000`,
	...more,
});
const sum = (points: readonly object[], name = "m") => ({
	name,
	sum: { aggregationTemporality: 1, dataPoints: points },
});
const ofAcme = [attribute("customer.id", "acme")];
const metricsBody = (metrics: readonly object[], resource: readonly object[] = ofAcme): string =>
	JSON.stringify({ resourceMetrics: [{ resource: { attributes: resource }, scopeMetrics: [{ metrics }] }] });

function readAll(text: string) {
	const steps = readMetrics(text);
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

describe("limits of a body of events", () => {
	test.each<[EventFormat, string, string]>([
		["ndjson", filled("", "\n"), "body: holds more than 10000 empty lines; leave them out."],
		["ndjson", filled("", " \n"), "body: holds more than 10000 empty lines; leave them out."],
		["ndjson", filled("", "["), "body, line 1: the body nests deeper than 64 levels."],
		[
			"ndjson",
			filled('{"a":[', "{},", "{}]}"),
			"body, line 1: the body holds more than 500000 values; send less at once.",
		],
		["cloudevents", filled("[", "{},", "{}]"), "The body holds more than 75000 values; send less at once."],
		["cloudevents", filled("[", "[", "]"), "The body nests deeper than 64 levels."],
		["cloudevent", filled("[", "[", "]"), "The body nests deeper than 64 levels."],
		["report", filled('{"events":[', "{},", "{}]}"), "The body holds more than 75000 values; send less at once."],
		["report", filled("", '{"events":'), "The body nests deeper than 64 levels."],
		[
			"metrics",
			filled('{"resourceMetrics":[', "{},", "{}]}"),
			"The body holds more than 500000 values; send less at once.",
		],
		["metrics", filled('{"resourceMetrics":', "[", "]"), "The body nests deeper than 64 levels."],
	])("refuses %s without reading on: %.20s", (format, text, message) => {
		const parse = spyOn(JSON, "parse");
		try {
			expect(outcome(format, text)).toBe(message);
			expect(parse).not.toHaveBeenCalled();
		} finally {
			parse.mockRestore();
		}
	});

	test("accepts a thousand events of 60 dimensions each, and ten thousand lines of 40", () => {
		const dimensions = (count: number) => Object.fromEntries(attributes(count).map(({ key }) => [key, 1]));
		const of = (count: number, names: number) =>
			Array.from({ length: count }, (_, index) =>
				event({ idempotencyKey: `k${index}`, dimensions: dimensions(names) }),
			);
		expect(outcome("report", textOf(of(1000, 60)))).toBe("1000 events");
		const lines = of(10_000, 40).map((one) => JSON.stringify(one));
		expect(outcome("ndjson", lines.join("\n"))).toBe("10000 events");
	});

	test("counts the dimension names of each combination once, and names the event that exceeds the limit", () => {
		const dimensions = (index: number) => Object.fromEntries(attributes(60).map(({ key }) => [`${key}-${index}`, 1]));
		const events = Array.from({ length: 900 }, (_, index) =>
			event({ idempotencyKey: `k${index}`, dimensions: dimensions(index) }),
		);
		const alternating = events.map((one, index) => ({ ...one, dimensions: dimensions(index % 2) }));
		const exceeds = (place: string): string =>
			`${place} brings the dimension names of the request, all their combinations taken together, to more than 50000; give events the same dimensions in the same order, or send fewer at once.`;
		expect(outcome("report", textOf(alternating))).toBe("900 events");
		expect(outcome("report", textOf(events))).toBe(exceeds("body/events/833:"));
		expect(outcome("ndjson", events.map((one) => JSON.stringify(one)).join("\n"))).toBe(exceeds("body, line 834:"));
		const cloudEvents = events.map(({ idempotencyKey, dimensions: data }) => ({
			...{ specversion: "1.0", id: idempotencyKey, source: "/s", type: "t", subject: "acme", data },
		}));
		expect(outcome("cloudevents", JSON.stringify(cloudEvents))).toBe(exceeds("body/833:"));
		const points = events.map((_, index) =>
			point(index, { attributes: attributes(60).map(({ key }) => attribute(`${key}-${index}`)) }),
		);
		expect(outcome("metrics", metricsBody([sum(points)]))).toBe(exceeds("body: a point of 'm'"));
	});
});

describe("limits of a body of metrics", () => {
	const repeated = (count: number, one: object): object[] => Array.from({ length: count }, () => one);
	const remedy = "set 'send_batch_max_size' of the collector's batch processor to at most 10000, or to less.";

	test.each<[string, string, string]>([
		[
			"resources",
			JSON.stringify({ resourceMetrics: repeated(1001, {}) }),
			`body: holds more than 1000 resources; ${remedy}`,
		],
		["metrics", metricsBody(repeated(10_001, sum([]))), `body: holds more than 10000 metrics; ${remedy}`],
		[
			"points",
			metricsBody([sum(Array.from({ length: 10_001 }, (_, index) => point(index)))]),
			`body: holds more than 10000 points; ${remedy}`,
		],
	])("refuses a body of too many %s, and names the collector's setting", (_, text, message) => {
		expect(outcome("metrics", text)).toBe(message);
	});

	test("rejects the points of a resource with too many attributes, and a point that has too many, and accepts the others", () => {
		const body = {
			resourceMetrics: [
				{ resource: { attributes: attributes(129) }, scopeMetrics: [{ metrics: [sum([point(1), point(2)])] }] },
				{
					resource: { attributes: [...attributes(127), ...ofAcme] },
					scopeMetrics: [{ metrics: [sum([point(1), point(2, { attributes: attributes(129) })])] }],
				},
			],
		};
		expect(checkEvents(JSON.stringify(body), testNow, "metrics")).toMatchObject({
			kind: "events",
			events: [{ eventName: "m", customerId: "acme" }],
			rejected: {
				points: 3,
				reasons: [
					"a resource has more than 128 attributes; drop some in the collector",
					"'m' has a point that has more than 128 attributes; drop some in the collector",
				],
			},
		});
	});

	test("rejects a point that is larger than an event may be", () => {
		const points = [point(1, { attributes: [attribute("a", "x".repeat(1024 * 1024))] }), point(2)];
		expect(checkEvents(metricsBody([sum(points)]), testNow, "metrics")).toMatchObject({
			events: [{}],
			rejected: { points: 1, reasons: ["'m' has a point that has more than 1048576 bytes"] },
		});
	});

	test("sorts the attributes of a resource once, however many metrics and points it has", () => {
		const metrics = Array.from({ length: 500 }, (_, index) => sum(index < 10 ? [point(1), point(2)] : [], `m${index}`));
		const text = metricsBody(metrics, [...attributes(100), ...ofAcme]);
		const sort = spyOn(Array.prototype, "sort");
		try {
			expect(readAll(text)).toMatchObject({ rejected: { points: 0 } });
			// Once for the resource, and once for each point.
			expect(sort).toHaveBeenCalledTimes(1 + 20);
		} finally {
			sort.mockRestore();
		}
	});

	test("derives the same idempotency key as ever: the hash of resource, scope, metric, attributes and times", () => {
		const resource = [attribute("z", 'é"'), ...ofAcme];
		const scope = { name: "app", version: "1" };
		const one = {
			...sum([point(1, { startTimeUnixNano: "7", attributes: [attribute("b"), attribute("a")] })]),
			unit: "By",
		};
		const text = JSON.stringify({
			resourceMetrics: [{ resource: { attributes: resource }, scopeMetrics: [{ scope, metrics: [one] }] }],
		});
		const identity = [
			...[
				[
					["customer.id", "acme"],
					["z", 'é"'],
				],
				"app",
				"1",
				"m",
				"By",
			],
			...[
				[
					["a", "v"],
					["b", "v"],
				],
				"7",
				point(1).timeUnixNano,
			],
		];
		const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify(identity)).digest("base64url");
		expect(readAll(text)).toMatchObject({ points: [{ event: { idempotencyKey: `otlp-${digest}` } }] });
	});
});

describe("reading a large body", () => {
	test("takes a step for every 2000 lines and points, so that other requests are served in between", () => {
		const stepsOf = (format: EventFormat, text: string): number => [...checkInSteps(text, testNow, format)].length;
		const lines = Array.from({ length: 10_000 }, (_, index) => JSON.stringify(event({ idempotencyKey: `k${index}` })));
		expect(stepsOf("ndjson", lines.join("\n"))).toBeGreaterThanOrEqual(5);
		const points = Array.from({ length: 10_000 }, (_, index) => point(index));
		expect(stepsOf("metrics", metricsBody([sum(points)]))).toBeGreaterThanOrEqual(5);
	});

	test("answers small requests that arrive after it first, and then the large one", async () => {
		const { customer, jobs } = ground();
		customer("acme");
		const queue = new IngestQueue({ log: jobs.log });
		const alike = { environmentId: "env", now: testNow, unknownCustomers: "refuse" as const };
		const large = textOf([event({ dimensions: { text: "x".repeat(300_000) } })]);
		const small = textOf([event({ idempotencyKey: "k2" })]);
		const answered: number[] = [];
		const { promise, resolve } = Promise.withResolvers<void>();
		queue.add([{ ...alike, firstId: 1, texts: [large, small] }], ({ accepted, others }) => {
			expect(others).toEqual([]);
			answered.push(...accepted);
			if (answered.length === 2) resolve();
		});
		await promise;
		expect(answered).toEqual([2, 1]);
		expect(jobs.log.lastEvent).toBe(2);
	});

	test("finishes a body that is being read before the log is closed", () => {
		const { customer, jobs } = ground();
		customer("acme");
		const queue = new IngestQueue({ log: jobs.log });
		const text = textOf([event({ dimensions: { text: "x".repeat(300_000) } })]);
		const answers: unknown[] = [];
		queue.add(
			[{ environmentId: "env", now: testNow, unknownCustomers: "refuse", firstId: 1, texts: [text] }],
			(answer) => answers.push(answer),
		);
		queue.finish();
		expect(answers).toEqual([{ accepted: [1], others: [] }]);
	});
});
