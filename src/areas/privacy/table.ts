import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { customers } from "../customers/table";

/** Erasures of customers, finished or under way. Rows are never deleted. */
export const erasures = sqliteTable(
	"erasures",
	{
		/** The task's id. */
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** The kind of the caller who requested it, and the id of the key or user. */
		actorType: text("actor_type").notNull(),
		actorId: text("actor_id").notNull(),
		requestedAt: integer("requested_at").notNull().$type<Instant>(),
		completedAt: integer("completed_at").$type<Instant>(),
		/** The current step, by its table, and the place up to which it is done; empty at the beginning. */
		step: text().notNull(),
		place: text().notNull(),
		/** The number of changed rows by table. */
		erased: text({ mode: "json" }).notNull().$type<Readonly<Record<string, number>>>(),
		/** The certificate's text and its SHA-256; null until the erasure ends. */
		certificate: text(),
		sha256: text(),
	},
	(table) => [index("erasures_customer").on(table.environmentId, table.customerId, table.id)],
);

export type ErasureRow = typeof erasures.$inferSelect;
