import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../kernel/clock";
import type { TaskError, TaskStatus, TaskType } from "./rules";

/** The queue itself. A message to a worker only says "look": what is here and not ended is done again after a crash. */
export const tasks = sqliteTable(
	"tasks",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		type: text().notNull().$type<TaskType>(),
		status: text().notNull().$type<TaskStatus>(),
		/** Tasks of the same type and key run once at a time: asking again finds the one that waits or runs. */
		dedupeKey: text("dedupe_key"),
		payload: text({ mode: "json" }).notNull().$type<unknown>(),
		totalCount: integer("total_count").notNull(),
		/** Subtasks ended, well or badly. */
		doneCount: integer("done_count").notNull().default(0),
		errors: text({ mode: "json" }).notNull().$type<TaskError[]>(),
		/** How often it was claimed; bounded by `attemptsMax`. */
		attempts: integer().notNull().default(0),
		dueAt: integer("due_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		startedAt: integer("started_at").$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
	},
	(table) => [
		index("tasks_queue").on(table.type, table.status, table.dueAt),
		uniqueIndex("tasks_dedupe")
			.on(table.environmentId, table.type, table.dedupeKey)
			.where(sql`status IN ('PENDING', 'IN_PROGRESS') AND dedupe_key IS NOT NULL`),
	],
);

export type TaskRow = typeof tasks.$inferSelect;
