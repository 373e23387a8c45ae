import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/kernel/clock";
import { Meter } from "../../src/kernel/metrics/meter";
import { History, sumSince } from "../../src/metrics/history";

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 28, 9, 0) as Instant;
const at = (minutes: number) => (start + minutes * minuteMs) as Instant;

/** A meter with a function that counts requests of a status and a duration. */
function counting() {
	const meter = new Meter();
	const count = (status: string, ms: number, times: number) => {
		const labels = { method: "GET", route: "/api/v1/customers", status };
		for (let one = 0; one < times; one += 1)
			meter.histogram("tollgate_http_request_duration_seconds", labels).observe(ms / 1000);
	};
	return { meter, count };
}

describe("the history of requests", () => {
	test("has what came since its first look, by five minutes, and adds up the last hour and day", () => {
		const { meter, count } = counting();
		const history = new History([]);
		count("2xx", 1, 100);
		history.add(meter.figures(), at(0));
		expect(sumSince(history.points, 0)).toEqual({ requests: 0, rejected: 0, failed: 0, medianMs: null, p99Ms: null });
		count("2xx", 3, 90);
		count("4xx", 0.2, 8);
		history.add(meter.figures(), at(1));
		count("5xx", 700, 2);
		history.add(meter.figures(), at(61));
		expect(history.points.map((point) => [point.at, point.requests])).toEqual([
			[at(0), 98],
			[at(60), 2],
		]);
		const sum = { requests: 100, rejected: 8, failed: 2, medianMs: 5, p99Ms: 1000 };
		expect(sumSince(history.points, 0)).toEqual(sum);
		expect(sumSince(history.points, at(30))).toEqual({ ...sum, requests: 2, rejected: 0, medianMs: 1000 });
	});

	test("keeps a day, continues the points of an earlier process, and drops those after its clock", () => {
		const { meter, count } = counting();
		const before = new History([]);
		before.add(meter.figures(), at(0));
		for (let minutes = 5; minutes <= 3 * 24 * 60; minutes += 5) {
			count("2xx", 1, 1);
			before.add(meter.figures(), at(minutes));
		}
		expect(before.points).toHaveLength(288);
		const after = new History(before.points);
		after.add(counting().meter.figures(), at(3 * 24 * 60));
		expect(sumSince(after.points, 0).requests).toBe(288);
		after.add(counting().meter.figures(), at(2.5 * 24 * 60));
		expect(sumSince(after.points, 0).requests).toBe(144);
	});

	test("does not go down when a thread did not answer", () => {
		const { meter, count } = counting();
		const history = new History([]);
		history.add(meter.figures(), at(0));
		count("2xx", 1, 10);
		history.add(meter.figures(), at(1));
		history.add([], at(2));
		expect(sumSince(history.points, 0).requests).toBe(10);
	});
});
