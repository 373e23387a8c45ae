import { type Decimal, zero } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import type { Segment, Segmentation } from "../pricing/models/segment";
import type { TransactionCount, TransactionPrice } from "../pricing/models/transaction";
import { hourOf } from "./hours";
import { keyOf, reportedOf, type UsageOf, usageReader } from "./operations";
import { countTransactions, noTransactions } from "./reading/transactions";
import { isWholeHour, pagesOf, valuesOfWindows } from "./reading/windows";
import { reportReader } from "./reports/operations";
import type { ReportReader } from "./reports/reader";
import { spans } from "./reports/rules";
import { reportedSegments } from "./reports/segments";
import type { UsageReportSeriesRow } from "./reports/table";
import { readSegment } from "./rules.segments";

/** Yields the usage of each window as `currentUsage` counts it. The windows are in order of time. */
export function* usageOfWindows(work: Work, of: UsageOf, windows: readonly Period[]): Generator<Decimal> {
	const reader = usageReader(work);
	const series = reader.find(keyOf(work, of));
	if (series) {
		yield* valuesOfWindows(reader, series, windows);
		return;
	}
	const reports = reportReader(work);
	const reported = reports.find(reportedOf(of));
	if (reported) yield* reportedWindows(reports, reported, windows);
	else for (const _ of windows) yield zero;
}

function* reportedWindows(reports: ReportReader, series: UsageReportSeriesRow, windows: readonly Period[]) {
	const totalOf = pagesOf((hours) => {
		const rows = reports.statements.buckets.all({ seriesId: series.id, span: spans.hour, ...hours });
		return new Map(rows.map(({ bucket, total }) => [bucket, total]));
	});
	for (const window of windows)
		if (series.isLevel) yield reports.within(series, window);
		else yield isWholeHour(window) ? (totalOf(hourOf(window.start)) ?? zero) : reports.readSum(series, window);
}

/** Yields each segment with its usage in a window, segment by segment, or window by window where usage is reported. */
export function* segmentsOfWindows(
	work: Work,
	of: UsageOf,
	segments: Segmentation,
	windows: readonly Period[],
): Generator<{ readonly at: number; readonly segment: Segment; readonly quantity: Decimal }> {
	const reports = reportReader(work);
	const reported = reports.find(reportedOf(of));
	if (reported) {
		for (const [at, window] of windows.entries())
			for (const { quantity, ...segment } of reportedSegments(reports, reported, segments, window))
				yield { at, segment, quantity };
		return;
	}
	const reader = usageReader(work);
	for (const { name, prefix, series } of reader.segments(keyOf(work, { ...of, segments }))) {
		const segment = readSegment(name, prefix, segments);
		let at = 0;
		for (const quantity of valuesOfWindows(reader, series, windows)) {
			if (quantity !== zero) yield { at, segment, quantity };
			at += 1;
		}
	}
}

/** Yields the transactions of each window, with the cost that its own allowances leave. */
export function* transactionsOfWindows(
	work: Work,
	of: UsageOf,
	price: TransactionPrice,
	windows: readonly Period[],
): Generator<TransactionCount> {
	const reader = usageReader(work);
	const series = reader.find(keyOf(work, { ...of, transactionPrice: price }));
	for (const window of windows) yield series ? countTransactions(reader, series, price, window) : noTransactions;
}
