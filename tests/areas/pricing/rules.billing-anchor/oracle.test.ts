import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { anchorInstant } from "../../../../src/areas/pricing/rules.billing-anchor";
import type { CustomerBillingAnchor } from "../../../../src/areas/pricing/schema.billing-anchor";
import { billingPeriodAt } from "../../../../src/areas/subscriptions/rules";
import type { Instant } from "../../../../src/kernel/clock";
import { type Interval, periodContaining } from "../../../../src/kernel/period";
import { dates, WallClock, zones } from "../../../kernel/period/calendar";

setDefaultTimeout(60_000);

const dayMs = 86_400_000;
const clocks = new Map<string, WallClock>();
function clockOf(timeZone: string): WallClock {
	const clock = clocks.get(timeZone) ?? new WallClock(timeZone);
	clocks.set(timeZone, clock);
	return clock;
}

type Walked = (typeof dates)[number];
const monthOf = ({ year, month }: Walked) => year * 12 + month;
const numberOf = ({ local }: Walked) => local / dayMs;
const modulo = (value: number, by: number) => ((value % by) + by) % by;
// The walk knows that 5 January 1970 was a Monday.
const weekdayOf = (date: Walked) => modulo(numberOf(date) - 4, 7) + 1;
const isNthOf = (day: number) => (date: Walked) => date.day === Math.min(day, date.monthLength);

interface Sample {
	readonly timeZone: string;
	readonly interval: Interval;
	readonly anchor: CustomerBillingAnchor;
	/** The date and the time of day of the start, on the wall. */
	readonly start: Walked;
	readonly timeMs: number;
}

/** Returns the dates and the time of day at which periods begin, by the words of the design alone. */
function beginsOn({
	interval: { unit, count },
	anchor,
	start,
	timeZone,
	timeMs,
}: Sample): [(date: Walked) => boolean, number] {
	const clock = clockOf(timeZone);
	const from = clock.instantOf(start.local + timeMs);
	const every = (isDay: (date: Walked) => boolean, first: Walked) => (date: Walked) =>
		unit === "MONTH"
			? isDay(date) && modulo(monthOf(date) - monthOf(first), count) === 0
			: modulo(numberOf(date) - numberOf(first), count) === 0;
	const firstAtOrAfter = (isDay: (date: Walked) => boolean): Walked => {
		const first = dates.find((date) => date.local >= start.local && isDay(date) && clock.instantOf(date.local) >= from);
		if (!first) throw new Error("the walk is too short");
		return first;
	};
	const dateOf = (year: number, month: number, day: number): Walked => {
		const found = dates.find((date) => date.year === year && date.month === month && date.day === day);
		if (!found) throw new Error("the walk has this date");
		return found;
	};
	switch (anchor.type) {
		case "SUBSCRIPTION_START":
			return [every(isNthOf(start.day), start), timeMs];
		case "START_OF_THE_MONTH":
			return [every(isNthOf(1), dateOf(start.year, start.month, 1)), 0];
		case "CALENDAR":
			return [every(isNthOf(1), dateOf(2000, 1, unit === "DAY" && count % 7 === 0 ? 3 : 1)), 0];
		case "DATE": {
			const date = dateOf(2012, 3, 31);
			return [every(isNthOf(31), date), 9 * 3_600_000];
		}
		default: {
			const { dayOfMonth = 1, month, dayOfWeek } = anchor;
			if (unit === "DAY")
				return [
					every(
						() => true,
						firstAtOrAfter((date) => weekdayOf(date) === dayOfWeek),
					),
					0,
				];
			const isDay = isNthOf(dayOfMonth);
			const first = firstAtOrAfter((date) => isDay(date) && (month === undefined || date.month === month));
			return [every(isDay, first), 0];
		}
	}
}

const anchorOf = (
	type: CustomerBillingAnchor["type"],
	{ unit }: Interval,
	timeZone: string,
	parts: { day: number; month?: number | undefined; weekday: number },
): CustomerBillingAnchor => {
	if (type === "DATE") {
		const date = dates.find((one) => one.year === 2012 && one.month === 3 && one.day === 31);
		return { type, date: new Date(clockOf(timeZone).instantOf((date?.local ?? 0) + 9 * 3_600_000)).toISOString() };
	}
	if (type !== "DAY") return { type };
	if (unit === "DAY") return { type, dayOfWeek: parts.weekday };
	return { type, dayOfMonth: parts.day, ...(parts.month !== undefined && { month: parts.month }) };
};

const samples = fc
	.record({
		timeZone: fc.constantFrom(...zones),
		unit: fc.constantFrom("DAY" as const, "MONTH" as const),
		count: fc.integer({ min: 1, max: 13 }),
		type: fc.constantFrom("SUBSCRIPTION_START", "START_OF_THE_MONTH", "CALENDAR", "DAY", "DATE" as const),
		day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(29, 30, 31)),
		month: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
		weekday: fc.integer({ min: 1, max: 7 }),
		// Twelve years before the end of the walk.
		start: fc.integer({ min: 4_000, max: dates.length - 366 * 12 }),
		timeMs: fc.constantFrom(0, 1, 9_000_000, 43_200_000, dayMs - 1),
	})
	.map(({ unit, count, type, start, ...sample }): Sample | undefined => {
		const isWhole = unit === "MONTH" || type !== "DAY";
		const interval = { unit, count: isWhole ? count : 7 * count };
		if (type === "CALENDAR" && unit === "DAY" && count > 1 && count % 7 > 0) interval.count = 7 * count;
		const date = dates[start];
		if (!date || clockOf(sample.timeZone).showing(date.local + sample.timeMs).length === 0) return undefined;
		return { ...sample, interval, anchor: anchorOf(type, interval, sample.timeZone, sample), start: date };
	})
	.filter((sample) => sample !== undefined);

/** Returns the boundaries of the walk: those around the start, and the next ones. */
function walkedBoundaries(sample: Sample): number[] {
	const [isStart, time] = beginsOn(sample);
	const clock = clockOf(sample.timeZone);
	const from = clock.instantOf(sample.start.local + sample.timeMs);
	const all = dates
		.filter((date) => date.local > sample.start.local - 420 * dayMs && isStart(date))
		.slice(0, 450)
		.map((date) => clock.instantOf(date.local + time));
	const different = [...new Set(all)];
	const first = different.findLastIndex((at) => at <= from);
	return different.slice(first, first + 14);
}

test("periods from every anchor are those of a walk through the calendar, in every zone", () => {
	fc.assert(
		fc.property(samples, (sample) => {
			const { timeZone, interval, anchor, start, timeMs } = sample;
			const from = clockOf(timeZone).instantOf(start.local + timeMs) as Instant;
			const recurrence = { anchorAt: anchorInstant(anchor, { from, interval, timeZone }), interval, timeZone };
			const expected = walkedBoundaries(sample);
			expect(expected.length).toBeGreaterThan(3);
			let period = periodContaining(recurrence, from);
			const found: number[] = [period.start];
			while (found.length < expected.length) {
				found.push(period.end);
				const next = periodContaining(recurrence, period.end);
				// Neither a gap nor an overlap, and the last millisecond belongs to the period.
				expect(next.start).toBe(period.end);
				expect(periodContaining(recurrence, (period.end - 1) as Instant)).toEqual(period);
				period = next;
			}
			expect(found).toEqual(expected);
		}),
		{ numRuns: 400 },
	);
});

test("periods tile the time when anchor and zone change midway", () => {
	fc.assert(
		fc.property(samples, samples, fc.integer({ min: 0, max: 5 }), (before, after, periods) => {
			const { timeZone, start, timeMs } = before;
			const from = clockOf(timeZone).instantOf(start.local + timeMs) as Instant;
			// The length of the periods stays.
			const { interval } = before;
			const names = { billingPeriod: `${interval.count} ${interval.unit}` as const };
			const anchorAt = anchorInstant(before.anchor, { from, interval, timeZone });
			let at = periodContaining({ anchorAt, interval, timeZone }, from).end;
			for (let passed = 0; passed < periods; passed += 1)
				at = periodContaining({ anchorAt, interval, timeZone }, at).end;
			const moved = periodContaining(
				{
					anchorAt: anchorInstant(
						{ type: "SUBSCRIPTION_START" },
						{ from: (at + after.timeMs) as Instant, interval, timeZone: after.timeZone },
					),
					interval,
					timeZone: after.timeZone,
				},
				at,
			);
			const row = {
				billingPeriod: names.billingPeriod,
				billingAnchorAt: moved.end,
				timeZone: after.timeZone,
				cycleStartsAt: at,
			};
			const short = billingPeriodAt(row, at);
			expect(short?.start).toBe(at);
			let next = short;
			for (let passed = 0; passed < 5; passed += 1) {
				const end = next?.end ?? at;
				next = billingPeriodAt(row, end);
				expect(next?.start).toBe(end);
				expect(next && next.end > next.start).toBe(true);
			}
		}),
		{ numRuns: 100 },
	);
});

test.each([
	["DAY", "2009-06-01T23:00:00.000Z"],
	["MONTH", "2009-06-30T23:00:00.000Z"],
] as const)("a midnight that a clock change skips moves no other period of a %s", (unit, end) => {
	// The clocks of Casablanca went from 0:00 to 1:00 on 1 June 2009.
	const timeZone = "Africa/Casablanca";
	const [from, interval] = [Date.UTC(2009, 5, 1, 12) as Instant, { unit, count: 1 }];
	const anchorAt = anchorInstant({ type: "START_OF_THE_MONTH" }, { from, interval, timeZone });
	expect(new Date(periodContaining({ anchorAt, interval, timeZone }, from).end).toISOString()).toBe(end);
});
