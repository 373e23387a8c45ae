import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * How often anything but usage has been written to the main file: one row, id 1. What is remembered of the file holds while
 * it is the same (versions.ts), so that a report of usage, of which there may be thousands a second, makes nobody forget.
 */
export const mainRevision = sqliteTable("main_revision", {
	id: integer().primaryKey(),
	count: integer().notNull(),
	/** How often the file has been written at all; of writes of usage alone, at most one a second is counted. */
	commits: integer().notNull().default(0),
});

/** Which secret the folder has: one row, id 1. A server does not start with another one. */
export const folderSecret = sqliteTable("folder_secret", {
	id: integer().primaryKey(),
	/** In hexadecimal digits. */
	hash: text().notNull(),
});
