import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../../src/kernel/clock";
import { boundary, dayNumber, indexAt, oneMonth, periodContaining, startOfDayNumber } from "../../../src/kernel/period";
import { compareWithWalk, isAnchor, timesOfDay } from "./boundaries";
import { zones } from "./calendar";

const at = (iso: string) => Date.parse(iso) as Instant;
const iso = (instant: Instant) => new Date(instant).toISOString();
const oneDay = { unit: "DAY", count: 1 } as const;

const samples = fc
	.record({
		timeZone: fc.constantFrom(...zones),
		interval: fc.record({ unit: fc.constantFrom("DAY", "MONTH"), count: fc.integer({ min: 1, max: 13 }) }),
		month: fc.integer({ min: 1, max: 12 }),
		day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(29, 30, 31)),
		timeOfDay: fc.constantFrom(...timesOfDay),
	})
	.filter(isAnchor);

test("periods of every zone are those that a walk through forty years finds", () => {
	fc.assert(
		fc.property(samples, (sample) => {
			expect(compareWithWalk(sample)).toBeGreaterThan(10);
		}),
		{ numRuns: 25 },
	);
});

test("3.1: a time that a clock change skips moves forward by the gap, and of two equal times the first counts", () => {
	const berlin = { anchorAt: at("2026-01-01T01:30:00Z"), interval: oneDay, timeZone: "Europe/Berlin" };
	const boundaryOn = (date: string) => iso(boundary(berlin, indexAt(berlin, at(`${date}T12:00:00Z`))));
	expect(boundaryOn("2026-03-29")).toBe("2026-03-29T01:30:00.000Z");
	expect(boundaryOn("2026-03-30")).toBe("2026-03-30T00:30:00.000Z");
	expect(boundaryOn("2026-10-25")).toBe("2026-10-25T00:30:00.000Z");
	expect(boundaryOn("2026-10-26")).toBe("2026-10-26T01:30:00.000Z");
});

test("3.1: periods from the 31st and from 29 February end on the last days of shorter months", () => {
	const starts = (anchor: string, count: number, indexes: readonly number[]) => {
		const recurrence = {
			anchorAt: at(anchor),
			interval: { unit: "MONTH", count } as const,
			timeZone: "Asia/Kathmandu",
		};
		return indexes.map((index) => iso(boundary(recurrence, index)).slice(0, 10));
	};
	expect(starts("2026-01-31T12:00:00Z", 1, [0, 1, 2])).toEqual(["2026-01-31", "2026-02-28", "2026-03-31"]);
	expect(starts("2024-02-29T12:00:00Z", 12, [1, 4])).toEqual(["2025-02-28", "2028-02-29"]);
});

test("3.1: a day that a zone skips has no period", () => {
	const apia = { anchorAt: at("2011-12-28T10:00:00Z"), interval: oneDay, timeZone: "Pacific/Apia" };
	expect([1, 2, 3, 4].map((index) => iso(boundary(apia, index)))).toEqual([
		"2011-12-29T10:00:00.000Z",
		"2011-12-30T10:00:00.000Z",
		"2011-12-30T10:00:00.000Z",
		"2011-12-31T10:00:00.000Z",
	]);
	expect(periodContaining(apia, at("2011-12-30T10:00:00Z"))).toEqual({
		start: at("2011-12-30T10:00:00Z"),
		end: at("2011-12-31T10:00:00Z"),
	});
});

test("a month in New York is an hour shorter where summer time begins", () => {
	const newYork = { anchorAt: at("2026-03-01T05:00:00Z"), interval: oneMonth, timeZone: "America/New_York" };
	const { start, end } = periodContaining(newYork, at("2026-03-16T04:00:00Z"));
	expect([iso(start), iso(end)]).toEqual(["2026-03-01T05:00:00.000Z", "2026-04-01T04:00:00.000Z"]);
	expect((end - start) / 3_600_000).toBe(743);
});

test("a date begins once, even if the clock is set back over midnight", () => {
	// In St. John's, clocks went from 00:01 back to 23:01 on 29 October 2006.
	const number = (instant: string) => dayNumber(at(instant), "America/St_Johns");
	const before = number("2006-10-29T02:29:00Z");
	const rest = ["02:30:00", "02:31:00", "02:59:00", "03:30:00", "04:00:00"];
	expect(rest.map((time) => number(`2006-10-29T${time}Z`) - before)).toEqual([1, 1, 1, 1, 1]);
	expect(iso(startOfDayNumber(before + 1, "America/St_Johns"))).toBe("2006-10-29T02:30:00.000Z");
});
