import type { Instant } from "../../../kernel/clock";
import { type Decimal, plus, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { type HistoryPoint, historyBase, type Reset } from "../history";
import type { ReportReader } from "./reader";
import type { UsageReportSeriesRow } from "./table";

/** Our choices (docs/interface/usage.md#limits), as for events: beyond these, the caller must narrow the period. */
const groupedReportsMax = 200_000;
const groupsMax = 100;

const beginningOfTime = -8.64e15 as Instant;

interface Asked {
	/** Ascending, each once. */
	readonly instants: readonly Instant[];
	readonly resets: readonly Reset[];
	/** Dimensions to split by; empty for one series of everything. */
	readonly groupBy: readonly string[];
}

interface ReportedHistory {
	readonly tags: ReadonlyArray<{ readonly key: string; readonly value: string }>;
	readonly points: readonly HistoryPoint[];
}

/**
 * Returns the reported usage up to each instant: since the last reset, or of all time for a level, which never resets.
 */
export function reportedSeries(
	reader: ReportReader,
	series: UsageReportSeriesRow,
	{ instants, resets, groupBy }: Asked,
): ReportedHistory[] {
	const [first = beginningOfTime] = instants;
	const base = series.isLevel ? beginningOfTime : historyBase(first, resets);
	const starts = [base, ...instants];
	const runningOf = (increments: readonly Decimal[]) => running(series, instants, resets, increments);
	if (groupBy.length > 0) {
		const groups = groupedIncrements(reader, series, starts, groupBy);
		return [...groups].map(([group, increments]) => ({
			tags: (JSON.parse(group) as string[]).map((value, at) => ({ key: groupBy[at] ?? "", value })),
			points: runningOf(increments),
		}));
	}
	const increments = instants.map((end, at) => reader.readSum(series, { start: starts[at] ?? end, end }));
	return [{ tags: [], points: runningOf(increments) }];
}

function running(
	{ isLevel }: UsageReportSeriesRow,
	instants: readonly Instant[],
	resets: readonly Reset[],
	increments: readonly Decimal[],
): HistoryPoint[] {
	const resetAt = new Set(resets.map(({ at }) => at));
	let value = zero;
	return instants.map((at, index) => {
		const isResetPoint = resetAt.has(at);
		value = isResetPoint && !isLevel ? zero : plus(value, increments[index] ?? zero);
		return { at, value, isResetPoint };
	});
}

/** Returns the amount of each stretch between two instants, by the JSON of the group's values. */
function groupedIncrements(
	{ statements }: ReportReader,
	{ id: seriesId }: UsageReportSeriesRow,
	starts: readonly Instant[],
	groupBy: readonly string[],
): Map<string, Decimal[]> {
	const [start = beginningOfTime, end = start] = [starts[0], starts.at(-1)];
	const rows = statements.dimensions.all({ seriesId, start, end, rowsMax: groupedReportsMax + 1 });
	if (rows.length > groupedReportsMax)
		throw fail(
			"BadUserInput",
			`query/groupBy: there are more than ${groupedReportsMax} reports to look at; ask for a shorter period.`,
		);
	const groups = new Map<string, Decimal[]>();
	for (const { at, delta, dimensions } of rows) {
		const group = JSON.stringify(groupBy.map((key) => String(dimensions?.[key] ?? "")));
		const increments = groups.get(group) ?? starts.slice(1).map(() => zero);
		groups.set(group, increments);
		if (groups.size > groupsMax)
			throw fail("BadUserInput", `query/groupBy: there are more than ${groupsMax} groups; choose another dimension.`);
		const index = stretchOf(starts, at);
		increments[index] = plus(increments[index] ?? zero, delta);
	}
	return groups;
}

/** Returns the last stretch that begins at or before `at`. */
function stretchOf(starts: readonly Instant[], at: Instant): number {
	let [from, to] = [0, starts.length - 1];
	while (from + 1 < to) {
		const middle = (from + to) >> 1;
		if ((starts[middle] ?? 0) <= at) from = middle;
		else to = middle;
	}
	return from;
}
