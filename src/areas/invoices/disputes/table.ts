import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import { receipts } from "../table.receipts";
import { disputeStates } from "./schema";

/** Disputes of receipts: a bank or a provider asks for the money back. */
export const disputes = sqliteTable(
	"disputes",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		receiptId: text("receipt_id")
			.notNull()
			.references(() => receipts.id),
		/** The customer of the receipt. */
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		state: text({ enum: disputeStates }).notNull(),
		/** In major units of the receipt's currency; above zero. */
		amount: text().notNull().$type<Decimal>(),
		/** The bank's reason. */
		reason: text(),
		/** The bank's number of the case, unique within the receipt. */
		reference: text(),
		note: text(),
		openedAt: integer("opened_at").notNull().$type<Instant>(),
		/** The last time for evidence. */
		evidenceDueAt: integer("evidence_due_at").$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
		/** The RETURN that withdrew the money; only of a LOST or ACCEPTED dispute. */
		returnId: text("return_id").references(() => receipts.id),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("disputes_reference").on(table.receiptId, table.reference).where(sql`reference IS NOT NULL`),
		index("disputes_environment").on(table.environmentId, table.id),
		index("disputes_state").on(table.environmentId, table.state, table.id),
		index("disputes_customer").on(table.environmentId, table.customerId, table.id),
		index("disputes_receipt").on(table.receiptId, table.id),
	],
);

export type DisputeRow = typeof disputes.$inferSelect;
