import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { providerConnections } from "../connections/table";

/** The objects of a provider that an event can be about. */
const eventThings = ["PAYMENT", "REFUND", "DISPUTE", "PAGE", "METHOD", "PAYOUT", "OTHER"] as const;

/** Matches events whose objects the collector has to look up. The index and its query must use this same expression. */
export const isDue = sql`due_at IS NOT NULL`;

/** Signed events of providers: hints about what to look up. Tollgate keeps them for a month, to recognize a repeated one. */
export const providerEvents = sqliteTable(
	"provider_events",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		connectionId: text("connection_id")
			.notNull()
			.references(() => providerConnections.id),
		/** The provider's id of the event. */
		eventRef: text("event_ref").notNull(),
		/** The provider's name of its type. */
		kind: text().notNull(),
		thing: text({ enum: eventThings }).notNull(),
		/** The provider's id of the object. */
		ref: text().notNull(),
		/** The machine's time of the look-up; null once the object was looked up, or if there is nothing to look up. */
		dueAt: integer("due_at").$type<Instant>(),
		/** The machine's time. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("provider_events_event").on(table.connectionId, table.eventRef),
		index("provider_events_due").on(table.dueAt).where(isDue),
		index("provider_events_object").on(table.connectionId, table.thing, table.ref).where(isDue),
		index("provider_events_age").on(table.createdAt),
	],
);

export type ProviderEventRow = typeof providerEvents.$inferSelect;
