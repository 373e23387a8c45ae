import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import { providerConnections } from "../connections/table";
import { refundStates } from "./rules.states";

/** Matches refunds that the collector has to work on. The index and its query must use this same expression. */
export const isDue = sql`due_at IS NOT NULL`;

/** Refunds through a provider. The money is in a receipt of kind REFUND from the plan on. */
export const providerRefunds = sqliteTable(
	"provider_refunds",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		connectionId: text("connection_id")
			.notNull()
			.references(() => providerConnections.id),
		/** Row ids, without foreign keys: receipts are a later area. The receipt of the money, and the one that moves it out. */
		receiptId: text("receipt_id").notNull(),
		refundReceiptId: text("refund_receipt_id").notNull(),
		/** The receipts of the money that came back because the refund failed (row ids). */
		returnedReceiptIds: text("returned_receipt_ids", { mode: "json" }).notNull().$type<readonly string[]>(),
		/** The provider's reference of the payment. */
		paymentRef: text("payment_ref").notNull(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		/** In major units. */
		amount: text().notNull().$type<Decimal>(),
		/** Whether it is all that is left of the payment. */
		isWhole: integer("is_whole", { mode: "boolean" }).notNull(),
		reason: text(),
		state: text({ enum: refundStates }).notNull(),
		/** The provider's reference; null until it is known. */
		ref: text(),
		/** Whether a call was sent that has no definite answer yet. */
		pending: integer({ mode: "boolean" }).notNull(),
		/** The number in the key of the next call. */
		keyNumber: integer("key_number").notNull(),
		/** The machine's time of the first call with this key. */
		keySince: integer("key_since").$type<Instant>(),
		failure: text({ mode: "json" }).$type<{ readonly code: string; readonly message: string }>(),
		/** Times of the machine: the start, and the next call; null once nothing is to be called. */
		startedAt: integer("started_at").notNull().$type<Instant>(),
		dueAt: integer("due_at").$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("provider_refunds_environment").on(table.environmentId, table.id),
		index("provider_refunds_customer").on(table.environmentId, table.customerId, table.id),
		index("provider_refunds_receipt").on(table.environmentId, table.receiptId, table.id),
		index("provider_refunds_state").on(table.environmentId, table.state, table.id),
		index("provider_refunds_due").on(table.dueAt).where(isDue),
	],
);

export type ProviderRefundRow = typeof providerRefunds.$inferSelect;
