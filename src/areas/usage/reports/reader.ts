import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, plus, toDecimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { Transaction, Work } from "../../../kernel/work";
import { allSpans, bucketOf, bucketStart, type LevelOverTime, piecesOf, spans } from "./rules";
import { appendReport, type Bucket, buildReportStatements, type ReportStatements, withReport } from "./store";
import type { UsageReportRow, UsageReportSeriesRow } from "./table";

/** Our choices: about 20 MB; a series is asked for a handful of periods, and beyond these they are read again. */
const seriesRememberedMax = 50_000;
const periodsRememberedMax = 16;
const partsRememberedMax = 20_000;

export interface ReportedOf {
	/** Row ids. */
	readonly customerId: string;
	readonly featureId: string;
	/** The caller's id; empty for none. */
	readonly resourceRef: string;
}

/** The sums of a series by period, as they were when this report was its last. */
interface Remembered {
	lastReportId: string;
	readonly sums: Map<string, { readonly period: Period; value: Decimal }>;
	/** Those that the last report went into. */
	open: readonly Bucket[];
}

/** The sum of a part of a minute, as it was when the minute had so many reports and the series this last one. */
interface PartSum {
	readonly reports: number;
	readonly lastReportId: string;
	readonly sum: Decimal;
}

/** No report has a later time. */
const endOfTime = 8.64e15 as Instant;

/**
 * Reads what was reported, exact to the millisecond, of the totals by day, hour and minute. One for each connection. What it
 * remembers holds as long as the series has the same last report: it changes the cost, never the meaning.
 */
export class ReportReader {
	readonly statements: ReportStatements;
	readonly #remembered = new Map<number, Remembered>();
	readonly #parts = new Map<string, PartSum>();
	/** The series that a work has found last. */
	#found: { readonly by?: Work; readonly series?: UsageReportSeriesRow | undefined } = {};

	constructor(tx: Transaction) {
		this.statements = buildReportStatements(tx);
	}

	/**
	 * As `find`, within one work, which changes a series by `append` alone: what it has found is asked for once, by its check and
	 * by its report.
	 */
	findIn(work: Work, of: ReportedOf): UsageReportSeriesRow | undefined {
		const { series } = this.#found;
		if (this.#found.by === work && series && isOf(series, of)) return series;
		const found = this.find(of);
		this.#found = { by: work, series: found };
		return found;
	}

	/** Undefined when nothing has been reported. */
	find({ customerId, featureId, resourceRef }: ReportedOf): UsageReportSeriesRow | undefined {
		return this.statements.series.get({ customerId, featureId, resourceRef });
	}

	/**
	 * What counts in a period, over all time when it is null: of a level what it comes to at the period's end, of what
	 * accumulates the sum within it.
	 */
	within(series: UsageReportSeriesRow, period: Period | null): Decimal {
		if (period === null) return series.total;
		return series.isLevel ? this.levelAt(series, period.end) : this.sumWithin(series, period);
	}

	/** Of the reports before an instant. Those since then are fewer to add up, mostly. */
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

	/** As `sumWithin`, for a period that is not asked for again. */
	readSum(series: UsageReportSeriesRow, period: Period): Decimal {
		let sum = zero;
		for (const piece of piecesOf(period)) {
			if (piece.span === null) sum = plus(sum, this.#partSum(series, piece.period));
			else
				for (const { total } of this.statements.buckets.all({ seriesId: series.id, ...piece })) sum = plus(sum, total);
		}
		return sum;
	}

	/** How many reports have changed what `within` answers of a period: of a level all before its end. */
	reportsWithin(series: UsageReportSeriesRow, period: Period): number {
		if (series.isLevel) return this.reportsBefore(series, period.end);
		return this.#countWithin(series.id, period);
	}

	reportsBefore(series: UsageReportSeriesRow, at: Instant): number {
		return series.reports - this.#countWithin(series.id, { start: at, end: endOfTime });
	}

	/** What a level's average over a period is made of. */
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

	/** Keeps a report: what was right before it is remembered with what it adds. Answers the series as it is since. */
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
		// Only now: a write that fails is undone, and the series has its former last report again.
		known.lastReportId = report.id;
		known.open = buckets;
		for (const sum of known.sums.values())
			if (sum.period.start <= at && at < sum.period.end) sum.value = plus(sum.value, delta);
		work.usageChanged(series.customerId);
		return after;
	}

	/**
	 * Report by report, and once as long as its minute gets no other: a period begins in a minute that is mostly over. Reports
	 * are only ever added, so as many are the same ones, unless what was read was undone: then its last report is not there.
	 */
	#partSum({ id: seriesId, lastReportId }: UsageReportSeriesRow, part: Period): Decimal {
		const minute = bucketOf(spans.minute, part.start);
		const row = this.statements.bucketReports.get({ seriesId, span: spans.minute, from: minute, to: minute + 1 });
		const reports = row?.reports ?? 0;
		if (reports === 0) return zero;
		const key = `${seriesId}/${part.start}/${part.end}`;
		const known = this.#parts.get(key);
		if (known?.reports === reports && this.#isThere(known.lastReportId, lastReportId)) return known.sum;
		let sum = zero;
		for (const { delta } of this.statements.reports.all({ seriesId, ...part })) sum = plus(sum, delta);
		if (this.#parts.size >= partsRememberedMax) this.#parts.clear();
		this.#parts.set(key, { reports, lastReportId, sum });
		return sum;
	}

	#isThere(reportId: string, lastReportId: string): boolean {
		return reportId === lastReportId || this.statements.report.get({ id: reportId }) !== undefined;
	}

	#rememberedOf({ id, lastReportId }: UsageReportSeriesRow): Remembered {
		const known = this.#remembered.get(id);
		if (known?.lastReportId === lastReportId) return known;
		if (this.#remembered.size >= seriesRememberedMax) this.#remembered.clear();
		const anew: Remembered = { lastReportId, sums: new Map(), open: [] };
		this.#remembered.set(id, anew);
		return anew;
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
