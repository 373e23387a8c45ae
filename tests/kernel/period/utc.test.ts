import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../../src/kernel/clock";
import { addMonths, boundary, periodContaining, startOfMonth, startOfWeek } from "../../../src/kernel/period";
import { dayMs, firstOfMonth, addMonths as monthsAfter, monthsAround } from "../../simulated-subscriptions/calendar";

const from = Date.UTC(1999, 0, 1);
const to = Date.UTC(2101, 0, 1);
const instants = fc.integer({ min: from, max: to }).map((at) => at as Instant);
/** Where calendars go wrong: the last days of months, at midnight or a moment before. */
const edges = fc
	.record({
		year: fc.integer({ min: 1999, max: 2100 }),
		month: fc.nat(11),
		back: fc.nat(4),
		ms: fc.constantFrom(0, -1),
	})
	.map(({ year, month, back, ms }) => (Date.UTC(year, month + 1, 1) - back * dayMs + ms) as Instant);
const anchors = fc.oneof(instants, edges);
const steps = fc.constantFrom(1, 3, 12);

describe("a billing cycle", () => {
	test("holds every moment in just one period, which the calendar counted by days has too", () => {
		fc.assert(
			fc.property(anchors, anchors, steps, (anchor, at, step) => {
				const period = periodContaining({ anchorAt: anchor, interval: { unit: "MONTH", count: step } }, at);
				expect(period.start <= at && at < period.end).toBe(true);
				expect({ ...period }).toEqual(monthsAround(anchor, step, at) as typeof period);
			}),
			{ numRuns: 500 },
		);
	});

	test("leaves no gap: each period begins where the one before ends, for ever", () => {
		fc.assert(
			fc.property(anchors, steps, fc.integer({ min: 1, max: 60 }), (anchor, step, count) => {
				const recurrence = { anchorAt: anchor, interval: { unit: "MONTH", count: step } as const };
				let period = periodContaining(recurrence, anchor);
				expect(period.start).toBe(anchor);
				for (let nth = 1; nth <= count; nth += 1) {
					const next = periodContaining(recurrence, period.end);
					expect(next.start).toBe(period.end);
					// Months count from the anchor, not from the period before: the 31st never drifts to the 28th.
					expect(next.start).toBe(boundary(recurrence, nth));
					period = next;
				}
			}),
			{ numRuns: 60 },
		);
	});

	test("begins on the anchor's day at its time, or on the month's last day", () => {
		fc.assert(
			fc.property(anchors, fc.integer({ min: -400, max: 400 }), (anchor, count) => {
				const begun = addMonths(anchor, count);
				expect(begun).toBe(monthsAfter(anchor, count) as Instant);
				const [day, wanted] = [new Date(begun).getUTCDate(), new Date(anchor).getUTCDate()];
				const isLast = new Date(begun + dayMs).getUTCDate() === 1;
				expect(day === wanted || (day < wanted && isLast)).toBe(true);
				expect(((begun % dayMs) + dayMs) % dayMs).toBe(((anchor % dayMs) + dayMs) % dayMs);
			}),
			{ numRuns: 500 },
		);
	});

	test("in days is of one length, whatever clocks elsewhere are put forward", () => {
		fc.assert(
			fc.property(anchors, anchors, fc.integer({ min: 1, max: 30 }), (anchorAt, at, count) => {
				const { start, end } = periodContaining({ anchorAt, interval: { unit: "DAY", count } }, at);
				expect(end - start).toBe(count * dayMs);
				expect((start - anchorAt) % (count * dayMs) === 0).toBe(true);
				expect(start <= at && at < end).toBe(true);
			}),
			{ numRuns: 200 },
		);
	});
});

test("a month begins on its first, a week on its day, not later than what lies in it", () => {
	fc.assert(
		fc.property(anchors, fc.integer({ min: 1, max: 7 }), (at, weekday) => {
			expect(startOfMonth(at)).toBe(firstOfMonth(at) as Instant);
			const week = startOfWeek(at, weekday);
			expect(week <= at && at - week < 7 * dayMs && week % dayMs === 0).toBe(true);
			// The first of 1970 was a Thursday.
			expect((((week / dayMs + 3) % 7) + 7) % 7).toBe(weekday - 1);
		}),
		{ numRuns: 300 },
	);
});
