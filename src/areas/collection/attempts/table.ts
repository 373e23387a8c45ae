import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import { providerConnections } from "../connections/table";
import { paymentMethods } from "../methods/table";
import type { Failure } from "../providers/provider";
import { attemptStates } from "./rules.states";
import { attemptTriggers } from "./schema";

/** Matches attempts that the collector has to work on. The index and its query must use this same expression. */
export const isDue = sql`due_at IS NOT NULL`;

/** Matches attempts that are not final. The index and its queries must use this same expression. */
export const isUnderWay = sql`ended_at IS NULL`;

/** Matches invoices with an attempt that is not final. */
const isOpen = sql`is_open = 1`;

/** Attempts to collect an amount once. */
export const attempts = sqliteTable(
	"attempts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** The company that receives the money: the issuer's row id. */
		legalEntityId: text("legal_entity_id").notNull(),
		connectionId: text("connection_id")
			.notNull()
			.references(() => providerConnections.id),
		methodId: text("method_id")
			.notNull()
			.references(() => paymentMethods.id),
		trigger: text({ enum: attemptTriggers }).notNull(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		/** In major units. */
		amount: text().notNull().$type<Decimal>(),
		/** The text that the provider shows, such as the number of the invoice. */
		description: text().notNull(),
		state: text({ enum: attemptStates }).notNull(),
		/** The provider's reference; null until it is known. */
		ref: text(),
		/** The call whose row was written before it, and that has no definite answer yet. */
		pending: text({ enum: ["CREATE", "CONFIRM"] }),
		/** The number in the key of the next call. */
		keyNumber: integer("key_number").notNull(),
		/** The machine's time of the first call with this key. */
		keySince: integer("key_since").$type<Instant>(),
		isCancelWanted: integer("is_cancel_wanted", { mode: "boolean" }).notNull(),
		/** The received amount; null before the first answer. */
		received: text().$type<Decimal>(),
		failure: text({ mode: "json" }).$type<Failure>(),
		actionUrl: text("action_url"),
		/** The receipt of the money (by row id, without a foreign key). */
		receiptId: text("receipt_id"),
		/** Times of the machine: the start, and the next call; null once nothing is to be called. */
		startedAt: integer("started_at").notNull().$type<Instant>(),
		dueAt: integer("due_at").$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("attempts_environment").on(table.environmentId, table.id),
		index("attempts_customer").on(table.environmentId, table.customerId, table.id),
		index("attempts_open").on(table.environmentId, table.customerId, table.id).where(isUnderWay),
		index("attempts_state").on(table.environmentId, table.state, table.id),
		index("attempts_ref").on(table.environmentId, table.connectionId, table.ref).where(sql`ref IS NOT NULL`),
		index("attempts_method").on(table.environmentId, table.methodId, table.state, table.id),
		index("attempts_due").on(table.dueAt).where(isDue),
	],
);

/** The invoices that an attempt is to pay. */
export const attemptInvoices = sqliteTable(
	"attempt_invoices",
	{
		attemptId: text("attempt_id")
			.notNull()
			.references(() => attempts.id),
		/** The row id, without a foreign key: invoices are a later area. */
		invoiceId: text("invoice_id").notNull(),
		environmentId: text("environment_id").notNull(),
		amount: text().notNull().$type<Decimal>(),
		/** Whether the attempt is not final. The index below permits one of them for an invoice. */
		isOpen: integer("is_open", { mode: "boolean" }).notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.attemptId, table.invoiceId] }),
		uniqueIndex("attempt_invoices_open").on(table.invoiceId).where(isOpen),
		index("attempt_invoices_invoice").on(table.environmentId, table.invoiceId, table.attemptId),
	],
);

export type AttemptRow = typeof attempts.$inferSelect;
export type AttemptInvoiceRow = typeof attemptInvoices.$inferSelect;
