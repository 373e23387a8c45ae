import { expect, test } from "bun:test";
import { Meter } from "../../src/kernel/metrics/meter";
import { exposition } from "../../src/metrics/exposition";
import { readMetrics } from "./read";

test("the text has the sums of all threads, and buckets that count all values up to their bounds", async () => {
	const meters = [new Meter(), new Meter()];
	const labels = { method: "GET", route: "/api/v1/customers/{id}", status: "2xx" };
	for (const [at, meter] of meters.entries()) {
		const times = meter.histogram("tollgate_http_request_duration_seconds", labels);
		times.observe(0.0004);
		times.observe(0.02 + at);
		meter.counter("tollgate_http_rejections_total", { code: "BadUserInput" }).add(at + 1);
	}
	const text = await exposition(meters.flatMap((meter) => meter.figures()));
	const series = readMetrics(text);
	const route = `method="GET",route="/api/v1/customers/{id}",status="2xx"`;
	const upTo = (bound: string) => series.get(`tollgate_http_request_duration_seconds_bucket{le="${bound}",${route}}`);
	expect(["0.0005", "0.01", "0.025", "1", "2.5", "+Inf"].map(upTo)).toEqual([2, 2, 3, 3, 4, 4]);
	expect(series.get(`tollgate_http_request_duration_seconds_count{${route}}`)).toBe(4);
	expect(series.get(`tollgate_http_request_duration_seconds_sum{${route}}`)).toBeCloseTo(1.0408);
	expect(series.get(`tollgate_http_rejections_total{code="BadUserInput"}`)).toBe(3);
	expect(text).toContain("# TYPE tollgate_http_request_duration_seconds histogram\n");
	expect(text).toContain("# HELP tollgate_http_rejections_total Requests that were rejected, by error code.\n");
});

test("labels are escaped, so that no text of theirs ends a line", async () => {
	const meter = new Meter();
	meter.counter("tollgate_http_rejections_total", { code: 'a"b\\c\nd' }).add();
	const text = await exposition(meter.figures());
	expect(text).toContain(String.raw`{code="a\"b\\c\nd"} 1`);
});
