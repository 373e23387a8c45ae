declare const instant: unique symbol;

/** Milliseconds since the epoch, UTC. */
export type Instant = number & { readonly [instant]: true };

export const toIso = (at: Instant): string => new Date(at).toISOString();
export const toIsoOrNull = (at: Instant | null): string | null => (at === null ? null : toIso(at));

/**
 * The machine's clock. An environment uses it unless it has a test clock (kernel/storage/transactions.ts,
 * `TransactionsOptions.testClocks`).
 */
export interface Clock {
	now(): Instant;
}

/** The only reader of the machine's time. All other code uses `work.now`, or `work.machineNow` for limits that protect the machine. */
export const wallClock: Clock = { now: () => Date.now() as Instant };

const isoPattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * Parses an ISO 8601 date-time with a zone; undefined for any other text. Stricter than `Date.parse` and the "date-time" format:
 * rejects a date alone, a missing zone and the 30th of February.
 */
export const parseInstant = (text: string): Instant | undefined => ordinaryInstant(text) ?? exactInstant(text);

function exactInstant(text: string): Instant | undefined {
	const parts = isoPattern.exec(text);
	if (!parts) return undefined;
	const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
	// `Date.UTC` maps the years 0 to 99 to 1900 to 1999, so the year is set apart.
	const date = new Date(0);
	date.setUTCFullYear(year, month - 1, day);
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : (at as Instant);
}

/** The length of the usual form, "2026-01-31T00:00:00.000Z". */
const ordinaryLength = 24;
const [dash, dot, colon, letterT, letterZ] = [45, 46, 58, 84, 90];

/**
 * Parses the usual form by its digits, about ten times as fast as a pattern: every event has a timestamp. Returns undefined for any other
 * text, which is then parsed exactly.
 */
function ordinaryInstant(text: string): Instant | undefined {
	if (text.length !== ordinaryLength || !hasOrdinaryMarks(text)) return undefined;
	const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
	const month = twoDigits(text, 5);
	const day = twoDigits(text, 8);
	const hour = twoDigits(text, 11);
	const minute = twoDigits(text, 14);
	const second = twoDigits(text, 17);
	const ms = digit(text, 20) * 100 + twoDigits(text, 21);
	// A character that is not a digit makes a number NaN, and every comparison with NaN is false.
	const isDate = year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
	const isTime = hour < 24 && minute < 60 && second < 60 && ms < 1000;
	if (!isDate || !isTime) return undefined;
	return ((((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms) as Instant;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;
const daysIn = (year: number, month: number): number =>
	(daysBefore[month] ?? 0) - (daysBefore[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);

/** Returns the days since 1 January 1970, by the Gregorian calendar. */
function dayNumber(year: number, month: number, day: number): number {
	const past = year - 1;
	const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
	const inYear = (daysBefore[month - 1] ?? 0) + (month > 2 && isLeap(year) ? 1 : 0) + day - 1;
	return past * 365 + leapDays + inYear - daysToEpoch;
}

/** The days from 1 January of the year 1 to 1 January 1970. */
const daysToEpoch = 719_162;

const hasOrdinaryMarks = (text: string): boolean =>
	text.charCodeAt(4) === dash &&
	text.charCodeAt(7) === dash &&
	text.charCodeAt(10) === letterT &&
	text.charCodeAt(13) === colon &&
	text.charCodeAt(16) === colon &&
	text.charCodeAt(19) === dot &&
	text.charCodeAt(23) === letterZ;

function digit(text: string, at: number): number {
	const value = text.charCodeAt(at) - 48;
	return value >= 0 && value <= 9 ? value : Number.NaN;
}

const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

/** Parses a text that a schema has validated. */
export function instantOf(text: string): Instant {
	const at = parseInstant(text);
	if (at === undefined) throw new Error(`Assertion failed: the schema has checked the instant '${text}'`);
	return at;
}
