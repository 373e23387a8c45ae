import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, toWire, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import type { Segmentation, SegmentUsage } from "../pricing/models/segment";
import type { TransactionCount, TransactionPrice } from "../pricing/models/transaction";
import type { Summary } from "./aggregation/aggregate";
import { type HistoryPoint, historyBase, historyInstants, type Reset, runningValues } from "./history";
import { groupedIncrements } from "./reading/grouped";
import { UsageReader } from "./reading/reader";
import { buildRecent, type CountedEvent, recentEvents } from "./reading/recent-events";
import type { Series, UsageKey } from "./reading/series";
import { countTransactions, noTransactions } from "./reading/transactions";
import { reportedSeries } from "./reports/history";
import { reportReader } from "./reports/operations";
import { newestReports } from "./reports/operations.recent";
import { reportedSegments } from "./reports/segments";
import { type PooledUsage, partsOf } from "./rules.pooled";
import { pricedId, segmentedId } from "./rules.priced-id";
import { readSegment } from "./rules.segments";

/** Counts the changes of the usage of several customers, each in its own times. */
function pooledEvents(work: Work, of: UsageOf): CountedEvents {
	const countIn = (period: Period | null): number =>
		sumOfNumbers(
			partsOf(of, period).map(({ period: time, ...part }) => {
				const counted = countedEvents(work, part);
				return counted.within(time ?? always);
			}),
		);
	const meterIds = [of, ...(of.pooled ?? [])].map(({ customerId }) => {
		const { pooled: _, ...alone } = of;
		return countedEvents(work, { ...alone, customerId }).meterId;
	});
	return {
		meterId: meterIds.find((id) => id !== null) ?? null,
		isLevel: false,
		within: countIn,
		before: (at) => countIn({ start: always.start, end: at }),
	};
}

const sumOfNumbers = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** A module constant: `work.prepared` finds the reader of each connection by its identity. */
const buildReader = (tx: Transaction): UsageReader => new UsageReader(tx);

export const usageReader = (work: Work): UsageReader => work.prepared(buildReader);

export interface UsageOf {
	/** Row id of the feature. */
	readonly featureId: string;
	/** Row id of the customer. */
	readonly customerId: string;
	/** The resource's id as callers use it (`refId`) and events name it; null for usage without a resource. */
	readonly resourceId: string | null;
	/** Counts the cost of the events by this price; missing: the meter's value. */
	readonly transactionPrice?: TransactionPrice;
	/** Counts each segment by itself. */
	readonly segments?: Segmentation;
	/** Further customers whose usage counts too. */
	readonly pooled?: readonly PooledUsage[];
}

/**
 * Returns the usage within a period, exact to the millisecond; over all time if it is null. For a feature with a meter:
 * the meter's value over the events with start ≤ timestamp < end, which follows the log within about 100 ms. For a
 * feature with reported usage: the sum of the reports, at once; for a FLUCTUATING one the level at the period's end. 0
 * for any other feature.
 */
export function currentUsage(work: Work, of: UsageOf & { readonly period: Period | null }): Decimal {
	if (of.pooled) return toDecimal(sum(partsOf(of, of.period).map((part) => exact(currentUsage(work, part)))));
	const { usageCommits } = work;
	const key = keyOf(work, of);
	const remembered = work.built(buildReader)?.remembered(key, of.period, usageCommits);
	return remembered ?? work.prepared(buildReader).current(key, of.period, usageCommits) ?? reportedUsage(work, of);
}

/** As `currentUsage`, for a feature that is known to have no meter. */
export function reportedUsage(work: Work, { period, ...of }: UsageOf & { readonly period: Period | null }): Decimal {
	const reader = reportReader(work);
	const reported = reader.findIn(work, reportedOf(of));
	return reported ? reader.within(reported, period) : zero;
}

/** The range of possible instants. */
const always: Period = { start: -8.64e15 as Instant, end: 8.64e15 as Instant };

/** The name of a report of usage among events. */
const reportedName = "$usage.reported";

/**
 * Returns the newest counted usage within a period, or of all time if it is null: events that the feature's meter
 * counted, or reports, each with its amount. Reads a bounded number of the subject's events.
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
 * Counts the changes of a feature's usage: one for each event, and one more for each canceled event; or the reports, if
 * usage is reported. The number only grows: as long as it is the same, all totals are.
 */
export interface CountedEvents {
	/** Null before the first counted event. Counts of different meters cannot be compared. */
	readonly meterId: string | null;
	/** Each report of a level counts at its own time and at all later times. */
	readonly isLevel: boolean;
	/** Returns the changes that affect the total of the period. */
	within(period: Period): number;
	before(at: Instant): number;
}

/** Takes the place of a meter's id, which is a UUID. */
const reportsId = "reports";

export function countedEvents(work: Work, of: UsageOf): CountedEvents {
	if (of.pooled) return pooledEvents(work, of);
	const reports = reportReader(work);
	const reported = of.transactionPrice ? undefined : reports.find(reportedOf(of));
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

/**
 * Returns the positions in the log of the newest event, and of the last event in the totals. Ignores filling meters.
 */
export function usageProgress(work: Work): { readonly written: number; readonly counted: number } {
	const { statements } = work.prepared(buildReader);
	return { written: statements.log.lastEvent(), counted: statements.recent.look() };
}

/** Returns the number of events in the log that are not in the totals yet. */
export function usageLag(work: Work): number {
	const { written, counted } = usageProgress(work);
	return written - counted;
}

/** Returns the transactions of a period by a price, with the cost that its allowances leave. */
export function transactionsIn(work: Work, of: UsageOf, price: TransactionPrice, period: Period): TransactionCount {
	const reader = work.prepared(buildReader);
	const series = reader.find(keyOf(work, { ...of, transactionPrice: price }));
	return series ? countTransactions(reader, series, price, period) : noTransactions;
}

/** Returns the usage of each segment in a period, in the order of the variants, then of their groups. Unused segments are left out. */
export function segmentsIn(work: Work, of: UsageOf, segments: Segmentation, period: Period): SegmentUsage[] {
	const reports = reportReader(work);
	const reported = reports.find(reportedOf(of));
	const counted = reported
		? reportedSegments(reports, reported, segments, period)
		: countedSegments(work, { ...of, segments }, segments, period);
	const order = new Map(segments.variants.map(({ id }, at) => [id, at]));
	const placeOf = ({ variantId }: SegmentUsage) => order.get(variantId ?? "") ?? order.size;
	return counted
		.filter(({ quantity }) => !exact(quantity).eq(0))
		.map((segment) => ({ segment, place: placeOf(segment), groups: JSON.stringify(Object.values(segment.dimensions)) }))
		.sort((one, other) => one.place - other.place || (one.groups < other.groups ? -1 : 1))
		.map(({ segment }) => segment);
}

function countedSegments(work: Work, of: UsageOf, segments: Segmentation, period: Period): SegmentUsage[] {
	const reader = work.prepared(buildReader);
	return Array.from(reader.segments(keyOf(work, of)), ({ name, prefix, series }) => ({
		...readSegment(name, prefix, segments),
		quantity: reader.within(series, period).value,
	}));
}

export const reportedOf = ({ resourceId, ...of }: UsageOf) => ({ ...of, resourceRef: resourceId ?? "" });

export const keyOf = (
	{ actor }: Work,
	{ featureId, customerId, resourceId, transactionPrice, segments }: UsageOf,
): UsageKey => ({
	environmentId: actor.environmentId,
	featureId: transactionPrice
		? pricedId(featureId, transactionPrice)
		: segments
			? segmentedId(featureId, segments)
			: featureId,
	customerId,
	resourceRef: resourceId ?? "",
});

export interface HistoryQuery extends UsageOf {
	readonly period: Period;
	/** Dimensions to split by; empty for one series of everything. */
	readonly groupBy: readonly string[];
	/** The entitlement's resets within the period, and the last one before it. */
	readonly resets: readonly Reset[];
}

export interface HistorySeries {
	readonly tags: ReadonlyArray<{ readonly key: string; readonly value: string }>;
	readonly points: readonly HistoryPoint[];
}

/**
 * Returns the running value since the last reset, as points over time (docs/interface/usage.md; that it is the running
 * value is our reading of `isResetPoint`). With `groupBy`, returns one series for each combination of values; an absent
 * dimension is "".
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

/** Each point of a percentile reads all members; a set is read once. */
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
