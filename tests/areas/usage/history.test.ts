import { describe, expect, test } from "bun:test";
import { aggregationOf } from "../../../src/areas/usage/aggregation/functions";
import { historyBase, historyInstants, type Reset, runningValues } from "../../../src/areas/usage/history";
import { at } from "./ground";

describe("a history", () => {
	const resets: Reset[] = [
		{ at: at("2026-01-01T00:00:00Z"), type: "PERIODIC_RESET" },
		{ at: at("2026-01-10T01:30:00Z"), type: "PERIODIC_RESET" },
	];

	test("has points at both ends, the full hours between, and each reset", () => {
		const instants = historyInstants({ start: at("2026-01-10T00:20:00Z"), end: at("2026-01-10T02:00:00Z") }, resets);
		expect(instants).toEqual(["00:20:00", "01:00:00", "01:30:00", "02:00:00"].map((time) => at(`2026-01-10T${time}Z`)));
	});

	test.each([
		["a week by hours", "2026-01-08T00:00:00Z", 169],
		["a year by days", "2027-01-01T00:00:00Z", 366],
		["ten years by weeks", "2036-01-01T00:00:00Z", 523],
	])("%s", (_, end, points) => {
		expect(historyInstants({ start: at("2026-01-01T00:00:00Z"), end: at(end) }, []).length).toBe(points);
	});

	test.each([
		["ends before it starts", "2025-12-31T23:59:59Z", "endDate"],
		["is longer than 7000 days", "2046-01-01T00:00:00Z", "7000 days"],
	])("is refused when it %s", (_, end, message) => {
		expect(() => historyInstants({ start: at("2026-01-01T00:00:00Z"), end: at(end) }, [])).toThrow(message);
	});

	test("counts from the last reset before it, or from its own start", () => {
		expect(historyBase(at("2026-01-05T00:00:00Z"), resets)).toBe(at("2026-01-01T00:00:00Z"));
		expect(historyBase(at("2025-12-05T00:00:00Z"), resets)).toBe(at("2025-12-05T00:00:00Z"));
	});

	test("falls to zero at a reset", () => {
		const instants = [at("2026-01-10T01:00:00Z"), at("2026-01-10T01:30:00Z"), at("2026-01-10T02:00:00Z")];
		const { start } = aggregationOf({ aggregation: { function: "SUM", field: "n" }, filters: [] });
		const increments = ["5", "2.5", "1"].map((state) => ({ state, members: new Map<string, number>() }));
		const points = runningValues(instants, resets, start, increments);
		expect(points.map(({ value, isResetPoint }) => `${value} ${isResetPoint}`)).toEqual([
			"5 false",
			"0 true",
			"1 false",
		]);
	});
});
