import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { invoices } from "../table";

/** How the subscriptions of an invoice are paid. */
export type CollectionMethod = "CHARGE" | "INVOICE" | "NONE";

/** The invoices that charge subscriptions of one payer which fell due together. Their `subscription_id` is null. */
export const consolidatedInvoices = sqliteTable(
	"consolidated_invoices",
	{
		invoiceId: text("invoice_id")
			.primaryKey()
			.references(() => invoices.id),
		environmentId: text("environment_id").notNull(),
		collectionMethod: text("collection_method").notNull().$type<CollectionMethod>(),
		/** The time at which its subscriptions are due, until it is issued; null with a grace period, which the invoice states. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
	},
	(table) => [
		index("consolidated_invoices_due").on(table.environmentId, table.nextDueAt).where(sql`next_due_at IS NOT NULL`),
	],
);

/** The subscriptions that a consolidated invoice charges. */
export const invoiceSubscriptions = sqliteTable(
	"invoice_subscriptions",
	{
		invoiceId: text("invoice_id")
			.notNull()
			.references(() => invoices.id),
		/** The row id, without a foreign key, as in `invoices`. */
		subscriptionId: text("subscription_id").notNull(),
		environmentId: text("environment_id").notNull(),
		/** The caller's id, which its lines have. */
		subscriptionRefId: text("subscription_ref_id").notNull(),
		/** The percentage of its lines, which late usage keeps; null: none, or taxes with names. */
		taxPercentage: text("tax_percentage").$type<Decimal>(),
	},
	(table) => [
		primaryKey({ columns: [table.invoiceId, table.subscriptionId] }),
		index("invoice_subscriptions_subscription").on(table.subscriptionId, table.invoiceId),
	],
);

export type ConsolidatedInvoiceRow = typeof consolidatedInvoices.$inferSelect;
export type InvoiceSubscriptionRow = typeof invoiceSubscriptions.$inferSelect;
