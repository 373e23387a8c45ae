import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import type { Aggregate, Summary } from "./aggregation/aggregate";
import { hourMs } from "./hours";
import type { MarkerType } from "./schema";

/** An instant at which counting starts from zero. The caller knows the entitlement's resets, usage does not. */
export interface Reset {
	readonly at: Instant;
	readonly type: MarkerType;
}

export interface HistoryPoint {
	readonly at: Instant;
	readonly value: Decimal;
	readonly isResetPoint: boolean;
}

const dayMs = 24 * hourMs;

/** Our choices (docs/interface/usage.md#history): hours within a week, days within two years, weeks beyond. */
const steps = [
	{ spanMs: 7 * dayMs, stepMs: hourMs },
	{ spanMs: 731 * dayMs, stepMs: dayMs },
	{ spanMs: 7000 * dayMs, stepMs: 7 * dayMs },
] as const;

/** No chart shows a series with this many resets. */
const resetsMax = 1000;

/**
 * Returns the instants of a history: both ends, full hours (days, weeks) between them, and every reset. Ascending, each
 * once.
 */
export function historyInstants({ start, end }: Period, resets: readonly Reset[]): Instant[] {
	if (start >= end) throw fail("BadUserInput", "query/endDate: must lie after startDate.");
	const step = steps.find(({ spanMs }) => end - start <= spanMs);
	if (!step) throw fail("BadUserInput", "query/startDate: a history covers at most 7000 days; ask for a later start.");
	const within = resets.filter(({ at }) => start < at && at < end);
	if (within.length > resetsMax)
		throw fail(
			"BadUserInput",
			`query/startDate: the period holds more than ${resetsMax} resets; ask for a later start.`,
		);
	const instants = new Set<Instant>([start, end, ...within.map(({ at }) => at)]);
	for (let at = (Math.floor(start / step.stepMs) + 1) * step.stepMs; at < end; at += step.stepMs)
		instants.add(at as Instant);
	return [...instants].sort((one, other) => one - other);
}

/**
 * Returns the instant at which the running total of a history was zero: the last reset before its start, or the start.
 */
export function historyBase(start: Instant, resets: readonly Reset[]): Instant {
	const before = resets.filter(({ at }) => at <= start).map(({ at }) => at);
	return (
		before.reduce<Instant | undefined>(
			(latest, at) => (latest === undefined || at > latest ? at : latest),
			undefined,
		) ?? start
	);
}

/**
 * Returns the meter's value since the last reset, at each instant (of the events before it; a check then would have
 * shown it). `increments[i]` is the amount between the instant before the i-th and the i-th; the first one counts from
 * the base.
 */
export function runningValues(
	instants: readonly Instant[],
	resets: readonly Reset[],
	start: () => Aggregate,
	increments: ReadonlyArray<Summary | undefined>,
): HistoryPoint[] {
	const resetAt = new Set(resets.map(({ at }) => at));
	let running = start();
	return instants.map((at, index) => {
		const isResetPoint = resetAt.has(at);
		const increment = increments[index];
		if (isResetPoint) running = start();
		else if (increment) running.merge(increment);
		return { at, value: running.value, isResetPoint };
	});
}
