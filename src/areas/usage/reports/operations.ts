import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Transaction, Work } from "../../../kernel/work";
import type { FeatureRow } from "../../features/table";
import { countAtBudgets } from "../../governance/operations.count";
import type { BudgetDecision } from "../../governance/operations.decide";
import type { DimensionValue } from "../rules";
import { ReportReader } from "./reader";
import { deltaOf, weightedByTime } from "./rules";
import type { UpdateBehavior } from "./schema";
import { insertSeries, wasReported } from "./store";
import type { UsageReportRow, UsageReportSeriesRow } from "./table";

export { wasReported };

/** A module constant: `work.prepared` finds the reader of each connection by its identity. */
const buildReader = (tx: Transaction): ReportReader => new ReportReader(tx);

export const reportReader = (work: Work): ReportReader => work.prepared(buildReader);

export interface Reported {
	readonly feature: FeatureRow;
	/** Row id of the customer. */
	readonly customerId: string;
	/** The id that callers use; null for usage without a resource. */
	readonly resourceRef: string | null;
	readonly value: Decimal;
	readonly behavior: UpdateBehavior;
	/** The time of the usage. */
	readonly at: Instant;
	/** The usage period at that time, which counts from zero; null: it never resets, or is a level. */
	readonly period: Period | null;
	readonly idempotencyKey: string | null;
	readonly dimensions: Readonly<Record<string, DimensionValue>> | null;
	readonly reservationId: string | null;
	/** The budgets that granted the use in this transaction, if they decided. */
	readonly budgets?: BudgetDecision | undefined;
	/** Its place in the request, for messages: `usages/3`. */
	readonly where: string;
}

/** Our choice (docs/interface/usage.md#reported-usage), as for events: clocks differ by less than a day. */
const aheadMsMax = 24 * 60 * 60 * 1000;

/** Throws BadUserInput if a time is more than a day ahead of the environment's clock. */
export function assertNotAhead(work: Work, at: Instant, where: string): void {
	if (at > work.now + aheadMsMax)
		throw fail("BadUserInput", `${where}/createdAt: lies more than 24 hours ahead; report usage when it has happened.`);
}

/** Returns the report with a key, for this customer, resource and feature. */
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
 * Stores a report and its effect. A SET adds the difference to the value at its time. Reports that come later with an
 * earlier time count up to the SET, so the order of arrival does not matter. Throws UsageMeasurementDiffOutOfRangeError if the
 * result is no valid usage.
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
	// A SET states the total of all entities, so it belongs to none of them (docs/interface/governance.md).
	if (behavior === "DELTA")
		countAtBudgets(work, {
			...{ customerId, dimensions, at, capabilityId: feature.id, amount: delta },
			...{ sourceId: report.id, reservationId, decided: reported.budgets },
		});
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

/** Returns the SET up to which a report of an earlier time counts, if one comes before the usage resets. */
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

/**
 * A SET, and a report that counts up to a later SET, are compared with the value at their own time; other reports with
 * the latest value.
 */
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
 * Returns the time-weighted average of a FLUCTUATING feature; for a part of `overMs`, its share of the average. 0
 * without reports.
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
