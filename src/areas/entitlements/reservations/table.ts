import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import { features } from "../../features/table";
import type { Dimensions } from "../../pricing/models/formula";
import type { StoredState } from "./rules";

/** Reserved usage. It counts against the limit until it is committed, released or expired. */
export const usageReservations = sqliteTable(
	"usage_reservations",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		/** The caller's id of the resource; empty for the usage that names none. */
		resourceRef: text("resource_ref").notNull(),
		amount: text().notNull().$type<Decimal>(),
		/** EXPIRED is not stored: it follows from `expiresAt`. */
		state: text().notNull().$type<StoredState>(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		idempotencyKey: text("idempotency_key"),
		/** The actual usage, and its report. */
		committedAmount: text("committed_amount").$type<Decimal>(),
		reportId: text("report_id"),
		/** They attribute the usage to budgets. The report of the commit has them too. */
		dimensions: text({ mode: "json" }).$type<Dimensions>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
	},
	(table) => [
		index("usage_reservations_held")
			.on(table.customerId, table.featureId, table.resourceRef, table.expiresAt)
			.where(sql`state = 'HELD'`),
		index("usage_reservations_page").on(table.customerId, table.id),
		index("usage_reservations_held_of_customer").on(table.customerId, table.expiresAt).where(sql`state = 'HELD'`),
		uniqueIndex("usage_reservations_key")
			.on(table.customerId, table.featureId, table.resourceRef, table.idempotencyKey)
			.where(sql`idempotency_key is not null`),
	],
);

export type UsageReservationRow = typeof usageReservations.$inferSelect;
