import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Transaction, Work } from "../../../kernel/work";
import type { FeatureRow } from "../../features/table";
import type { DimensionValue } from "../rules";
import { ReportReader } from "./reader";
import { deltaOf, weightedByTime } from "./rules";
import type { UpdateBehavior } from "./schema";
import { insertSeries, wasReported } from "./store";
import type { UsageReportRow, UsageReportSeriesRow } from "./table";

export { wasReported };

/** A module constant: its identity is what `work.prepared` remembers the reader of each connection by. */
const buildReader = (tx: Transaction): ReportReader => new ReportReader(tx);

export const reportReader = (work: Work): ReportReader => work.prepared(buildReader);

export interface Reported {
	readonly feature: FeatureRow;
	/** Row id of the customer. */
	readonly customerId: string;
	/** The caller's id; null for the usage that names none. */
	readonly resourceRef: string | null;
	readonly value: Decimal;
	readonly behavior: UpdateBehavior;
	/** When the usage happened. */
	readonly at: Instant;
	/** In which it counts from zero on at that time; null: it never resets, or is a level, which does not. */
	readonly period: Period | null;
	readonly idempotencyKey: string | null;
	readonly dimensions: Readonly<Record<string, DimensionValue>> | null;
	readonly reservationId: string | null;
	/** Where the request has it, for refusals: `usages/3`. */
	readonly where: string;
}

/** Our choice, as for events: clocks differ, and a day is more than any does. */
const aheadMsMax = 24 * 60 * 60 * 1000;

/** BadUserInput when it lies more than a day ahead of the environment's clock. */
export function assertNotAhead(work: Work, at: Instant, where: string): void {
	if (at > work.now + aheadMsMax)
		throw fail("BadUserInput", `${where}/createdAt: lies more than 24 hours ahead; report usage when it has happened.`);
}

/** The report that was kept under a key, for this customer, resource and feature. */
export function findReport(
	work: Work,
	of: { readonly featureId: string; readonly customerId: string; readonly resourceRef: string | null },
	idempotencyKey: string,
): UsageReportRow | undefined {
	const reader = reportReader(work);
	const series = reader.find({ ...of, resourceRef: of.resourceRef ?? "" });
	return series && reader.statements.byKey.get({ seriesId: series.id, idempotencyKey });
}

/**
 * Keeps a report, and what it changes. SET is decided here: it adds what is missing to the value at its time, and what is
 * reported later of a time before it ends where it was set, so that the order of arrival does not matter.
 * UsageMeasurementDiffOutOfRangeError when it leads to no usage.
 */
export function recordReport(work: Work, reported: Reported): UsageReportRow {
	const reader = reportReader(work);
	const { feature, customerId, resourceRef, at, behavior, value, where } = reported;
	const of = { customerId, featureId: feature.id, resourceRef: resourceRef ?? "" };
	const isLevel = feature.meterType === "FLUCTUATING";
	const series = reader.findIn(work, of) ?? insertSeries(work, { ...of, isLevel });
	const period = isLevel ? null : reported.period;
	const carriedTo = nextSet(reader, series, at, period);
	const current = currentFor(reader, series, { at, behavior, period, isCarried: carriedTo !== undefined });
	const delta = deltaOf({ behavior, value, current, where });
	const { idempotencyKey, dimensions, reservationId } = reported;
	const base = { seriesId: series.id, createdAt: work.now, value, reservationId };
	const report: UsageReportRow = { ...base, id: work.newId(), at, delta, behavior, idempotencyKey, dimensions };
	const after = reader.append(work, series, report);
	if (carriedTo && delta !== zero)
		reader.append(work, after, {
			...base,
			id: work.newId(),
			at: carriedTo.at,
			delta: toDecimal(exact(delta).times(-1)),
			behavior: "CARRIED",
			idempotencyKey: null,
			dimensions: carriedTo.dimensions,
		});
	return report;
}

/** The SET at which a report of an earlier time ends, if there is one before the usage resets. */
function nextSet(reader: ReportReader, series: UsageReportSeriesRow, at: Instant, period: Period | null) {
	if (series.lastSetAt === null || at >= series.lastSetAt) return undefined;
	const next = reader.statements.nextSet.get({ seriesId: series.id, at });
	return next && (period === null || next.at < period.end) ? next : undefined;
}

interface At {
	readonly at: Instant;
	readonly behavior: UpdateBehavior;
	readonly period: Period | null;
	readonly isCarried: boolean;
}

/** SET, and what ends at a later SET, is held against the value at its own time; all else against what counts in the end. */
function currentFor(
	reader: ReportReader,
	series: UsageReportSeriesRow,
	{ at, behavior, period, isCarried }: At,
): Decimal {
	if (behavior === "DELTA" && !isCarried) return period ? reader.sumWithin(series, period) : series.total;
	const until = (at + 1) as Instant;
	return period ? reader.sumWithin(series, { start: period.start, end: until }) : reader.levelAt(series, until);
}

/**
 * The average of what a FLUCTUATING feature came to, weighted by time; of a period that is only a part of `overMs`, what that
 * part adds to it. 0 where nothing was reported.
 */
export function averageUsage(
	work: Work,
	of: { readonly featureId: string; readonly customerId: string; readonly resourceId: string | null },
	period: Period,
	overMs: number = period.end - period.start,
): Decimal {
	const reader = reportReader(work);
	const series = reader.find({ ...of, resourceRef: of.resourceId ?? "" });
	return series ? weightedByTime(reader.overTime(series, period), period, overMs) : zero;
}
