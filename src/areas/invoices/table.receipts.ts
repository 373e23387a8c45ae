import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import { customers } from "../customers/table";
import { balanceEntryKinds } from "./balance/schema";
import { allocationKinds, paymentMethods, receiptKinds, receiptSources, reversalReasons } from "./payments/schema";
import { creditNotes, invoices } from "./table";

/** Matches receipts with unallocated money. Indexes and their queries must use this same expression. */
export const isUnallocated = sql`unallocated <> '0'`;

/** Movements of money of customers, in and out. Only `unallocated`, `refunded` and `disputed` of a row change, and an erasure deletes its texts. */
export const receipts = sqliteTable(
	"receipts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** The payer. */
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** The company that received the money: the issuer's row id, as for invoices. */
		legalEntityId: text("legal_entity_id").notNull(),
		/** The position among the receipts of its legal entity, from 1; its document prints it. */
		numberCount: integer("number_count").notNull(),
		kind: text({ enum: receiptKinds }).notNull(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		/** Why the money was withdrawn; only of a RETURN. */
		reason: text({ enum: reversalReasons }),
		/** In major units; above zero, also for money out. */
		amount: text().notNull().$type<Decimal>(),
		/** The part that pays no invoice and is in no balance yet; 0 for money out. */
		unallocated: text().notNull().$type<Decimal>(),
		/** The part that was refunded or withdrawn (`receipt_refunds`); 0 for money out. */
		refunded: text().notNull().$type<Decimal>(),
		/** The part that a dispute concerns: it cannot be refunded. */
		disputed: text().notNull().$type<Decimal>().default(zero),
		method: text({ enum: paymentMethods }).notNull(),
		/** The origin of the record; null: entered by hand. */
		source: text({ enum: receiptSources }),
		/** The caller's reference, such as that of the bank statement. */
		reference: text(),
		/** The id of the invoice, customer, bank account or connection within which the reference is unique: a repeated one means the same money. */
		referenceScope: text("reference_scope").notNull(),
		note: text(),
		/** The time at which the money moved. */
		receivedAt: integer("received_at").notNull().$type<Instant>(),
		/** The hash of the row (rules.seal.ts); null for a row older than seals. */
		seal: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("receipts_counted").on(table.environmentId, table.legalEntityId, table.numberCount),
		uniqueIndex("receipts_reference")
			.on(table.environmentId, table.referenceScope, table.kind, table.reference)
			.where(sql`reference IS NOT NULL`),
		index("receipts_environment").on(table.environmentId, table.id),
		index("receipts_kind").on(table.environmentId, table.kind, table.id),
		index("receipts_customer").on(table.environmentId, table.customerId, table.id),
		index("receipts_unallocated").on(table.environmentId, table.id).where(isUnallocated),
	],
);

/** The money of receipts that pays invoices or is in balances, and its reversals. Rows never change. */
export const allocations = sqliteTable(
	"allocations",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		receiptId: text("receipt_id")
			.notNull()
			.references(() => receipts.id),
		/** Null: the whole amount is in the customer's balance, or came from it. */
		invoiceId: text("invoice_id").references(() => invoices.id),
		kind: text({ enum: allocationKinds }).notNull(),
		/** In major units of the invoice's currency; above zero, also for a refund or a reversal. */
		amount: text().notNull().$type<Decimal>(),
		/** The part that went to the customer's balance; for a refund or a reversal, the part that came from it. */
		balancePart: text("balance_part").notNull().$type<Decimal>(),
		/** The allocation that a reversal reverses, and why. */
		reversesId: text("reverses_id"),
		reason: text({ enum: reversalReasons }),
		/** The RETURN of a reversal whose money has left; null: the money is unallocated again, or the row is older than the column. */
		returnId: text("return_id"),
		/** The hash of the row (rules.seal.ts); null for a row older than seals. */
		seal: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("allocations_invoice").on(table.environmentId, table.invoiceId, table.id),
		index("allocations_receipt").on(table.receiptId, table.id),
		index("allocations_reversed").on(table.reversesId).where(sql`reverses_id IS NOT NULL`),
	],
);

/** The receipts that a refund comes from. Rows never change. */
export const receiptRefunds = sqliteTable(
	"receipt_refunds",
	{
		environmentId: text("environment_id").notNull(),
		/** The receipt that moves the money out. */
		refundId: text("refund_id")
			.notNull()
			.references(() => receipts.id),
		/** The receipt that brought it in. */
		receiptId: text("receipt_id")
			.notNull()
			.references(() => receipts.id),
		amount: text().notNull().$type<Decimal>(),
		/** The part that was unallocated; the rest came from an OPEN invoice or from the customer's balance. */
		unallocatedPart: text("unallocated_part").notNull().$type<Decimal>(),
	},
	(table) => [
		primaryKey({ columns: [table.refundId, table.receiptId] }),
		index("receipt_refunds_receipt").on(table.receiptId, table.refundId),
	],
);

/** The ledger of customers' balances: rows are added and never changed. The last row of a customer and currency states the balance. */
export const customerBalanceEntries = sqliteTable(
	"customer_balance_entries",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		/** The position from 1, without gaps, for each customer and currency. */
		sequence: integer().notNull(),
		kind: text({ enum: balanceEntryKinds }).notNull(),
		/** The change in major units; negative for a deduction. Never 0. */
		amount: text().notNull().$type<Decimal>(),
		/** The balance after the entry; never negative. */
		balance: text().notNull().$type<Decimal>(),
		/** The source document: one of the three is set; an adjustment has none. */
		invoiceId: text("invoice_id").references(() => invoices.id),
		creditNoteId: text("credit_note_id").references(() => creditNotes.id),
		paymentId: text("payment_id").references(() => allocations.id),
		/** The reason of an adjustment; null for an entry of a document. */
		reason: text(),
		/** The hash of the row (rules.seal.ts); null for a row older than seals. */
		seal: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("customer_balance_entries_sequence").on(
			table.environmentId,
			table.customerId,
			table.currency,
			table.sequence,
		),
		index("customer_balance_entries_customer").on(table.environmentId, table.customerId, table.id),
		index("customer_balance_entries_currency").on(table.environmentId, table.customerId, table.currency, table.id),
		index("customer_balance_entries_invoice").on(table.invoiceId).where(sql`invoice_id IS NOT NULL`),
		index("customer_balance_entries_credit_note").on(table.creditNoteId).where(sql`credit_note_id IS NOT NULL`),
		index("customer_balance_entries_payment").on(table.paymentId).where(sql`payment_id IS NOT NULL`),
	],
);

export type ReceiptRow = typeof receipts.$inferSelect;
export type AllocationRow = typeof allocations.$inferSelect;
export type ReceiptRefundRow = typeof receiptRefunds.$inferSelect;
export type CustomerBalanceEntryRow = typeof customerBalanceEntries.$inferSelect;
