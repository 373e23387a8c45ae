import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import { dayNumber, type Period, startOfDayNumber } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import { costOfLevels, costOfSum, type LevelCost } from "../pricing/level-cost";
import { type LevelTerms, type LevelWindow, levelPriceId } from "../pricing/models/level";
import type { UsageOf } from "./operations";
import { costFold, daysFold, highestFold, type LevelFold } from "./reports/level-folds";
import { daysBetween, LevelCalculations } from "./reports/levels";
import { reportReader } from "./reports/operations";

/** Returns the highest level that was reported for a period, at least 0. A level that a later report of its instant replaced does not count. */
export const highestLevel = (work: Work, of: UsageOf, period: Period): Decimal =>
	calculated(work, of, period, highestFold);

/** Returns the cost of levels for their time: in milliseconds, or in days, each of which counts its highest level. */
export function timedCost(
	work: Work,
	of: UsageOf,
	terms: LevelTerms,
	part: Period,
	{ whole, since, days }: LevelWindow,
): LevelCost {
	if (!days) {
		const sum = calculated(work, of, part, costFold(terms, levelPriceId(terms)));
		return costOfSum(sum, terms, whole.end - whole.start);
	}
	const { timeZone, isEnd = false } = days;
	const numberOf = (at: Instant) => dayNumber(at, timeZone);
	const startOf = (day: number) => startOfDayNumber(day, timeZone);
	const [from, to] = [numberOf(whole.start), numberOf(whole.end)];
	const isWithinDay = startOf(numberOf(part.end)) < part.end;
	// The date of an end counts, up to the end.
	const end = Math.min(numberOf(part.end) + (isEnd && isWithinDay ? 1 : 0), to);
	const counted = daysBetween(numberOf(part.start), end, startOf);
	const [first, last] = [counted[0], counted.at(-1)];
	const fold = daysFold(counted);
	const time = first &&
		last && { start: later(first.start, since), end: isEnd && part.end < last.end ? part.end : last.end };
	const times = time ? calculated(work, of, time, fold) : fold.resultOf(fold.none);
	return costOfLevels(terms, times, Math.max(1, to - from));
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** A module constant: `work.prepared` finds the calculations of each connection by its identity. */
const buildCalculations = (_: Transaction): LevelCalculations => new LevelCalculations();

function calculated<State, Result>(
	work: Work,
	{ featureId, customerId, resourceId }: UsageOf,
	period: Period,
	fold: LevelFold<State, Result>,
): Result {
	const reader = reportReader(work);
	const series = reader.find({ featureId, customerId, resourceRef: resourceId ?? "" });
	if (series) return work.prepared(buildCalculations).resultOf(work, { reader, series, period }, fold);
	const summing = fold.from(fold.none);
	summing.add({ ...period, level: zero });
	return fold.resultOf(summing.pause());
}
