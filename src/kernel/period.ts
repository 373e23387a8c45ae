import type { Instant } from "./clock";
import { assert } from "./errors";

/** A half-open range of time: [start, end). */
export interface Period {
	readonly start: Instant;
	readonly end: Instant;
}

/** The length of a period on the calendar. A week is 7 DAY and a year 12 MONTH, so that equal lengths are equal values. */
export interface Interval {
	readonly unit: "DAY" | "MONTH";
	/** A whole number, at least 1. */
	readonly count: number;
}

export const oneWeek: Interval = { unit: "DAY", count: 7 };
export const oneMonth: Interval = { unit: "MONTH", count: 1 };
export const oneYear: Interval = { unit: "MONTH", count: 12 };

/** The zone in which Tollgate counts unless a zone is given. */
export const utc = "UTC";

/**
 * Periods of one length without a gap between them. Each begins at the local date and time of the anchor, moved by whole
 * intervals. Every boundary counts from the anchor, so an anchor on the 31st never drifts.
 */
export interface Recurrence {
	readonly anchorAt: Instant;
	readonly interval: Interval;
	/** An IANA time zone. Missing: UTC. */
	readonly timeZone?: string;
}

/**
 * Returns the start of the period with an index; the anchor starts period 0. A month that is too short for the anchor's day
 * uses its last day. A local time that a clock change skips moves forward by the gap; of two equal ones the first counts.
 */
export function boundary({ anchorAt, interval: { unit, count }, timeZone = utc }: Recurrence, index: number): Instant {
	const anchor = localTimeOf(anchorAt, timeZone);
	return instantOf(unit === "DAY" ? anchor + index * count * dayMs : addLocalMonths(anchor, index * count), timeZone);
}

/** Returns the index of the period that contains an instant, which may be before the anchor. */
export function indexAt(recurrence: Recurrence, at: Instant): number {
	const { anchorAt, interval, timeZone = utc } = recurrence;
	const [anchor, local] = [localTimeOf(anchorAt, timeZone), localTimeOf(at, timeZone)];
	const units = interval.unit === "DAY" ? (local - anchor) / dayMs : monthOf(local) - monthOf(anchor);
	let index = Math.floor(units / interval.count);
	// Months of the calendar begin before those of the anchor, and clock changes move boundaries.
	while (boundary(recurrence, index) > at) index -= 1;
	while (boundary(recurrence, index + 1) <= at) index += 1;
	return index;
}

/** The number of cached periods. Each takes about a hundred bytes. */
const periodsRememberedMax = 10_000;
const remembered = new Map<string, Period>();

/**
 * Returns the period that contains an instant. Where a zone skips a whole day, periods of no length do not exist. The last
 * period of each recurrence is cached: nearly all calls are about now.
 */
export function periodContaining(recurrence: Recurrence, at: Instant): Period {
	const { anchorAt, interval, timeZone = utc } = recurrence;
	const key = `${anchorAt} ${interval.count} ${interval.unit} ${timeZone}`;
	const last = remembered.get(key);
	if (last && last.start <= at && at < last.end) return last;
	if (remembered.size >= periodsRememberedMax) remembered.clear();
	const index = indexAt(recurrence, at);
	const period = { start: boundary(recurrence, index), end: boundary(recurrence, index + 1) };
	remembered.set(key, period);
	return period;
}

export const addMinutes = (at: Instant, count: number): Instant => (at + count * minuteMs) as Instant;
export const addHours = (at: Instant, count: number): Instant => (at + count * hourMs) as Instant;
/** Adds days of 24 hours, as UTC has them. */
export const addDays = (at: Instant, count: number): Instant => (at + count * dayMs) as Instant;
/** Adds months in UTC. A month that is too short for the day uses its last day. */
export const addMonths = (at: Instant, count: number): Instant => addLocalMonths(at, count) as Instant;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Returns the start of an hour in UTC. */
export const startOfHour = (at: Instant): Instant => (Math.floor(at / hourMs) * hourMs) as Instant;

/** Returns the start of a day in UTC. */
export const startOfDay = (at: Instant): Instant => (Math.floor(at / dayMs) * dayMs) as Instant;

/** Returns the start of a month in UTC. */
export const startOfMonth = (at: Instant): Instant => new Date(startOfDay(at)).setUTCDate(1) as Instant;

/** Returns the start of a week in UTC. `weekday`: 1 is Monday, 7 is Sunday (ISO 8601). */
export function startOfWeek(at: Instant, weekday: number): Instant {
	const day = startOfDay(at);
	return addDays(day, -((new Date(day).getUTCDay() - weekday + 7) % 7));
}

/**
 * Returns the number of the local date, where 1 January 1970 is 0. A day begins with its first midnight, so a clock that is
 * set back over midnight does not return to the day before.
 */
export function dayNumber(at: Instant, timeZone: string): number {
	const day = Math.floor(localTimeOf(at, timeZone) / dayMs);
	return startOfDayNumber(day + 1, timeZone) <= at ? day + 1 : day;
}

/** Returns the start of a local day by its number. */
export const startOfDayNumber = (day: number, timeZone: string): Instant => instantOf(day * dayMs, timeZone);

/** Returns an hour of a local day by its number. A skipped hour moves forward by the gap, and of two equal ones the first counts. */
export const atLocalHour = (day: number, hour: number, timeZone: string): Instant =>
	instantOf(day * dayMs + hour * hourMs, timeZone);

/** A date in a time zone. */
export interface LocalDate {
	readonly year: number;
	/** 1 is January. */
	readonly month: number;
	readonly day: number;
}

export function localDateOf(at: Instant, timeZone: string): LocalDate {
	const date = new Date(dayNumber(at, timeZone) * dayMs);
	return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns the start of a date. A day after the last of its month belongs to the next month. */
export const startOfLocalDate = ({ year, month, day }: LocalDate, timeZone: string): Instant =>
	startOfDayNumber(Date.UTC(year, month - 1, day) / dayMs, timeZone);

/** Whether a date begins at midnight. A clock change can skip a midnight, or a whole day. */
export const hasMidnight = (date: LocalDate, timeZone: string): boolean =>
	localTimeOf(startOfLocalDate(date, timeZone), timeZone) === Date.UTC(date.year, date.month - 1, date.day);

export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Returns the earliest instant; null if none is set, which means no end. */
export const earliest = (instants: readonly (Instant | null)[]): Instant | null =>
	instants.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);

/** A date and time on the wall, as the milliseconds at which UTC shows it. */
type LocalTime = number;

function localTimeOf(at: Instant, timeZone: string): LocalTime {
	if (timeZone === utc) return at;
	return at + Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1_000_000;
}

/** "compatible": a skipped time moves forward by the gap, and of two equal times the first counts. */
function instantOf(local: LocalTime, timeZone: string): Instant {
	if (timeZone === utc) return local as Instant;
	const wall = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO(utc).toPlainDateTime();
	return wall.toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds as Instant;
}

function addLocalMonths(local: LocalTime, count: number): LocalTime {
	const date = new Date(local);
	const day = date.getUTCDate();
	date.setUTCMonth(date.getUTCMonth() + count);
	// The 31st of a month with 30 days overflows to the 1st of the next one; day 0 of that is the last day.
	if (date.getUTCDate() !== day) date.setUTCDate(0);
	assert(!Number.isNaN(date.getTime()), "the months end within the calendar");
	return date.getTime();
}

/** Returns the number of the month, counted from the year 0. */
function monthOf(local: LocalTime): number {
	const date = new Date(local);
	return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
