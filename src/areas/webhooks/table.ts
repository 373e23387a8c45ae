import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { EventType } from "../outbox/event-types";
import type { WebhookConfiguration, WebhookStatus } from "./schema";

/** Endpoints that receive events. The secret is not stored: it derives from the secret of the data folder. */
export const webhooks = sqliteTable(
	"webhooks",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		endpoint: text().notNull(),
		description: text(),
		/** The subscribed event types; empty for all. */
		eventTypes: text("event_types", { mode: "json" }).notNull().$type<EventType[]>(),
		configuration: text({ mode: "json" }).notNull().$type<WebhookConfiguration>(),
		status: text().notNull().$type<WebhookStatus>(),
		/** Whether each delivery contains the secret, as receivers of the reference service expect. */
		sendsSecret: integer("sends_secret", { mode: "boolean" }).notNull(),
		/** Incremented by each rotation. */
		secretVersion: integer("secret_version").notNull(),
		/** Until this time, by the machine's clock, the former secret signs too; null if there is none. */
		formerSecretUntil: integer("former_secret_until").$type<Instant>(),
		/** The first position that the endpoint receives. Earlier events were sent, or precede its creation or activation. */
		fromPosition: integer("from_position").notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [index("webhooks_page").on(table.environmentId, table.id)],
);

export type WebhookRow = typeof webhooks.$inferSelect;

/** Requested replays: a queue that the deliverer works through in order. Replays expire together with the deliveries. */
export const webhookReplays = sqliteTable(
	"webhook_replays",
	{
		sequence: integer().primaryKey({ autoIncrement: true }),
		webhookId: text("webhook_id").notNull(),
		/** Positions of the outbox, both inclusive. */
		firstPosition: integer("first_position").notNull(),
		lastPosition: integer("last_position").notNull(),
		/** The machine's time. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("webhook_replays_of").on(table.webhookId, table.sequence),
		index("webhook_replays_kept").on(table.createdAt),
	],
);

export type WebhookReplayRow = typeof webhookReplays.$inferSelect;
