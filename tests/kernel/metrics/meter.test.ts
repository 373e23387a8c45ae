import { expect, test } from "bun:test";
import fc from "fast-check";
import { definitionOf, definitions, type MetricName } from "../../../src/kernel/metrics/definitions";
import { Histogram, Meter } from "../../../src/kernel/metrics/meter";

test("a histogram counts each value in the first bucket whose bound it does not exceed", () => {
	const bounds = [1, 2, 4];
	fc.assert(
		fc.property(fc.array(fc.double({ min: 0, max: 8, noNaN: true })), (values) => {
			const histogram = new Histogram(bounds);
			for (const value of values) histogram.observe(value);
			const between = (low: number, high: number) => values.filter((value) => value > low && value <= high).length;
			expect([...histogram.buckets]).toEqual([
				between(-1, 1),
				between(1, 2),
				between(2, 4),
				between(4, Number.POSITIVE_INFINITY),
			]);
			expect(histogram.sum).toBeCloseTo(values.reduce((sum, value) => sum + value, 0));
		}),
	);
});

test("a series is the same object each time that it is asked for, and another one for other labels", () => {
	const meter = new Meter();
	meter.counter("tollgate_http_rejections_total", { code: "BadUserInput" }).add();
	meter.counter("tollgate_http_rejections_total", { code: "BadUserInput" }).add(2);
	meter.counter("tollgate_http_rejections_total", { code: "CustomerNotFound" }).add();
	let waiting = 3;
	meter.read("tollgate_events_uncounted", {}, () => waiting);
	waiting = 5;
	expect(meter.figures()).toEqual([
		{ name: "tollgate_http_rejections_total", labels: { code: "BadUserInput" }, value: 3 },
		{ name: "tollgate_http_rejections_total", labels: { code: "CustomerNotFound" }, value: 1 },
		{ name: "tollgate_events_uncounted", labels: {}, value: 5 },
	]);
});

test("every name follows the conventions of Prometheus", () => {
	for (const name of Object.keys(definitions) as MetricName[]) {
		const { type, help, bounds } = definitionOf(name);
		expect(name).toMatch(/^tollgate_[a-z_]+$/);
		expect(name.endsWith("_total")).toBe(type === "counter");
		expect(help).toMatch(/^[A-Z1].*\.$/);
		expect(bounds !== undefined).toBe(type === "histogram");
		expect(bounds ?? []).toEqual([...(bounds ?? [])].sort((one, other) => one - other));
	}
});
