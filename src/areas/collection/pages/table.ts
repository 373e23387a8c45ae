import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { customers } from "../../customers/table";
import { providerConnections } from "../connections/table";
import { methodPageStates } from "./schema";

/** Matches pages that the collector has to look up. The index and its query must use this same expression. */
export const isLooked = sql`due_at IS NOT NULL`;

/** Pages of providers on which customers save a payment method. */
export const methodPages = sqliteTable(
	"method_pages",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		connectionId: text("connection_id")
			.notNull()
			.references(() => providerConnections.id),
		state: text({ enum: methodPageStates }).notNull(),
		/** The provider's references of the page and the customer. */
		ref: text().notNull(),
		customerRef: text("customer_ref"),
		url: text().notNull(),
		/** Times of the machine; `dueAt` is the time of the next look-up, null once the page has ended. */
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		dueAt: integer("due_at").$type<Instant>(),
		openedAt: integer("opened_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("method_pages_customer").on(table.environmentId, table.customerId, table.id),
		index("method_pages_ref").on(table.environmentId, table.connectionId, table.ref),
		index("method_pages_due").on(table.dueAt).where(isLooked),
	],
);

export type MethodPageRow = typeof methodPages.$inferSelect;
