import { deepEqual } from "node:assert/strict";
import type { Instant } from "../../../src/kernel/clock";
import { boundary, type Interval, periodContaining } from "../../../src/kernel/period";
import { dates, WallClock, type zones } from "./calendar";

/** Times of day at which zones change their clocks, and others. */
export const timesOfDay = [0, 0.5, 1.5, 2, 2.5, 12, 24 - 1 / 3_600_000].map((hours) => Math.round(hours * 3_600_000));

export interface Sample {
	readonly timeZone: (typeof zones)[number];
	readonly interval: Interval;
	/** The day of the month of the first year's month on which periods are anchored. */
	readonly month: number;
	readonly day: number;
	readonly timeOfDay: number;
}

const clocks = new Map<string, WallClock>();

function clockOf(timeZone: string): WallClock {
	const clock = clocks.get(timeZone) ?? new WallClock(timeZone);
	clocks.set(timeZone, clock);
	return clock;
}

/** Returns the instants at which periods begin, by walking through the dates. Equal ones stay: such a period has no length. */
function walkedBoundaries({ timeZone, interval: { unit, count }, month, day, timeOfDay }: Sample): number[] {
	const clock = clockOf(timeZone);
	const start = dates.findIndex((date) => date.month === month && date.day === day);
	const months = dates.slice(start).filter((date) => date.day === Math.min(day, date.monthLength));
	const begins = unit === "DAY" ? dates.slice(start) : months;
	// The last days can lie after the last one that the wall clock knows.
	return begins
		.slice(0, -2)
		.filter((_, index) => index % count === 0)
		.map(({ local }) => clock.instantOf(local + timeOfDay));
}

/** Compares every period of the forty years with the walked ones. Returns their number. */
export function compareWithWalk(sample: Sample): number {
	const { timeZone, interval } = sample;
	const walked = walkedBoundaries(sample);
	const anchorAt = walked[0] as Instant;
	const recurrence = { anchorAt, interval, timeZone };
	for (const [index, start] of walked.entries()) {
		const end = walked[index + 1];
		if (boundary(recurrence, index) !== start)
			deepEqual({ index, start: boundary(recurrence, index) }, { index, start });
		if (end === undefined || end === start) continue;
		for (const at of [start, end - 1] as Instant[]) {
			const period = periodContaining(recurrence, at);
			if (period.start === start && period.end === end) continue;
			deepEqual({ at, ...period }, { at, start, end });
		}
	}
	return walked.length;
}

/** Whether an anchor can have this date and time: the month has the day, and no clock change skips the time. */
export function isAnchor({ timeZone, month, day, timeOfDay }: Sample): boolean {
	const date = dates.find((one) => one.month === month && one.day === day);
	return date !== undefined && clockOf(timeZone).showing(date.local + timeOfDay).length > 0;
}
