import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { providerConnections } from "../connections/table";

/** Matches disputes that the collector has to look up. The index and its query must use this same expression. */
export const isDue = sql`due_at IS NOT NULL`;

/** Disputes of our payments at a provider. The dispute of the receipt has their state; here is when to look them up. */
export const providerDisputes = sqliteTable(
	"provider_disputes",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		connectionId: text("connection_id")
			.notNull()
			.references(() => providerConnections.id),
		/** The provider's reference of the dispute. */
		ref: text().notNull(),
		/** The provider's reference of the payment. */
		paymentRef: text("payment_ref").notNull(),
		/** Why the books cannot follow the provider; null if they do. */
		problem: text(),
		/** The machine's time of the next look-up; null once the dispute has ended. */
		dueAt: integer("due_at").$type<Instant>(),
		/** The machine's time. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("provider_disputes_ref").on(table.connectionId, table.ref),
		index("provider_disputes_due").on(table.dueAt).where(isDue),
		index("provider_disputes_environment").on(table.environmentId, table.id),
	],
);

export type ProviderDisputeRow = typeof providerDisputes.$inferSelect;
