import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { subscriptions } from "../table";

/**
 * The highest totals of windows that events with negative values have lowered since, where each event charges usage. A window without a
 * row has its present total as the highest. The job that follows the log writes them.
 */
export const highestTotals = sqliteTable(
	"highest_totals",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		/** The key of the usage charge. */
		key: text().notNull(),
		/** The start of the window. */
		startsAt: integer("starts_at").notNull().$type<Instant>(),
		environmentId: text("environment_id").notNull(),
		/** In units of the meter. */
		highest: text().notNull().$type<Decimal>(),
		/** The latest time of its events. Parts of the window that end before do not have this total. */
		lastAt: integer("last_at").notNull().$type<Instant>(),
		/** How often the row was written. It only grows: as long as it is the same, the highest total is. */
		changes: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.key, table.startsAt] })],
);

export type HighestTotalRow = typeof highestTotals.$inferSelect;
