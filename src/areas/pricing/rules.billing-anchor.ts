import { type Instant, instantOf } from "../../kernel/clock";
import { assert, type DomainError, fail, unreachable } from "../../kernel/errors";
import {
	daysInMonth,
	hasMidnight,
	type Interval,
	type LocalDate,
	localDateOf,
	startOfLocalDate,
} from "../../kernel/period";
import type { BillingAnchor, CustomerBillingAnchor } from "./schema.billing-anchor";

/** The start of the periods that are counted, and their length. */
interface Counted {
	/** The start of billing, or the first boundary to be moved. */
	readonly from: Instant;
	readonly interval: Interval;
	readonly timeZone: string;
}

const isWeeks = ({ unit, count }: Interval): boolean => unit === "DAY" && count % 7 === 0;

/**
 * Returns the instant from which periods count. A month that is too short for the anchor's day ends on its last day.
 * Throws UnsupportedParameter for a length that an anchor does not fit; BadUserInput for a part that the length needs.
 */
export function anchorInstant(anchor: CustomerBillingAnchor, counted: Counted): Instant {
	const { from, interval, timeZone } = counted;
	const misfit = misfitOf(anchor, interval);
	if (misfit) throw misfit;
	switch (anchor.type) {
		case "SUBSCRIPTION_START":
			return from;
		case "START_OF_THE_MONTH":
			return firstOfMonth(counted);
		case "CALENDAR":
			// 3 January 2000 is a Monday. No clock changed in these days.
			return startOfLocalDate({ year: 2000, month: 1, day: isWeeks(interval) ? 3 : 1 }, timeZone);
		case "DAY":
			return interval.unit === "MONTH" ? dayOfMonth(anchor, counted) : dayOfWeek(anchor, counted);
		case "DATE":
			assert(anchor.date, "an anchor of type DATE has a date");
			return instantOf(anchor.date);
		default:
			return unreachable(anchor.type);
	}
}

/** Returns why periods of a length cannot count from an anchor; undefined if they can. */
function misfitOf(
	{ type, dayOfMonth: day, dayOfWeek: weekday }: BillingAnchor,
	interval: Interval,
	where = "billingAnchor",
): DomainError | undefined {
	const unfit = (lengths: string) =>
		fail("UnsupportedParameter", `${where}: ${type} needs a billing period of ${lengths}; choose another type.`);
	const isMonths = interval.unit === "MONTH";
	if (type === "CALENDAR" && !isMonths && interval.count !== 1 && !isWeeks(interval))
		return unfit("months, single days or whole weeks");
	if (type !== "DAY") return undefined;
	if (isMonths)
		return day === undefined
			? fail("BadUserInput", `${where}: DAY needs 'dayOfMonth' where the billing period has months.`)
			: undefined;
	if (!isWeeks(interval)) return unfit("months or whole weeks");
	return weekday === undefined
		? fail("BadUserInput", `${where}: DAY needs 'dayOfWeek' where the billing period has weeks.`)
		: undefined;
}

/** Whether periods of a length can count from an anchor. */
export const fitsInterval = (anchor: BillingAnchor, interval: Interval): boolean =>
	misfitOf(anchor, interval) === undefined;

/** Returns the first such day at or after the start, as a day that the month has in full, if one of the cycle has it. */
function dayOfMonth({ dayOfMonth: day, month }: BillingAnchor, { from, interval, timeZone }: Counted): Instant {
	assert(day !== undefined, "the anchor fits the length");
	const start = localDateOf(from, timeZone);
	for (let at = monthNumber(start); ; at += 1) {
		const first = dateIn(at, day);
		if (month !== undefined && first.month !== month) continue;
		if (startOfLocalDate(first, timeZone) < from) continue;
		return startOfFullest(at, day, interval.count, timeZone);
	}
}

function firstOfMonth({ from, interval: { unit, count }, timeZone }: Counted): Instant {
	const first = { ...localDateOf(from, timeZone), day: 1 };
	return unit === "MONTH"
		? startOfFullest(monthNumber(first), 1, count, timeZone)
		: startOfDays(first, count, timeZone);
}

/**
 * Returns the start of a day of a month. Periods also count backwards, so that a short first month does not shorten the others, and a
 * midnight that a clock change skips does not move them.
 */
function startOfFullest(at: number, day: number, count: number, timeZone: string): Instant {
	const rank = (date: LocalDate): number => 2 * date.day + (hasMidnight(date, timeZone) ? 1 : 0);
	let best = dateIn(at, day);
	// Eight years pass without a leap day at most; 48 periods of one month or longer are enough for each day.
	for (let nth = 1; nth <= 48 && rank(best) <= 2 * day; nth += 1) {
		const other = dateIn(at - nth * count, day);
		if (rank(other) > rank(best)) best = other;
	}
	return startOfLocalDate(best, timeZone);
}

/** Returns the start of a date, or that of the nearest earlier period whose midnight exists. */
function startOfDays(date: LocalDate, count: number, timeZone: string): Instant {
	let { day } = date;
	while (!hasMidnight({ ...date, day }, timeZone)) day -= count;
	return startOfLocalDate({ ...date, day }, timeZone);
}

function dayOfWeek({ dayOfWeek: day }: BillingAnchor, { from, interval: { count }, timeZone }: Counted): Instant {
	const start = localDateOf(from, timeZone);
	for (let ahead = 0; ; ahead += 1) {
		const date = { ...start, day: start.day + ahead };
		if (weekdayOf(date) === day && startOfLocalDate(date, timeZone) >= from) return startOfDays(date, count, timeZone);
	}
}

/** 1 is Monday. */
const weekdayOf = ({ year, month, day }: LocalDate): number =>
	((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7) + 1;

const monthNumber = ({ year, month }: LocalDate): number => year * 12 + month - 1;

function dateIn(monthNumber: number, day: number): LocalDate {
	const [year, month] = [Math.floor(monthNumber / 12), (monthNumber % 12) + 1];
	return { year, month, day: Math.min(day, daysInMonth(year, month)) };
}

/** Throws BadUserInput for parts that are missing, or that the type does not have. */
export function assertAnchor(anchor: BillingAnchor, where: string): void {
	const { type, dayOfMonth: day, month, dayOfWeek: weekday, date } = anchor;
	const isDay = type === "DAY";
	const refuse = (why: string) => fail("BadUserInput", `${where}: ${why}`);
	if (!isDay && (day ?? month ?? weekday) !== undefined)
		throw refuse(`${type} has no 'dayOfMonth', 'month' or 'dayOfWeek'; leave them out, or choose the type DAY.`);
	if (isDay && day === undefined && weekday === undefined)
		throw refuse("DAY needs 'dayOfMonth' for months, or 'dayOfWeek' for weeks.");
	if (month !== undefined && day === undefined) throw refuse("'month' needs 'dayOfMonth'.");
	if (type === "DATE" && date === undefined) throw refuse("DATE needs 'date', the start of one of its periods.");
	if (type !== "DATE" && date !== undefined) throw refuse(`${type} has no 'date'; leave it out, or choose DATE.`);
}

/**
 * Throws if periods of one of the lengths cannot count from an anchor, and BadUserInput for a part of DAY that none of them
 * needs.
 */
export function assertAnchorFits(anchor: BillingAnchor, intervals: readonly Interval[], where: string): void {
	const { type, dayOfMonth: day, dayOfWeek: weekday } = anchor;
	const has = (unit: Interval["unit"]) => intervals.some((interval) => interval.unit === unit);
	const unneeded =
		(weekday !== undefined && !has("DAY") && "dayOfWeek") || (day !== undefined && !has("MONTH") && "dayOfMonth");
	if (unneeded && type === "DAY" && intervals.length > 0)
		throw fail("BadUserInput", `${where}: '${unneeded}' does not go with this billing period; leave it out.`);
	for (const interval of intervals) {
		const misfit = misfitOf(anchor, interval, where);
		if (misfit) throw misfit;
	}
}
