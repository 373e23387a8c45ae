import type { Instant } from "../../../kernel/clock";
import { type Decimal, isLess, plus, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { LevelTime } from "../../pricing/models/level";
import type { ReportReader } from "./reader";
import type { UsageReportSeriesRow } from "./table";

/** Reports in memory at once. */
const reportsPerPage = 5_000;

/** Levels in memory at once. Most series have few. */
const levelsAtOnceMax = 10_000;

/** A time without a change of the level. */
interface Stretch extends Period {
	readonly level: Decimal;
}

/** Yields the level of a series over a period, in order of time. A level below 0 counts as 0. */
export function* levelsOver(
	reader: ReportReader,
	series: UsageReportSeriesRow,
	{ start, end }: Period,
): Generator<Stretch> {
	if (start >= end) return;
	let level = reader.levelAt(series, start);
	let since = start;
	for (const { at, delta } of changesOf(reader, series, { start, end })) {
		if (at > since) yield { level: atLeastZero(level), start: since, end: at };
		level = plus(level, delta);
		since = at;
	}
	yield { level: atLeastZero(level), start: since, end };
}

/** Yields the reports of a period in order of time. */
function* changesOf({ statements }: ReportReader, { id: seriesId }: UsageReportSeriesRow, { start, end }: Period) {
	for (let [at, position] = [start, 0]; ; ) {
		const page = statements.changes.all({ seriesId, at, position, end, rowsMax: reportsPerPage });
		yield* page;
		const last = page.at(-1);
		if (!last || page.length < reportsPerPage) return;
		({ at, position } = last);
	}
}

const atLeastZero = (level: Decimal): Decimal => (isLess(level, zero) ? zero : level);

/** Returns the highest level in a period. */
export function highestOf(stretches: Iterable<Stretch>): Decimal {
	let highest = zero;
	for (const { level } of stretches) if (isLess(highest, level)) highest = level;
	return highest;
}

/** Yields the milliseconds of each level. A series with many levels may yield one several times. */
export function* timesOf(stretches: Iterable<Stretch>): Generator<LevelTime> {
	const times = new Map<Decimal, number>();
	for (const { level, start, end } of stretches) {
		if (times.size >= levelsAtOnceMax && !times.has(level)) {
			yield* listed(times);
			times.clear();
		}
		times.set(level, (times.get(level) ?? 0) + end - start);
	}
	yield* listed(times);
}

const listed = (times: ReadonlyMap<Decimal, number>): LevelTime[] =>
	Array.from(times, ([level, time]) => ({ level, time }));

/** Yields the days of each highest level. `days` are half-open, ascending and adjacent. */
export function daysOf(stretches: Iterable<Stretch>, days: readonly Period[]): LevelTime[] {
	const highest = days.map(() => zero);
	let day = 0;
	for (const { level, start, end } of stretches) {
		while (day < days.length && (days[day]?.end ?? 0) <= start) day += 1;
		for (let at = day; at < days.length && (days[at]?.start ?? 0) < end; at += 1)
			if (isLess(highest[at] ?? zero, level)) highest[at] = level;
	}
	const counts = new Map<Decimal, number>();
	for (const level of highest) counts.set(level, (counts.get(level) ?? 0) + 1);
	return listed(counts);
}

/** Returns the local days from one date to another, without the last one. `startOf` returns the start of a day. */
export const daysBetween = (from: number, to: number, startOf: (day: number) => Instant): Period[] =>
	Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
		start: startOf(from + at),
		end: startOf(from + at + 1),
	}));
