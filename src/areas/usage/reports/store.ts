import { and, asc, eq, gt, gte, lt, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, plus, toDecimal, zero } from "../../../kernel/decimal";
import type { Transaction, Work } from "../../../kernel/work";
import { allSpans, bucketOf, bucketStart, type Span } from "./rules";
import {
	type UsageReportRow,
	type UsageReportSeriesRow,
	usageReportSeries,
	usageReports,
	usageReportTotals,
} from "./table";

const { placeholder } = sql;

// Statements of each report and each check are prepared once for each connection. A series is found by the row ids of a
// customer and a feature, which belong to one environment.

const ofBuckets = and(
	eq(usageReportTotals.seriesId, placeholder("seriesId")),
	eq(usageReportTotals.span, placeholder("span")),
	gte(usageReportTotals.bucket, placeholder("from")),
	lt(usageReportTotals.bucket, placeholder("to")),
);

const ofTime = and(
	eq(usageReports.seriesId, placeholder("seriesId")),
	gte(usageReports.at, placeholder("start")),
	lt(usageReports.at, placeholder("end")),
);

const rowid = sql<number>`${usageReports}.rowid`;

export const buildReportStatements = (tx: Transaction) => ({
	series: tx
		.select()
		.from(usageReportSeries)
		.where(
			and(
				eq(usageReportSeries.customerId, placeholder("customerId")),
				eq(usageReportSeries.featureId, placeholder("featureId")),
				eq(usageReportSeries.resourceRef, placeholder("resourceRef")),
			),
		)
		.prepare(),
	buckets: tx
		.select({
			span: usageReportTotals.span,
			bucket: usageReportTotals.bucket,
			total: usageReportTotals.total,
			moment: usageReportTotals.moment,
			reports: usageReportTotals.reports,
		})
		.from(usageReportTotals)
		.where(ofBuckets)
		.prepare(),
	bucketReports: tx
		.select({ reports: sql<number | null>`sum(${usageReportTotals.reports})` })
		.from(usageReportTotals)
		.where(ofBuckets)
		.prepare(),
	reports: tx
		.select({ at: usageReports.at, delta: usageReports.delta })
		.from(usageReports)
		.where(ofTime)
		.orderBy(asc(usageReports.at))
		.prepare(),
	/** A page of the reports after a place in the order of time, from `at` on if the position is 0. */
	changes: tx
		.select({ at: usageReports.at, delta: usageReports.delta, position: rowid })
		.from(usageReports)
		.where(
			and(
				eq(usageReports.seriesId, placeholder("seriesId")),
				sql`(${usageReports.at}, ${rowid}) > (${placeholder("at")}, ${placeholder("position")})`,
				lt(usageReports.at, placeholder("end")),
			),
		)
		.orderBy(asc(usageReports.at), asc(rowid))
		.limit(placeholder("rowsMax"))
		.prepare(),
	report: tx
		.select({ id: usageReports.id })
		.from(usageReports)
		.where(eq(usageReports.id, placeholder("id")))
		.prepare(),
	reportsWithin: tx.select({ reports: sql<number>`count(*)` }).from(usageReports).where(ofTime).prepare(),
	dimensions: tx
		.select({ at: usageReports.at, delta: usageReports.delta, dimensions: usageReports.dimensions })
		.from(usageReports)
		.where(ofTime)
		.limit(placeholder("rowsMax"))
		.prepare(),
	/** Reports of a period with the same dimensions and difference. */
	alike: tx
		.select({ dimensions: usageReports.dimensions, delta: usageReports.delta, reports: sql<number>`count(*)` })
		.from(usageReports)
		.where(ofTime)
		.groupBy(usageReports.dimensions, usageReports.delta)
		.prepare(),
	byKey: tx
		.select()
		.from(usageReports)
		.where(
			and(
				eq(usageReports.seriesId, placeholder("seriesId")),
				eq(usageReports.idempotencyKey, placeholder("idempotencyKey")),
			),
		)
		.prepare(),
	/** The first SET with a later time; any of those at the same time, since usage counts from there. */
	nextSet: tx
		.select({ at: usageReports.at, dimensions: usageReports.dimensions })
		.from(usageReports)
		.where(
			and(
				eq(usageReports.seriesId, placeholder("seriesId")),
				eq(usageReports.behavior, "SET"),
				gt(usageReports.at, placeholder("at")),
			),
		)
		.orderBy(asc(usageReports.at))
		.limit(1)
		.prepare(),
	ofFeature: tx
		.select({ id: usageReportSeries.id })
		.from(usageReportSeries)
		.where(eq(usageReportSeries.featureId, placeholder("featureId")))
		.limit(1)
		.prepare(),
});

export type ReportStatements = ReturnType<typeof buildReportStatements>;

const buildWrites = (tx: Transaction) => ({
	insertSeries: tx
		.insert(usageReportSeries)
		.values({
			customerId: placeholder("customerId"),
			featureId: placeholder("featureId"),
			resourceRef: placeholder("resourceRef"),
			isLevel: placeholder("isLevel"),
			total: zero,
			reports: 0,
			lastReportId: "",
		})
		.returning()
		.prepare(),
	updateSeries: tx
		.update(usageReportSeries)
		.set({
			total: sql`${placeholder("total")}`,
			reports: sql`${placeholder("reports")}`,
			lastReportId: sql`${placeholder("lastReportId")}`,
			lastSetAt: sql`${placeholder("lastSetAt")}`,
		})
		.where(eq(usageReportSeries.id, placeholder("id")))
		.prepare(),
	insertReport: tx
		.insert(usageReports)
		.values({
			id: placeholder("id"),
			seriesId: placeholder("seriesId"),
			at: placeholder("at"),
			createdAt: placeholder("createdAt"),
			delta: placeholder("delta"),
			behavior: placeholder("behavior"),
			value: placeholder("value"),
			idempotencyKey: placeholder("idempotencyKey"),
			dimensions: placeholder("dimensions"),
			reservationId: placeholder("reservationId"),
		})
		.prepare(),
	/** All rows of a report at once: one for each span. */
	saveTotals: tx
		.insert(usageReportTotals)
		.values(
			allSpans.map((_, at) => ({
				seriesId: placeholder("seriesId"),
				span: placeholder(`span${at}`),
				bucket: placeholder(`bucket${at}`),
				total: placeholder(`total${at}`),
				moment: placeholder(`moment${at}`),
				reports: placeholder(`reports${at}`),
			})),
		)
		.onConflictDoUpdate({
			target: [usageReportTotals.seriesId, usageReportTotals.span, usageReportTotals.bucket],
			set: { total: sql`excluded.total`, moment: sql`excluded.moment`, reports: sql`excluded.reports` },
		})
		.prepare(),
});

export const insertSeries = (
	work: Work,
	series: Pick<UsageReportSeriesRow, "customerId" | "featureId" | "resourceRef" | "isLevel">,
): UsageReportSeriesRow => work.prepared(buildWrites).insertSeries.get({ ...series });

/** The reported usage in one bucket of a span. */
export type Bucket = Omit<typeof usageReportTotals.$inferSelect, "seriesId">;

/** Returns the bucket of a span with a report; `before` is the bucket without it, if there is one. */
export function withReport(before: Bucket | undefined, span: Span, { at, delta }: UsageReportRow): Bucket {
	const bucket = bucketOf(span, at);
	return {
		span,
		bucket,
		total: plus(before?.total ?? zero, delta),
		moment: plus(before?.moment ?? zero, times(delta, at - bucketStart(span, bucket))),
		reports: (before?.reports ?? 0) + 1,
	};
}

/** Writes a report and its buckets; returns the changed series. */
export function appendReport(
	work: Work,
	series: UsageReportSeriesRow,
	report: UsageReportRow,
	buckets: readonly Bucket[],
): UsageReportSeriesRow {
	const writes = work.prepared(buildWrites);
	writes.insertReport.run({ ...report });
	const totals: Record<string, unknown> = { seriesId: series.id };
	for (const [at, bucket] of buckets.entries())
		for (const [column, value] of Object.entries(bucket)) totals[`${column}${at}`] = value;
	writes.saveTotals.run(totals);
	const after: UsageReportSeriesRow = {
		...series,
		total: plus(series.total, report.delta),
		reports: series.reports + 1,
		lastReportId: report.id,
		lastSetAt: report.behavior === "SET" ? laterOf(series.lastSetAt, report.at) : series.lastSetAt,
	};
	const { id, total, reports, lastReportId, lastSetAt } = after;
	writes.updateSeries.run({ id, total, reports, lastReportId, lastSetAt });
	return after;
}

const laterOf = (one: Instant | null, other: Instant): Instant => (one !== null && one > other ? one : other);

function times(value: Decimal, factor: number): Decimal {
	const product = Number(value) * factor;
	const isExact = isWhole.test(value) && Number.isSafeInteger(product);
	return isExact ? (String(product === 0 ? 0 : product) as Decimal) : toDecimal(exact(value).times(factor));
}

const isWhole = /^-?\d+$/;

/** Whether the usage of a feature (its row id) was ever reported. */
export const wasReported = (work: Work, featureId: string): boolean =>
	work.prepared(buildReportStatements).ofFeature.get({ featureId }) !== undefined;
