import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import { features } from "../../features/table";
import type { DimensionValue } from "../rules";
import type { Span } from "./rules";

/**
 * A feature, and the customer or resource that reports its usage. With the sum of all reports, it is the only row that
 * a report changes, and the first one that a check reads.
 */
export const usageReportSeries = sqliteTable(
	"usage_report_series",
	{
		id: integer().primaryKey({ autoIncrement: true }),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		/** The id of the resource that callers use; empty for usage without a resource. */
		resourceRef: text("resource_ref").notNull(),
		/**
		 * For a FLUCTUATING feature: the usage at an instant is the sum of all reports up to it. A feature's type never
		 * changes.
		 */
		isLevel: integer("is_level", { mode: "boolean" }).notNull(),
		total: text().notNull().$type<Decimal>(),
		reports: integer().notNull(),
		/** The last report; ids are never reused, so caches under it are never stale. */
		lastReportId: text("last_report_id").notNull(),
		/** The latest time of any SET: reports with an earlier time count up to it. */
		lastSetAt: integer("last_set_at").$type<Instant>(),
	},
	(table) => [uniqueIndex("usage_report_series_of").on(table.featureId, table.customerId, table.resourceRef)],
);

export type UsageReportSeriesRow = typeof usageReportSeries.$inferSelect;

/** The reports, as differences. Rows are only added. */
export const usageReports = sqliteTable(
	"usage_reports",
	{
		id: text().primaryKey(),
		seriesId: integer("series_id")
			.notNull()
			.references(() => usageReportSeries.id),
		/** The time of the usage, at which it counts. */
		at: integer().notNull().$type<Instant>(),
		/** The time of the report, by the environment's clock. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
		delta: text().notNull().$type<Decimal>(),
		/** CARRIED reverses, at the time of a SET, a later report with an earlier time. */
		behavior: text().notNull().$type<"DELTA" | "SET" | "CARRIED">(),
		/** As it was sent. */
		value: text().notNull().$type<Decimal>(),
		idempotencyKey: text("idempotency_key"),
		dimensions: text({ mode: "json" }).$type<Readonly<Record<string, DimensionValue>>>(),
		/** The reservation that it consumes. */
		reservationId: text("reservation_id"),
	},
	(table) => [
		index("usage_reports_time").on(table.seriesId, table.at),
		index("usage_reports_set").on(table.seriesId, table.at).where(sql`behavior = 'SET'`),
		uniqueIndex("usage_reports_key").on(table.seriesId, table.idempotencyKey).where(sql`idempotency_key is not null`),
	],
);

export type UsageReportRow = typeof usageReports.$inferSelect;

/**
 * The reported usage by day, hour and minute: a cache that each report updates, so that any period takes few rows. It
 * can be made again from the reports, row by row the same.
 */
export const usageReportTotals = sqliteTable(
	"usage_report_totals",
	{
		seriesId: integer("series_id").notNull(),
		span: integer().notNull().$type<Span>(),
		/** Days, hours or minutes since the epoch, UTC. */
		bucket: integer().notNull(),
		total: text().notNull().$type<Decimal>(),
		/**
		 * The sum over the reports of the difference times the milliseconds since the bucket began: for time-weighted
		 * averages.
		 */
		moment: text().notNull().$type<Decimal>(),
		reports: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.seriesId, table.span, table.bucket] })],
);
