import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import { features } from "../../features/table";
import type { DimensionValue } from "../rules";
import type { Span } from "./rules";

/**
 * A feature that one customer, or one resource of a customer, reports the usage of. With the total of all its reports, it is
 * the one row that a report changes and a check reads first.
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
		/** The caller's id of the resource; empty for the usage that names none. */
		resourceRef: text("resource_ref").notNull(),
		/** Of a FLUCTUATING feature: what counts at an instant is all that was reported up to it. A feature's type never changes. */
		isLevel: integer("is_level", { mode: "boolean" }).notNull(),
		total: text().notNull().$type<Decimal>(),
		reports: integer().notNull(),
		/** Of the report that came last: never given twice, so that what is remembered under it is never stale. */
		lastReportId: text("last_report_id").notNull(),
		/** The latest time of any SET: what is reported of an earlier time ends there. */
		lastSetAt: integer("last_set_at").$type<Instant>(),
	},
	(table) => [uniqueIndex("usage_report_series_of").on(table.featureId, table.customerId, table.resourceRef)],
);

export type UsageReportSeriesRow = typeof usageReportSeries.$inferSelect;

/** Appended only: what was reported, as what it adds. */
export const usageReports = sqliteTable(
	"usage_reports",
	{
		id: text().primaryKey(),
		seriesId: integer("series_id")
			.notNull()
			.references(() => usageReportSeries.id),
		/** When the usage happened: the time that it counts at. */
		at: integer().notNull().$type<Instant>(),
		/** When it was reported, by the environment's clock. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
		delta: text().notNull().$type<Decimal>(),
		/** CARRIED takes back, at the time of a SET, what was reported later of a time before it. */
		behavior: text().notNull().$type<"DELTA" | "SET" | "CARRIED">(),
		/** As it was sent. */
		value: text().notNull().$type<Decimal>(),
		idempotencyKey: text("idempotency_key"),
		dimensions: text({ mode: "json" }).$type<Readonly<Record<string, DimensionValue>>>(),
		/** The reservation that it uses up. */
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
 * What was reported by day, hour and minute: a cache that is written with each report, so that any period is read of few
 * rows. Made anew of the reports it is the same, row by row.
 */
export const usageReportTotals = sqliteTable(
	"usage_report_totals",
	{
		seriesId: integer("series_id").notNull(),
		span: integer().notNull().$type<Span>(),
		/** Days, hours or minutes since the epoch, UTC. */
		bucket: integer().notNull(),
		total: text().notNull().$type<Decimal>(),
		/** Of each report what it adds times the milliseconds since the bucket began, summed up: for averages over time. */
		moment: text().notNull().$type<Decimal>(),
		reports: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.seriesId, table.span, table.bucket] })],
);
