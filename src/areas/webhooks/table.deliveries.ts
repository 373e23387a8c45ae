import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { EventType } from "../outbox/event-types";
import type { DeliveryStatus } from "./schema";

/** One request to the endpoint, with its response or error. */
export interface Attempt {
	readonly at: Instant;
	readonly durationMs: number;
	/** Null without a response. */
	readonly status: number | null;
	/** The first kilobyte of the response. */
	readonly body: string | null;
	readonly error: string | null;
}

/**
 * Deliveries of one event to one endpoint, with their outcome. Times are the machine's. Only the deliverer writes this
 * file.
 */
export const deliveries = sqliteTable(
	"deliveries",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		webhookId: text("webhook_id").notNull(),
		/** The position of the event in the outbox. */
		position: integer().notNull(),
		messageId: text("message_id").notNull(),
		type: text().notNull().$type<EventType>(),
		status: text().notNull().$type<DeliveryStatus>(),
		/** The attempts, in order. */
		attempts: text({ mode: "json" }).notNull().$type<Attempt[]>(),
		/** The time of the next retry; null if there is none. */
		nextAttemptAt: integer("next_attempt_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("deliveries_list").on(table.environmentId, table.id),
		index("deliveries_page").on(table.webhookId, table.id),
		index("deliveries_due").on(table.webhookId, table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
	],
);

export type DeliveryRow = typeof deliveries.$inferSelect;

/** The position of each endpoint. Events up to it are delivered, or stored as a delivery with a retry. */
export const deliveryCursors = sqliteTable("delivery_cursors", {
	webhookId: text("webhook_id").primaryKey(),
	position: integer().notNull(),
	/** The time since which no delivery has succeeded; null if the last one succeeded. */
	failingSince: integer("failing_since").$type<Instant>(),
	/** The current or last replay, and its position; a null position means that it is complete. */
	replaySequence: integer("replay_sequence").notNull().default(0),
	replayPosition: integer("replay_position"),
});

export type DeliveryCursorRow = typeof deliveryCursors.$inferSelect;
