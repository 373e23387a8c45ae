import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../kernel/clock";
import type { TaskStatus, TaskType } from "./rules";

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
		/** Subtasks ended, well or badly: `task_errors` has the latter. */
		doneCount: integer("done_count").notNull().default(0),
		/** How often it was claimed since it last got on; bounded by `attemptsMaxOf`. */
		attempts: integer().notNull().default(0),
		/** How often its thread or the process ended while it was claimed, since it last got on; bounded by `crashesMax`. */
		crashes: integer().notNull().default(0),
		dueAt: integer("due_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		startedAt: integer("started_at").$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
	},
	(table) => [
		index("tasks_queue").on(table.type, table.status, table.dueAt),
		index("tasks_listed").on(table.environmentId, table.type, table.status, table.id),
		index("tasks_ended").on(table.endedAt).where(sql`ended_at IS NOT NULL`),
		uniqueIndex("tasks_dedupe")
			.on(table.environmentId, table.type, table.dedupeKey)
			.where(sql`status IN ('PENDING', 'IN_PROGRESS') AND dedupe_key IS NOT NULL`),
	],
);

/** What failed inside a task, in the order in which it did. */
export const taskErrors = sqliteTable(
	"task_errors",
	{
		taskId: text("task_id")
			.notNull()
			.references(() => tasks.id),
		position: integer().notNull(),
		/** The caller's id of the item; the task's own when it failed as a whole. */
		itemId: text("item_id").notNull(),
		error: text().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.taskId, table.position] }),
		index("task_errors_item").on(table.taskId, table.itemId),
	],
);

export type TaskRow = typeof tasks.$inferSelect;

/** What a task is and how far it has come, without the payload, which may be megabytes. */
export type TaskState = Omit<TaskRow, "payload">;
