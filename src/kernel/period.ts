import type { Instant } from "./clock";

/** A half-open range of time: [start, end). */
export interface Period {
	readonly start: Instant;
	readonly end: Instant;
}

export type CalendarUnit = "minutes" | "hours" | "days" | "weeks" | "months" | "years";

const utc = (at: Instant): Temporal.ZonedDateTime =>
	Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC");

/**
 * Returns `anchor` plus `count` calendar units, in UTC. Months and years clamp to the last day of the month. Every step counts from
 * the anchor, so an anchor on the 31st never drifts.
 */
export const addUnits = (anchor: Instant, unit: CalendarUnit, count: number): Instant =>
	utc(anchor).add({ [unit]: count }).epochMilliseconds as Instant;

/** The number of cached periods. Each takes about a hundred bytes. */
const periodsRememberedMax = 10_000;
const remembered = new Map<string, Period>();

/**
 * Returns the period of `step` units, counted from `anchor`, that contains `at`. `at` may be before the anchor. The last period of each
 * anchor is cached: nearly all calls are about now.
 */
export function periodContaining(anchor: Instant, unit: CalendarUnit, step: number, at: Instant): Period {
	const key = `${anchor} ${step} ${unit}`;
	const last = remembered.get(key);
	if (last && last.start <= at && at < last.end) return last;
	if (remembered.size >= periodsRememberedMax) remembered.clear();
	const period = findPeriod(anchor, unit, step, at);
	remembered.set(key, period);
	return period;
}

function findPeriod(anchor: Instant, unit: CalendarUnit, step: number, at: Instant): Period {
	const whole = utc(anchor).until(utc(at), { largestUnit: unit })[unit];
	// `until` truncates toward zero and clamps differently at a month's end: step back or forth until [start, end) holds.
	let index = Math.floor(whole / step);
	while (addUnits(anchor, unit, index * step) > at) index -= 1;
	while (addUnits(anchor, unit, (index + 1) * step) <= at) index += 1;
	return { start: addUnits(anchor, unit, index * step), end: addUnits(anchor, unit, (index + 1) * step) };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the start of a day in UTC, where all days have the same length. */
export const startOfDay = (at: Instant): Instant => (Math.floor(at / dayMs) * dayMs) as Instant;

export const startOfMonth = (at: Instant): Instant => {
	const { year, month } = utc(at);
	return Date.UTC(year, month - 1, 1) as Instant;
};

/** Returns the start of a week in UTC. `weekday`: 1 is Monday, 7 is Sunday (ISO 8601). */
export function startOfWeek(at: Instant, weekday: number): Instant {
	const { year, month, day, dayOfWeek } = utc(at);
	return Date.UTC(year, month - 1, day - ((dayOfWeek - weekday + 7) % 7)) as Instant;
}

/** Returns the earliest instant; null if none is set, which means no end. */
export const earliest = (instants: readonly (Instant | null)[]): Instant | null =>
	instants.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);
