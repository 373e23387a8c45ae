import type { Instant } from "../../kernel/clock";
import { type Decimal, toWire, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import type { Summary } from "./aggregation/aggregate";
import { type HistoryPoint, historyBase, historyInstants, type Reset, runningValues } from "./history";
import { groupedIncrements } from "./reading/grouped";
import { UsageReader } from "./reading/reader";
import { buildRecent, type CountedEvent, recentEvents } from "./reading/recent-events";
import type { Series, UsageKey } from "./reading/series";
import { reportedSeries } from "./reports/history";
import { reportReader } from "./reports/operations";
import { newestReports } from "./reports/operations.recent";

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
 * What counts within a period, exact to the millisecond, over all time when it is null. Of a feature with a meter the meter's
 * value over the events with start ≤ timestamp < end, which follows the log within about 100 ms. Of one whose usage is
 * reported the sum of what was reported, at once; of a FLUCTUATING one what it had come to at the period's end. 0 where there
 * is neither.
 */
export function currentUsage(work: Work, of: UsageOf & { readonly period: Period | null }): Decimal {
	const { usageCommits } = work;
	const key = keyOf(work, of);
	const remembered = work.built(buildReader)?.remembered(key, of.period, usageCommits);
	return remembered ?? work.prepared(buildReader).current(key, of.period, usageCommits) ?? reportedUsage(work, of);
}

/** As `currentUsage`, of a feature that is known to have no meter. */
export function reportedUsage(work: Work, { period, ...of }: UsageOf & { readonly period: Period | null }): Decimal {
	const reader = reportReader(work);
	const reported = reader.findIn(work, reportedOf(of));
	return reported ? reader.within(reported, period) : zero;
}

/** The days that an instant can lie in. */
const always: Period = { start: -8.64e15 as Instant, end: 8.64e15 as Instant };

/** What the feed of events calls a report of usage. */
const reportedName = "$usage.reported";

/**
 * The newest of what was counted within a period, of all time when it is null: events that the feature's meter took, or
 * reports, each with what it adds. Looks at a bounded number of the subject's events, whatever the period.
 */
export function recentlyCounted(
	work: Work,
	{ period, ...of }: UsageOf & { readonly period: Period | null },
	eventsMax: number,
): CountedEvent[] {
	const reported = reportReader(work).find(reportedOf(of));
	if (reported)
		return newestReports(work, reported, period ?? always, eventsMax).map(({ at, id, idempotencyKey, delta }) => ({
			at,
			eventName: reportedName,
			idempotencyKey: idempotencyKey ?? id,
			value: toWire(delta),
		}));
	const reader = work.prepared(buildReader);
	const series = reader.find(keyOf(work, of));
	if (!series) return [];
	return recentEvents(work.prepared(buildRecent), reader.statements, series, period ?? always, eventsMax);
}

/**
 * How often what a feature's meter has counted has changed: once for each event that came, and once more for each that was
 * taken back; or the reports of one whose usage is reported. The number only grows: where it is the same, so is every total.
 */
export interface CountedEvents {
	/** Null while no event was counted. Another meter's counts cannot be compared. */
	readonly meterId: string | null;
	/** Of a level every event counts in its own time and in all later ones. */
	readonly isLevel: boolean;
	/** Those that change what the period comes to. */
	within(period: Period): number;
	before(at: Instant): number;
}

/** In the place of a meter's id, which is a UUID. */
const reportsId = "reports";

export function countedEvents(work: Work, of: UsageOf): CountedEvents {
	const reports = reportReader(work);
	const reported = reports.find(reportedOf(of));
	if (reported)
		return {
			meterId: reportsId,
			isLevel: reported.isLevel,
			within: (period) => reports.reportsWithin(reported, period),
			before: (at) => reports.reportsBefore(reported, at),
		};
	const reader = work.prepared(buildReader);
	const series = reader.find(keyOf(work, of));
	return {
		meterId: series?.meterId ?? null,
		isLevel: false,
		within: (period) => (series ? reader.eventsWithin(series, period) : 0),
		before: (at) => (series ? reader.eventsBefore(series, at) : 0),
	};
}

/** Positions in the log of events: of the newest one, and of the last one in the totals. Filling meters are not looked at. */
export function usageProgress(work: Work): { readonly written: number; readonly counted: number } {
	const { statements } = work.prepared(buildReader);
	return { written: statements.log.lastEvent(), counted: statements.recent.look() };
}

/** How many events of the log are not in the totals yet. */
export function usageLag(work: Work): number {
	const { written, counted } = usageProgress(work);
	return written - counted;
}

const reportedOf = ({ resourceId, ...of }: UsageOf) => ({ ...of, resourceRef: resourceId ?? "" });

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

/**
 * The running value since the last reset, as points over time (docs/interface/usage.md; that it is the running one is
 * our reading of `isResetPoint`). With `groupBy` one series for each combination of values, an absent dimension being
 * "".
 */
export function usageHistory(work: Work, { period, resets, groupBy, ...of }: HistoryQuery): HistorySeries[] {
	const instants = historyInstants(period, resets);
	const reports = reportReader(work);
	const reported = reports.find(reportedOf(of));
	if (reported) return reportedSeries(reports, reported, { instants, resets, groupBy });
	const reader = work.prepared(buildReader);
	const series = reader.find(keyOf(work, of));
	if (!series) {
		const points = instants.map((at) => ({ at, value: zero, isResetPoint: resets.some((reset) => reset.at === at) }));
		return groupBy.length === 0 ? [{ tags: [], points }] : [];
	}
	const starts = [historyBase(period.start, resets), ...instants];
	const periods = instants.map((end, index) => ({ start: starts[index] ?? end, end }));
	const pointsOf = (increments: ReadonlyArray<Summary | undefined>) =>
		runningValues(instants, resets, series.start, increments);
	if (groupBy.length === 0) return [{ tags: [], points: pointsOf(incrementsOf(reader, series, periods)) }];
	return [...groupedIncrements(reader.statements, series, periods, groupBy)].map(([group, increments]) => ({
		tags: (JSON.parse(group) as string[]).map((value, at) => ({ key: groupBy[at] ?? "", value })),
		points: pointsOf(increments),
	}));
}

/** Our choices: each point of a percentile looks at all of them; a set is only read. */
const historyMembersMax = { none: 0, distinct: 1_000_000, counted: 200_000 } as const;

function incrementsOf(reader: UsageReader, series: Series, periods: readonly Period[]): Summary[] {
	const membersMax = historyMembersMax[series.membership];
	let members = 0;
	return periods.map((period) => {
		const increment = reader.within(series, period);
		members += increment.members.size;
		if (members > membersMax)
			throw fail("BadUserInput", `query/startDate: the period holds over ${membersMax} values; ask for a later start.`);
		return increment;
	});
}
