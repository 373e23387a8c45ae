import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";

/**
 * Subscriptions whose usage has changed, and when to compare it with their threshold, or to invoice what events have charged. The transaction of a comparison
 * deletes the row, so that a crash neither loses nor repeats one. There is no foreign key, since a comparison with
 * nothing does nothing.
 */
export const spendChecks = sqliteTable(
	"spend_checks",
	{
		environmentId: text("environment_id").notNull(),
		/** Row id. */
		subscriptionId: text("subscription_id").notNull(),
		/** On the clock of the environment. */
		nextDueAt: integer("next_due_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.subscriptionId, table.nextDueAt] }),
		index("spend_checks_due").on(table.environmentId, table.nextDueAt),
	],
);

export type SpendCheckRow = typeof spendChecks.$inferSelect;

/** The position in the event log up to which changed usage is in `spend_checks`. One row: id 1; none where no usage is invoiced at once. */
export const spendCheckCursor = sqliteTable("spend_check_cursor", {
	id: integer().primaryKey(),
	readTo: integer("read_to").notNull(),
});
