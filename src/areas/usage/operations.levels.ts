import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import { dayNumber, type Period, startOfDayNumber } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import type { LevelTime, LevelWindow } from "../pricing/models/level";
import type { UsageOf } from "./operations";
import { daysBetween, daysOf, highestOf, levelsOver, timesOf } from "./reports/levels";
import { reportReader } from "./reports/operations";

/** Returns the highest level that was reported for a period, at least 0. A level that a later report of its instant replaced does not count. */
export const highestLevel = (work: Work, of: UsageOf, period: Period): Decimal =>
	highestOf(stretchesOf(work, of, period));

/** The levels of a counted part of a window, and the length of the whole window in the same unit. */
interface TimedLevels {
	readonly times: Iterable<LevelTime>;
	readonly wholeTime: number;
}

/** Returns the time of each level: in milliseconds, or in days, each of which counts its highest level. */
export function timedLevels(work: Work, of: UsageOf, part: Period, { whole, since, days }: LevelWindow): TimedLevels {
	if (!days) return { times: timesOf(stretchesOf(work, of, part)), wholeTime: whole.end - whole.start };
	const { timeZone, isEnd = false } = days;
	const numberOf = (at: Instant) => dayNumber(at, timeZone);
	const startOf = (day: number) => startOfDayNumber(day, timeZone);
	const [from, to] = [numberOf(whole.start), numberOf(whole.end)];
	const isWithinDay = startOf(numberOf(part.end)) < part.end;
	// The date of an end counts, up to the end.
	const end = Math.min(numberOf(part.end) + (isEnd && isWithinDay ? 1 : 0), to);
	const counted = daysBetween(numberOf(part.start), end, startOf);
	const [first, last] = [counted[0], counted.at(-1)];
	const time = first &&
		last && { start: later(first.start, since), end: isEnd && part.end < last.end ? part.end : last.end };
	return {
		times: daysOf(time ? stretchesOf(work, of, time) : [], counted),
		wholeTime: Math.max(1, to - from),
	};
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);

function stretchesOf(work: Work, { featureId, customerId, resourceId }: UsageOf, period: Period) {
	const reader = reportReader(work);
	const series = reader.find({ featureId, customerId, resourceRef: resourceId ?? "" });
	return series ? levelsOver(reader, series, period) : [{ ...period, level: zero }];
}
