import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { customers } from "../../customers/table";
import { providerConnections } from "../connections/table";
import { methodKinds } from "./schema";

/** Matches removed methods that the provider still has. The index and its query must use this same expression. */
export const isToDetach = sql`due_at IS NOT NULL`;

/** Payment methods that customers have saved at providers. The customer's row states the default one. */
export const paymentMethods = sqliteTable(
	"payment_methods",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		connectionId: text("connection_id")
			.notNull()
			.references(() => providerConnections.id),
		/** The provider's references of the method and of its customer. */
		ref: text().notNull(),
		customerRef: text("customer_ref").notNull(),
		kind: text({ enum: methodKinds }).notNull(),
		brand: text(),
		last4: text(),
		expiresMonth: integer("expires_month"),
		expiresYear: integer("expires_year"),
		country: text(),
		/** When the method was removed; null while it can be charged. Attempts refer to removed methods. */
		detachedAt: integer("detached_at").$type<Instant>(),
		/** The machine's time at which the collector deletes the method at the provider; null otherwise. */
		dueAt: integer("due_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("payment_methods_ref").on(table.environmentId, table.connectionId, table.ref),
		index("payment_methods_customer").on(table.environmentId, table.customerId, table.id),
		index("payment_methods_due").on(table.dueAt).where(isToDetach),
	],
);

export type PaymentMethodRow = typeof paymentMethods.$inferSelect;
