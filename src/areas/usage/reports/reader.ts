import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, plus, toDecimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { Transaction, Work } from "../../../kernel/work";
import { allSpans, bucketOf, bucketStart, type LevelOverTime, piecesOf, spans } from "./rules";
import { appendReport, type Bucket, buildReportStatements, type ReportStatements, withReport } from "./store";
import type { UsageReportRow, UsageReportSeriesRow } from "./table";

/** About 20 MB. A series is read for a handful of periods; others are read again. */
const seriesRememberedMax = 50_000;
const periodsRememberedMax = 16;
const partsRememberedMax = 20_000;

export interface ReportedOf {
	/** Row ids. */
	readonly customerId: string;
	readonly featureId: string;
	/** The id that callers use; empty for none. */
	readonly resourceRef: string;
}

/** The sums of a series by period, as of its last report. */
interface Remembered {
	lastReportId: string;
	readonly sums: Map<string, { readonly period: Period; value: Decimal }>;
	/** The buckets of the last report. */
	open: readonly Bucket[];
}

/** The sum of a part of a minute, as of the number of reports in the minute and the last report of the series. */
interface PartSum {
	readonly reports: number;
	readonly lastReportId: string;
	readonly sum: Decimal;
}

/** Later than the time of any report. */
const endOfTime = 8.64e15 as Instant;

/**
 * Reads reported usage, exact to the millisecond, from totals by day, hour and minute. One for each connection. Its
 * cache holds as long as the series has the same last report, so it changes the cost, never the result.
 */
export class ReportReader {
	readonly statements: ReportStatements;
	readonly #remembered = new Map<number, Remembered>();
	readonly #parts = new Map<string, PartSum>();
	/** The series that a work has read last. */
	#found: { readonly by?: Work; readonly series?: UsageReportSeriesRow | undefined } = {};

	constructor(tx: Transaction) {
		this.statements = buildReportStatements(tx);
	}

	/**
	 * As `find`, within one work, which changes a series only by `append`: its check and its report read the series
	 * once.
	 */
	findIn(work: Work, of: ReportedOf): UsageReportSeriesRow | undefined {
		const { series } = this.#found;
		if (this.#found.by === work && series && isOf(series, of)) return series;
		const found = this.find(of);
		this.#found = { by: work, series: found };
		return found;
	}

	/** Returns undefined if nothing is reported. */
	find({ customerId, featureId, resourceRef }: ReportedOf): UsageReportSeriesRow | undefined {
		return this.statements.series.get({ customerId, featureId, resourceRef });
	}

	/**
	 * Returns the usage in a period, over all time if it is null: for a level the value at the period's end, otherwise
	 * the sum.
	 */
	within(series: UsageReportSeriesRow, period: Period | null): Decimal {
		if (period === null) return series.total;
		return series.isLevel ? this.levelAt(series, period.end) : this.sumWithin(series, period);
	}

	/** Returns the sum of the reports before an instant. Usually the later ones are fewer to add up. */
	levelAt(series: UsageReportSeriesRow, at: Instant): Decimal {
		return minus(series.total, this.sumWithin(series, { start: at, end: endOfTime }));
	}

	sumWithin(series: UsageReportSeriesRow, period: Period): Decimal {
		const { sums } = this.#rememberedOf(series);
		const key = `${period.start}/${period.end}`;
		const known = sums.get(key);
		if (known) return known.value;
		const value = this.readSum(series, period);
		if (sums.size >= periodsRememberedMax) sums.clear();
		sums.set(key, { period, value });
		return value;
	}

	/** As `sumWithin`, for a period that is not read again. */
	readSum(series: UsageReportSeriesRow, period: Period): Decimal {
		let sum = zero;
		for (const piece of piecesOf(period)) {
			if (piece.span === null) sum = plus(sum, this.#partSum(series, piece.period));
			else
				for (const { total } of this.statements.buckets.all({ seriesId: series.id, ...piece })) sum = plus(sum, total);
		}
		return sum;
	}

	/** Returns how many reports affect `within` for a period: for a level, all reports before its end. */
	reportsWithin(series: UsageReportSeriesRow, period: Period): number {
		if (series.isLevel) return this.reportsBefore(series, period.end);
		return this.#countWithin(series.id, period);
	}

	reportsBefore(series: UsageReportSeriesRow, at: Instant): number {
		return series.reports - this.#countWithin(series.id, { start: at, end: endOfTime });
	}

	/** Returns the parts of a level's average over a period. */
	overTime(series: UsageReportSeriesRow, period: Period): LevelOverTime {
		let added = exact(0);
		for (const piece of piecesOf(period)) {
			if (piece.span === null)
				for (const { at, delta } of this.statements.reports.all({ seriesId: series.id, ...piece.period }))
					added = added.plus(exact(delta).times(period.end - at));
			else
				for (const { bucket, total, moment } of this.statements.buckets.all({ seriesId: series.id, ...piece }))
					added = added.plus(exact(total).times(period.end - bucketStart(piece.span, bucket))).minus(exact(moment));
		}
		return { atStart: this.levelAt(series, period.start), addedTimes: toDecimal(added) };
	}

	/** Stores a report, and adds it to the cached sums. Returns the changed series. */
	append(work: Work, series: UsageReportSeriesRow, report: UsageReportRow): UsageReportSeriesRow {
		const { at, delta } = report;
		const known = this.#rememberedOf(series);
		const buckets = allSpans.map((span) => {
			const bucket = bucketOf(span, at);
			const open = known.open.find((one) => one.span === span && one.bucket === bucket);
			const before = open ?? this.statements.buckets.get({ seriesId: series.id, span, from: bucket, to: bucket + 1 });
			return withReport(before, span, report);
		});
		const after = appendReport(work, series, report, buckets);
		this.#found = { by: work, series: after };
		// After the write: if it fails, the series has its former last report.
		known.lastReportId = report.id;
		known.open = buckets;
		for (const sum of known.sums.values())
			if (sum.period.start <= at && at < sum.period.end) sum.value = plus(sum.value, delta);
		work.usageChanged(series.customerId);
		return after;
	}

	/**
	 * Reads report by report, and only once while its minute gets no other: a period often begins in a past minute.
	 * Reports are only added, so the same number means the same reports, unless the write of the last one was rolled
	 * back.
	 */
	#partSum({ id: seriesId, lastReportId }: UsageReportSeriesRow, part: Period): Decimal {
		const minute = bucketOf(spans.minute, part.start);
		const row = this.statements.bucketReports.get({ seriesId, span: spans.minute, from: minute, to: minute + 1 });
		const reports = row?.reports ?? 0;
		if (reports === 0) return zero;
		const key = `${seriesId}/${part.start}/${part.end}`;
		const known = this.#parts.get(key);
		if (known?.reports === reports && this.hasReport(lastReportId, known.lastReportId)) return known.sum;
		let sum = zero;
		for (const { delta } of this.statements.reports.all({ seriesId, ...part })) sum = plus(sum, delta);
		if (this.#parts.size >= partsRememberedMax) this.#parts.clear();
		this.#parts.set(key, { reports, lastReportId, sum });
		return sum;
	}

	/** Whether a report is there, whose write may have been rolled back. */
	hasReport(lastReportId: string, reportId: string): boolean {
		return reportId === lastReportId || this.statements.report.get({ id: reportId }) !== undefined;
	}

	#rememberedOf({ id, lastReportId }: UsageReportSeriesRow): Remembered {
		const known = this.#remembered.get(id);
		if (known?.lastReportId === lastReportId) return known;
		if (this.#remembered.size >= seriesRememberedMax) this.#remembered.clear();
		const fresh: Remembered = { lastReportId, sums: new Map(), open: [] };
		this.#remembered.set(id, fresh);
		return fresh;
	}

	#countWithin(seriesId: number, period: Period): number {
		return piecesOf(period).reduce((count, piece) => {
			const row =
				piece.span === null
					? this.statements.reportsWithin.get({ seriesId, ...piece.period })
					: this.statements.bucketReports.get({ seriesId, ...piece });
			return count + (row?.reports ?? 0);
		}, 0);
	}
}

const isOf = (series: UsageReportSeriesRow, { customerId, featureId, resourceRef }: ReportedOf): boolean =>
	series.customerId === customerId && series.featureId === featureId && series.resourceRef === resourceRef;

const minus = (one: Decimal, other: Decimal): Decimal =>
	other === zero ? one : toDecimal(exact(one).minus(exact(other)));
