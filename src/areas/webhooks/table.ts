import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { EventType } from "../outbox/event-types";
import type { WebhookConfiguration, WebhookStatus } from "./schema";

/** An address that is told what happens. Its secret is not kept: it derives from the folder's own. */
export const webhooks = sqliteTable(
	"webhooks",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		endpoint: text().notNull(),
		description: text(),
		/** Which it is told of; none named: all. */
		eventTypes: text("event_types", { mode: "json" }).notNull().$type<EventType[]>(),
		configuration: text({ mode: "json" }).notNull().$type<WebhookConfiguration>(),
		status: text().notNull().$type<WebhookStatus>(),
		/** Whether its secret is sent along with each delivery, as receivers of the reference service expect it. */
		sendsSecret: integer("sends_secret", { mode: "boolean" }).notNull(),
		/** Counted up by each rotation. */
		secretVersion: integer("secret_version").notNull(),
		/** Until then, by the machine's clock, the secret before signs too; null: there is none. */
		formerSecretUntil: integer("former_secret_until").$type<Instant>(),
		/** What stands before this position of the outbox was sent, or is not for it: it was made, or enabled, later. */
		fromPosition: integer("from_position").notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [index("webhooks_page").on(table.environmentId, table.id)],
);

export type WebhookRow = typeof webhooks.$inferSelect;

/** What is to be sent once more: a queue that the deliverer reads in its order, and that is forgotten with the deliveries. */
export const webhookReplays = sqliteTable(
	"webhook_replays",
	{
		sequence: integer().primaryKey({ autoIncrement: true }),
		webhookId: text("webhook_id").notNull(),
		/** Positions of the outbox, both included. */
		firstPosition: integer("first_position").notNull(),
		lastPosition: integer("last_position").notNull(),
		/** The machine's. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("webhook_replays_of").on(table.webhookId, table.sequence),
		index("webhook_replays_kept").on(table.createdAt),
	],
);

export type WebhookReplayRow = typeof webhookReplays.$inferSelect;
