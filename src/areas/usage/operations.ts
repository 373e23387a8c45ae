import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import { ExactSum } from "./exact-sum";
import { type HistoryPoint, historyBase, historyInstants, type Reset, runningTotals } from "./history";
import { hourOf } from "./hours";
import { type Series, type UsageKey, UsageReader } from "./reader";
import { eventsOfHour } from "./store";
import { readDimensions } from "./tally";

/** A module constant: its identity is what `work.prepared` remembers the reader of each connection by. */
const buildReader = (tx: Transaction): UsageReader => new UsageReader(tx);

export interface UsageOf {
	/** Row id of the feature. */
	readonly featureId: string;
	/** Row id of the customer. */
	readonly customerId: string;
	/** The *caller's* id of the resource (`refId`), as events name it; null for the usage that names no resource. */
	readonly resourceId: string | null;
}

/**
 * What the feature's meter has counted with start ≤ timestamp < end; over all time when `period` is null. Exact to the
 * millisecond. Follows the log within about 100 ms; 0 where there is no meter, or nothing was counted.
 */
export const currentUsage = (work: Work, { period, ...of }: UsageOf & { readonly period: Period | null }): Decimal =>
	work.prepared(buildReader).current(keyOf(work, of), period);

/** How many events of the log are not in the totals yet. Meters that are new and still filling are not looked at. */
export function usageLag(work: Work): number {
	const { statements } = work.prepared(buildReader);
	return (statements.lastEvent.get()?.id ?? 0) - (statements.cursor.get()?.postedTo ?? 0);
}

const keyOf = ({ actor }: Work, { featureId, customerId, resourceId }: UsageOf): UsageKey => ({
	environmentId: actor.environmentId,
	featureId,
	customerId,
	resourceRef: resourceId ?? "",
});

export interface HistoryQuery extends UsageOf {
	readonly period: Period;
	/** Dimensions to split by; none for one series of all. */
	readonly groupBy: readonly string[];
	/** The entitlement's resets within the period, and the last one before it. */
	readonly resets: readonly Reset[];
}

export interface HistorySeries {
	readonly tags: ReadonlyArray<{ readonly key: string; readonly value: string }>;
	readonly points: readonly HistoryPoint[];
}

/** Our choices: beyond these the caller is asked to narrow the period. */
const groupedEventsMax = 200_000;
const groupsMax = 100;

/**
 * The running total since the last reset, as points over time (semantics 10.1; that it is the running total is our
 * reading of `isResetPoint`). With `groupBy` one series for each combination of values, an absent dimension being "".
 */
export function usageHistory(work: Work, { period, resets, groupBy, ...of }: HistoryQuery): HistorySeries[] {
	const reader = work.prepared(buildReader);
	const instants = historyInstants(period, resets);
	const series = reader.find(keyOf(work, of));
	const starts = [historyBase(period.start, resets), ...instants];
	const periods = instants.map((end, index) => ({ start: starts[index] ?? end, end }));
	if (groupBy.length === 0) {
		const increments = periods.map((one) => (series ? reader.sumWithin(series, one) : zero));
		return [{ tags: [], points: runningTotals(instants, resets, increments) }];
	}
	const groups = series ? groupedIncrements(reader, series, periods, groupBy) : new Map<string, ExactSum[]>();
	return [...groups].map(([group, sums]) => ({
		tags: (JSON.parse(group) as string[]).map((value, at) => ({ key: groupBy[at] ?? "", value })),
		points: runningTotals(
			instants,
			resets,
			sums.map(({ value }) => value),
		),
	}));
}

/** By the JSON of the group's values: what each of the adjoining periods adds. From the raw events. */
function groupedIncrements(
	{ statements }: UsageReader,
	series: Series,
	periods: readonly Period[],
	groupBy: readonly string[],
): Map<string, ExactSum[]> {
	const groups = new Map<string, ExactSum[]>();
	const ends = periods.map(({ end }) => end);
	const [start, end] = [periods[0]?.start ?? 0, periods.at(-1)?.end ?? 0];
	let read = 0;
	for (let from = hourOf(start as Instant); ; ) {
		const hour = statements.nextHour.get({ subjectId: series.subjectId, from })?.hour;
		if (hour === undefined || hour > hourOf(end as Instant)) return groups;
		from = hour + 1;
		for (const { events } of eventsOfHour(statements, series.subjectId, hour)) {
			read += events.length;
			if (read > groupedEventsMax)
				throw fail(
					"BadUserInput",
					`query/groupBy: the period holds more than ${groupedEventsMax} events; ask for a shorter one.`,
				);
			for (const { at, eventName, dimensions } of events) {
				const event = { eventName, dimensions: readDimensions(dimensions) };
				if (at < start || at >= end || !series.takes(event)) continue;
				const values = groupBy.map((key) => String(Object.hasOwn(event.dimensions, key) ? event.dimensions[key] : ""));
				const group = JSON.stringify(values);
				const sums = groups.get(group) ?? periods.map(() => new ExactSum());
				groups.set(group, sums);
				if (groups.size > groupsMax)
					throw fail(
						"BadUserInput",
						`query/groupBy: there are more than ${groupsMax} groups; choose another dimension.`,
					);
				sums[periodOf(ends, at)]?.add(series.valueOf(event));
			}
		}
	}
}

/** The first period that ends after `at`. */
function periodOf(ends: readonly Instant[], at: Instant): number {
	let [from, to] = [0, ends.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((ends[middle] ?? 0) <= at) from = middle + 1;
		else to = middle;
	}
	return from;
}
