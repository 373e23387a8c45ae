import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { customers } from "../customers/table";

/** What was done, or is being done, to erase a customer; never removed. */
export const erasures = sqliteTable(
	"erasures",
	{
		/** The task's id. */
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Who asked for it: the kind of caller, and the id of the key or the user. */
		actorType: text("actor_type").notNull(),
		actorId: text("actor_id").notNull(),
		requestedAt: integer("requested_at").notNull().$type<Instant>(),
		completedAt: integer("completed_at").$type<Instant>(),
		/** The step that is under way, by its table, and the place in it that is done; empty at the beginning. */
		step: text().notNull(),
		place: text().notNull(),
		/** Rows by table that have lost something so far. */
		erased: text({ mode: "json" }).notNull().$type<Readonly<Record<string, number>>>(),
		/** The certificate as it was written, and the SHA-256 of that text; null until it has ended. */
		certificate: text(),
		sha256: text(),
	},
	(table) => [index("erasures_customer").on(table.environmentId, table.customerId, table.id)],
);

export type ErasureRow = typeof erasures.$inferSelect;
