import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { EventType } from "../outbox/event-types";
import type { DeliveryStatus } from "./schema";

/** One answer, or why there was none. */
export interface Attempt {
	readonly at: Instant;
	readonly durationMs: number;
	/** Null: there was no answer. */
	readonly status: number | null;
	/** The first kilobyte of the answer. */
	readonly body: string | null;
	readonly error: string | null;
}

/** Of one event to one endpoint, with what became of it; times are the machine's. Only the deliverer writes this file. */
export const deliveries = sqliteTable(
	"deliveries",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		webhookId: text("webhook_id").notNull(),
		/** Of the event in the outbox. */
		position: integer().notNull(),
		messageId: text("message_id").notNull(),
		type: text().notNull().$type<EventType>(),
		status: text().notNull().$type<DeliveryStatus>(),
		/** In their order. */
		attempts: text({ mode: "json" }).notNull().$type<Attempt[]>(),
		/** When it is tried again; null: it is not. */
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

/** How far an endpoint has been told: what lies up to the position has been sent, or is kept as a delivery that is tried again. */
export const deliveryCursors = sqliteTable("delivery_cursors", {
	webhookId: text("webhook_id").primaryKey(),
	position: integer().notNull(),
	/** Since when no delivery has succeeded while others failed; null: the last one did. */
	failingSince: integer("failing_since").$type<Instant>(),
	/** The replay that is under way, or was done last, and up to where; null: it is done. */
	replaySequence: integer("replay_sequence").notNull().default(0),
	replayPosition: integer("replay_position"),
});

export type DeliveryCursorRow = typeof deliveryCursors.$inferSelect;
