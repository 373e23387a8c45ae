import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { packedId } from "../../kernel/storage/packed-id";
import { packedEventMin, packedText } from "../../kernel/storage/packed-text";
import type { ActorType, EventType, NoticeType } from "./event-types";

/**
 * Events for webhooks and the feed. Each is written in the transaction of its change and never changes. They expire
 * after some weeks. Positions follow the order of commits, and none is used twice.
 */
export const outboxEvents = sqliteTable(
	"outbox_events",
	{
		position: integer().primaryKey({ autoIncrement: true }),
		environmentId: packedId("environment_id").notNull(),
		/** Receivers use it to recognize an event that arrives twice. */
		messageId: packedId("message_id").notNull(),
		/** All events of one transaction share it. */
		traceId: packedId("trace_id").notNull(),
		type: text().notNull().$type<EventType>(),
		/** The row id of the entity. Events of one entity are delivered in order. */
		entityId: packedId("entity_id").notNull(),
		actorType: text("actor_type").notNull().$type<ActorType>(),
		/** The caller's id of the customer; null if the event concerns none. */
		customerRef: text("customer_ref"),
		/** The fields of the entity: a JSON object, as it is sent. */
		payload: packedText(packedEventMin).notNull(),
		/** The environment's time. */
		at: integer().notNull().$type<Instant>(),
		/** The machine's time, which decides the expiry. */
		recordedAt: integer("recorded_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("outbox_events_feed").on(table.environmentId, table.position),
		index("outbox_events_customer")
			.on(table.environmentId, table.customerRef, table.position)
			.where(sql`customer_ref IS NOT NULL`),
	],
);

/**
 * Notices that are due at a time of the environment's clock: one row for each type and entity. The transaction that
 * emits the event deletes the row. The condition is checked at that time.
 */
export const outboxNotices = sqliteTable(
	"outbox_notices",
	{
		type: text().notNull().$type<NoticeType>(),
		/** The row id of the entity. */
		entityId: text("entity_id").notNull(),
		environmentId: text("environment_id").notNull(),
		nextDueAt: integer("next_due_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.entityId, table.type] }),
		index("outbox_notices_due").on(table.environmentId, table.nextDueAt),
	],
);

export type OutboxNoticeRow = typeof outboxNotices.$inferSelect;

export type OutboxEventRow = typeof outboxEvents.$inferSelect;
