import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * How often anything but usage has been written to the main file: one row, id 1. What is remembered of the file holds while
 * it is the same (versions.ts), so that a report of usage, of which there may be thousands a second, makes nobody forget.
 */
export const mainRevision = sqliteTable("main_revision", {
	id: integer().primaryKey(),
	count: integer().notNull(),
});
