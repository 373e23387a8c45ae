import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { type ContractItemRow, contracts } from "../table";

/** An open amendment of a live contract: the state in force before, to restore it. */
export const contractAmendments = sqliteTable("contract_amendments", {
	contractId: text("contract_id")
		.primaryKey()
		.references(() => contracts.id),
	environmentId: text("environment_id").notNull(),
	items: text({ mode: "json" }).notNull().$type<readonly ContractItemRow[]>(),
	note: text(),
	activationStartAt: integer("activation_start_at").$type<Instant>(),
	activationEndAt: integer("activation_end_at").$type<Instant>(),
	/** The invoices of running cycles are credited, and issued again as amended. */
	includesCurrentInvoice: integer("includes_current_invoice", { mode: "boolean" }).notNull(),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

export type AmendmentRow = typeof contractAmendments.$inferSelect;
