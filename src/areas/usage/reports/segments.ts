import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import { type Segmentation, type SegmentUsage, segmentationId } from "../../pricing/models/segment";
import { compileSegments, readSegment } from "../rules.segments";
import type { ReportReader } from "./reader";
import type { UsageReportSeriesRow } from "./table";

/** Returns the reported usage of each segment in a period. SQLite adds up equal reports, which most are. */
export function reportedSegments(
	{ statements }: ReportReader,
	{ id: seriesId }: UsageReportSeriesRow,
	segmentation: Segmentation,
	period: Period,
): SegmentUsage[] {
	const { nameOf, prefix } = compileSegments(segmentation, segmentationId(segmentation));
	const sums = new Map<string, Decimal>();
	for (const { dimensions, delta, reports } of statements.alike.all({ seriesId, ...period })) {
		const name = nameOf((dimension) => dimensions?.[dimension]);
		sums.set(name, toDecimal(exact(sums.get(name) ?? zero).plus(exact(delta).times(reports))));
	}
	return [...sums].map(([name, quantity]) => ({ ...readSegment(name, prefix, segmentation), quantity }));
}
