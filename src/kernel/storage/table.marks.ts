import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * How far main.db had come when this file was written (`main_revision.commits`): one row, id 1. A main.db that has not come as far
 * is an older copy (marks.ts).
 */
export const commitMarks = sqliteTable("commit_marks", {
	id: integer().primaryKey(),
	commits: integer().notNull(),
});
