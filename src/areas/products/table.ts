import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { ProductSettings, UsageResetBehavior } from "./schema";

export const products = sqliteTable(
	"products",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		displayName: text("display_name").notNull(),
		description: text(),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		multipleSubscriptions: integer("multiple_subscriptions", { mode: "boolean" }).notNull(),
		/** The behavior at the start, the end and the cancellation of a subscription. Its plans are ids of the caller. */
		settings: text({ mode: "json" }).notNull().$type<ProductSettings>(),
		usageReset: text("usage_reset").notNull().$type<UsageResetBehavior>(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("products_ref").on(table.environmentId, table.refId),
		index("products_page").on(table.environmentId, table.id),
		index("products_name_search").on(table.environmentId, sql`display_name collate nocase`),
	],
);

export type ProductRow = typeof products.$inferSelect;
