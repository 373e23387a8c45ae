import { expect, test } from "bun:test";
import { type Figure, Meter } from "../../src/kernel/metrics/meter";
import { Measuring } from "../../src/workers/measuring";
import type { Thread } from "../../src/workers/thread";

/** A thread that answers with the figures of its meter, or not at all. */
function threadOf(meter: Meter) {
	const state = { isReady: true, answers: true };
	const measure = () =>
		state.answers ? Promise.resolve(meter.figures()) : Promise.withResolvers<Figure[] | undefined>().promise;
	const thread = {
		measure,
		get isReady() {
			return state.isReady;
		},
	};
	return { state, thread: thread as unknown as Thread };
}

const valuesOf = (figures: readonly Figure[], name: string) =>
	figures
		.filter((figure) => figure.name === name)
		.map(({ labels, value }) => [Object.values(labels).join(), value])
		.sort();

test("figures of all threads are collected, with the name of the thread where it is a label", async () => {
	const [main, writer] = [new Meter(), new Meter()];
	main.read("tollgate_thread_cpu_seconds_total", {}, () => 1);
	writer.read("tollgate_thread_cpu_seconds_total", {}, () => 2);
	const measuring = new Measuring(main, new Map([["writer", threadOf(writer).thread]]));
	const figures = await measuring.collect();
	expect(valuesOf(figures, "tollgate_thread_cpu_seconds_total")).toEqual([
		["main", 1],
		["writer", 2],
	]);
	expect(valuesOf(figures, "tollgate_thread_up")).toEqual([
		["main", 1],
		["writer", 1],
	]);
});

test("a thread that does not answer is named, and its last figures stand in for it", async () => {
	const meter = new Meter();
	const { state, thread } = threadOf(meter);
	const measuring = new Measuring(new Meter(), new Map([["writer", thread]]));
	meter.counter("tollgate_http_rejections_total", { code: "BadUserInput" }).add(4);
	await measuring.collect();
	state.answers = false;
	meter.counter("tollgate_http_rejections_total", { code: "BadUserInput" }).add();
	const figures = await measuring.collect();
	expect(valuesOf(figures, "tollgate_thread_up")).toEqual([
		["main", 1],
		["writer", 0],
	]);
	expect(valuesOf(figures, "tollgate_http_rejections_total")).toEqual([["BadUserInput", 4]]);
});

test("totals of threads that have ended stay, as one figure for each series; gauges do not", async () => {
	let meter = new Meter();
	const measure = () => Promise.resolve(meter.figures());
	const thread = { measure, isReady: true } as unknown as Thread;
	const measuring = new Measuring(new Meter(), new Map([["renderer", thread]]));
	for (let round = 1; round <= 3; round += 1) {
		meter = new Meter();
		meter.counter("tollgate_http_rejections_total", { code: "BadUserInput" }).add(round);
		meter.histogram("tollgate_commit_writes", { file: "main" }).observe(1);
		meter.read("tollgate_http_requests_in_progress", {}, () => 7);
		await measuring.collect();
		measuring.ended("renderer");
	}
	meter = new Meter();
	const figures = await measuring.collect();
	expect(valuesOf(figures, "tollgate_http_rejections_total")).toEqual([["BadUserInput", 6]]);
	expect(valuesOf(figures, "tollgate_http_requests_in_progress")).toEqual([]);
	const [writes] = figures.filter(({ name }) => name === "tollgate_commit_writes");
	expect(writes?.buckets?.[0]).toBe(3);
});
