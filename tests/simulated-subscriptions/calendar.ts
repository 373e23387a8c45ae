/** The oracle's own calendar: the Gregorian one in UTC, by counting days, without the dates of the runtime. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export interface Span {
	readonly start: number;
	readonly end: number;
}

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** `month` counts from 0. */
const lengthOf = (year: number, month: number) => (month === 1 && isLeap(year) ? 29 : (lengths[month] ?? 0));
const yearLength = (year: number) => (isLeap(year) ? 366 : 365);

/** Days from the first of 1970 to the first of a year. */
const yearStarts = new Map<number, number>([[1970, 0]]);
function yearStart(year: number): number {
	const known = yearStarts.get(year);
	if (known !== undefined) return known;
	const start = year > 1970 ? yearStart(year - 1) + yearLength(year - 1) : yearStart(year + 1) - yearLength(year);
	yearStarts.set(year, start);
	return start;
}

interface Civil {
	readonly year: number;
	readonly month: number;
	/** From 0. */
	readonly day: number;
	readonly ms: number;
}

function civilOf(at: number): Civil {
	const days = Math.floor(at / dayMs);
	let year = 1970 + Math.floor(days / 365.2425);
	while (yearStart(year) > days) year -= 1;
	while (yearStart(year + 1) <= days) year += 1;
	let day = days - yearStart(year);
	let month = 0;
	while (day >= lengthOf(year, month)) {
		day -= lengthOf(year, month);
		month += 1;
	}
	return { year, month, day, ms: at - days * dayMs };
}

function instantOf({ year, month, day, ms }: Civil): number {
	let days = yearStart(year) + day;
	for (let before = 0; before < month; before += 1) days += lengthOf(year, before);
	return days * dayMs + ms;
}

/** Adds months; the day is clamped to the month's last day. */
export function addMonths(at: number, count: number): number {
	const { year, month, day, ms } = civilOf(at);
	const months = year * 12 + month + count;
	const target = { year: Math.floor(months / 12), month: ((months % 12) + 12) % 12 };
	return instantOf({ ...target, day: Math.min(day, lengthOf(target.year, target.month) - 1), ms });
}

/** Returns the span of `step` months, counted from the anchor, that contains an instant. */
export function monthsAround(anchor: number, step: number, at: number): Span {
	const [from, to] = [civilOf(anchor), civilOf(at)];
	let index = Math.floor(((to.year - from.year) * 12 + to.month - from.month) / step);
	while (addMonths(anchor, index * step) > at) index -= 1;
	while (addMonths(anchor, (index + 1) * step) <= at) index += 1;
	return { start: addMonths(anchor, index * step), end: addMonths(anchor, (index + 1) * step) };
}

/** Like `monthsAround`, with a fixed length. */
export function lengthsAround(anchor: number, lengthMs: number, at: number): Span {
	const start = anchor + Math.floor((at - anchor) / lengthMs) * lengthMs;
	return { start, end: start + lengthMs };
}

/** Numbers the dates of months that all have thirty days: the last day of each is its 30th. */
export function thirtyDayNumber(at: number): number {
	const { year, month, day } = civilOf(at);
	return 360 * year + 30 * month + (day + 1 === lengthOf(year, month) ? 30 : day + 1);
}

/**
 * Returns a midnight on a day of a month, from which periods of `step` months count: the first such day from an instant
 * on, in its month or in a given one (from 0). A month that is too short for the day has its last day instead; the
 * result is then in an earlier month of the cycle that has the day.
 */
export function dayAnchor(at: number, dayOfMonth: number, step: number, month?: number): number {
	const { year, month: own } = civilOf(at);
	const midnight = (months: number) => {
		const [inYear, inMonth] = [Math.floor(months / 12), ((months % 12) + 12) % 12];
		return instantOf({ year: inYear, month: inMonth, day: Math.min(dayOfMonth, lengthOf(inYear, inMonth)) - 1, ms: 0 });
	};
	let months = year * 12 + (month ?? own);
	if (month === undefined && midnight(months) < at) months += 1;
	for (let back = 0; back < 12; back += 1) {
		const found = midnight(months - back * step);
		if (civilOf(found).day === dayOfMonth - 1) return found;
	}
	return midnight(months);
}

export const firstOfMonth = (at: number): number => instantOf({ ...civilOf(at), day: 0, ms: 0 });
