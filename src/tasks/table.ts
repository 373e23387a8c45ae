import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../kernel/clock";
import type { TaskStatus, TaskType } from "./rules";

/** The queue of tasks. A message to a thread only means "look": tasks that have not ended are done again after a crash. */
export const tasks = sqliteTable(
	"tasks",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		type: text().notNull().$type<TaskType>(),
		status: text().notNull().$type<TaskStatus>(),
		/** Only one task of a type and key waits or runs at a time: another request finds it. */
		dedupeKey: text("dedupe_key"),
		payload: text({ mode: "json" }).notNull().$type<unknown>(),
		totalCount: integer("total_count").notNull(),
		/** The number of ended subtasks; `task_errors` has the failed ones. */
		doneCount: integer("done_count").notNull().default(0),
		/** The number of claims since the last progress; bounded by `attemptsMaxOf`. */
		attempts: integer().notNull().default(0),
		/** The number of crashes of its thread or the process since the last progress; bounded by `crashesMax`. */
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

/** The errors of a task, in order. */
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

/** The state of a task, without the payload, which may be megabytes. */
export type TaskState = Omit<TaskRow, "payload">;
