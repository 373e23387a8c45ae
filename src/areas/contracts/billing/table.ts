import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { invoices } from "../../invoices/table";
import type { Totals } from "../../pricing/totals";
import { type ContractItemRow, contracts } from "../table";
import type { UsageTerms } from "./rules.usage";

/**
 * The invoiced cycles: one row for each line item and cycle, written in the transaction that issues the invoice. The
 * key keeps a cycle from being invoiced twice. Items may be deleted, so there is no foreign key.
 */
export const contractBilledCycles = sqliteTable(
	"contract_billed_cycles",
	{
		itemId: text("item_id").notNull(),
		cycleStart: integer("cycle_start").notNull().$type<Instant>(),
		cycleEnd: integer("cycle_end").notNull().$type<Instant>(),
		environmentId: text("environment_id").notNull(),
		contractId: text("contract_id")
			.notNull()
			.references(() => contracts.id),
		/**
		 * The first invoice of the cycle. Null if there was no usage to invoice, or if the cycle was invoiced before
		 * Tollgate invoiced contracts.
		 */
		invoiceId: text("invoice_id").references(() => invoices.id),
		isElsewhere: integer("is_elsewhere", { mode: "boolean" }).notNull().default(false),
		/** The invoiced amount, late usage included. */
		billed: text({ mode: "json" }).notNull().$type<Totals>(),
		/** For pay-as-you-go, the invoiced usage in priced units. */
		quantity: text().$type<Decimal>(),
		/** The number of events in the cycle at that time. The same number later means no late usage. */
		events: integer(),
		/** The prices of the usage; late usage has the same prices. */
		terms: text({ mode: "json" }).$type<UsageTerms>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.itemId, table.cycleStart] }),
		index("contract_billed_cycles_contract").on(table.contractId, table.cycleStart),
		index("contract_billed_cycles_invoice").on(table.invoiceId),
	],
);

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

export type BilledCycleRow = typeof contractBilledCycles.$inferSelect;
