import { type Decimal, zero } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import type { Segment, Segmentation } from "../pricing/models/segment";
import type { TransactionCount, TransactionPrice } from "../pricing/models/transaction";
import { hourOf } from "./hours";
import { keyOf, reportedOf, type UsageOf, usageReader } from "./operations";
import type { UsageReader } from "./reading/reader";
import type { UsageKey } from "./reading/series";
import { countTransactions, noTransactions } from "./reading/transactions";
import { WindowCalculations, type WindowFold, type WindowSource } from "./reading/window-folds";
import { isWholeHour, pagesOf, valuesOfWindows } from "./reading/windows";
import { reportReader } from "./reports/operations";
import type { ReportReader } from "./reports/reader";
import { spans } from "./reports/rules";
import { reportedSegments } from "./reports/segments";
import type { UsageReportSeriesRow } from "./reports/table";
import { readSegment } from "./rules.segments";

/** Reads the usage of windows, which are in order of time. */
export interface UsageOfWindows extends WindowSource {
	/** Yields the usage of each window as `currentUsage` counts it. */
	values(windows: readonly Period[]): Iterable<Decimal>;
	/** Yields each segment with its usage in a window, segment by segment, or window by window where usage is reported. */
	segments(
		segments: Segmentation,
		windows: readonly Period[],
	): Iterable<{ readonly at: number; readonly segment: Segment; readonly quantity: Decimal }>;
	/** Yields the transactions of each window, with the cost that its own allowances leave. */
	transactions(price: TransactionPrice, windows: readonly Period[]): Iterable<TransactionCount>;
}

/** A module constant: `work.prepared` finds the calculations of each connection by its identity. */
const buildCalculations = (tx: Transaction): WindowCalculations => new WindowCalculations(tx);

/**
 * Adds up the usage of windows, which are in order of time. Throws `NotYetRead` if it takes too long for one transaction and the caller is
 * repeated: the windows are then read in time slices.
 */
export function foldWindows<State, Window extends Period>(
	work: Work,
	of: UsageOf,
	windows: readonly Window[],
	fold: WindowFold<State, UsageOfWindows, Window>,
): State {
	if (windows.length === 0) return fold.none;
	const readers = { counted: usageReader(work), reports: reportReader(work) };
	const key = keyOf(work, of);
	const find = () => usageOfWindows(readers, key, of);
	return work.prepared(buildCalculations).resultOf(work, find, windows, fold);
}

interface Readers {
	readonly counted: UsageReader;
	readonly reports: ReportReader;
}

function usageOfWindows({ counted, reports }: Readers, key: UsageKey, of: UsageOf): UsageOfWindows {
	const reported = of.transactionPrice ? undefined : reports.find(reportedOf(of));
	if (reported) return reportedWindows(reports, reported);
	const series = counted.find(key);
	if (!series) return unused;
	const { counterId, subjectId, version } = series;
	const parts = of.segments ? [...counted.segments(key)] : [];
	return {
		id: `${counterId}/${subjectId}/${version}/${counted.statements.recent.revision}`,
		totalsPerWindow: of.transactionPrice ? totalsPerTransactions : Math.max(1, parts.length),
		changesIn: (period) => counted.eventsWithin(series, period),
		hasReport: () => true,
		values: (windows) => valuesOfWindows(counted, series, windows),
		*segments(segments, windows) {
			for (const { name, prefix, series: part } of parts) {
				const segment = readSegment(name, prefix, segments);
				let at = 0;
				for (const quantity of valuesOfWindows(counted, part, windows)) {
					if (quantity !== zero) yield { at, segment, quantity };
					at += 1;
				}
			}
		},
		*transactions(price, windows) {
			for (const window of windows) yield countTransactions(counted, series, price, window);
		},
	};
}

/** Counting transactions costs as much as reading so many totals. */
const totalsPerTransactions = 10;

const unused: UsageOfWindows = {
	...{ id: "unused", totalsPerWindow: 1, changesIn: () => 0, hasReport: () => true },
	values: (windows) => windows.map(() => zero),
	segments: () => [],
	transactions: (_, windows) => windows.map(() => noTransactions),
};

const reportedWindows = (reports: ReportReader, series: UsageReportSeriesRow): UsageOfWindows => ({
	id: `reported/${series.id}`,
	totalsPerWindow: 1,
	changesIn: (period) => reports.reportsWithin(series, period),
	lastReportId: series.lastReportId,
	hasReport: (id) => reports.hasReport(series.lastReportId, id),
	*values(windows) {
		const totalOf = pagesOf(windows, (hours) => {
			const rows = reports.statements.buckets.all({ seriesId: series.id, span: spans.hour, ...hours });
			return new Map(rows.map(({ bucket, total }) => [bucket, total]));
		});
		for (const window of windows)
			if (series.isLevel) yield reports.within(series, window);
			else yield isWholeHour(window) ? (totalOf(hourOf(window.start)) ?? zero) : reports.readSum(series, window);
	},
	*segments(segments, windows) {
		for (const [at, window] of windows.entries())
			for (const { quantity, ...segment } of reportedSegments(reports, series, segments, window))
				yield { at, segment, quantity };
	},
	transactions: (_, windows) => windows.map(() => noTransactions),
});
