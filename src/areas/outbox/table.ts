import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { packedId } from "../../kernel/storage/packed-id";
import { packedEventMin, packedText } from "../../kernel/storage/packed-text";
import type { ActorType, EventType, NoticeType } from "./event-types";

/**
 * What has happened, for those outside who want to be told: written in the transaction of the change, never changed, and
 * forgotten after some weeks. Positions follow the order of the commits, and none is given twice.
 */
export const outboxEvents = sqliteTable(
	"outbox_events",
	{
		position: integer().primaryKey({ autoIncrement: true }),
		environmentId: packedId("environment_id").notNull(),
		/** By which receivers know an event that comes twice. */
		messageId: packedId("message_id").notNull(),
		/** What one transaction has written has one in common. */
		traceId: packedId("trace_id").notNull(),
		type: text().notNull().$type<EventType>(),
		/** The row id of what it is about: events of one entity are delivered in their order. */
		entityId: packedId("entity_id").notNull(),
		actorType: text("actor_type").notNull().$type<ActorType>(),
		/** The caller's id of the customer that it is about; null for what is about none. */
		customerRef: text("customer_ref"),
		/** The entity's own fields, a JSON object as it is sent. */
		payload: packedText(packedEventMin).notNull(),
		/** The environment's time. */
		at: integer().notNull().$type<Instant>(),
		/** The machine's, by which it is kept. */
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
 * What is to be told once its time comes, by the environment's clock: one row for each type and entity, deleted in the
 * transaction that tells it. Whether it is still true is looked at then.
 */
export const outboxNotices = sqliteTable(
	"outbox_notices",
	{
		type: text().notNull().$type<NoticeType>(),
		/** The row id of what it is about. */
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
