import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Counts the writes of the main file except usage: one row, id 1. Caches of the file are valid while it does not change (versions.ts), so
 * that thousands of usage reports a second do not invalidate them.
 */
export const mainRevision = sqliteTable("main_revision", {
	id: integer().primaryKey(),
	count: integer().notNull(),
	/** Counts all writes of the file; of writes of usage only, at most one each second. */
	commits: integer().notNull().default(0),
});

/** The hash of the folder's secret: one row, id 1. A server does not start with another secret. */
export const folderSecret = sqliteTable("folder_secret", {
	id: integer().primaryKey(),
	/** The hash in hexadecimal digits. */
	hash: text().notNull(),
});
