import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * The number of commits of main.db when this file was written (`main_revision.commits`): one row, id 1. A main.db with fewer commits is an
 * older copy (marks.ts).
 */
export const commitMarks = sqliteTable("commit_marks", {
	id: integer().primaryKey(),
	commits: integer().notNull(),
});
