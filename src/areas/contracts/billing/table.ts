import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { invoices } from "../../invoices/table";
import type { Totals } from "../../pricing/totals";
import { type ContractItemRow, contracts } from "../table";
import type { UsageTerms } from "./rules.usage";

/**
 * What was invoiced: one row for each line item and cycle, written in the transaction that issues the invoice. The key is what
 * keeps a cycle from being invoiced twice. Items may be gone since, so they are no foreign key.
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
		 * The invoice that it stands on first; null where nothing was used, and so nothing was to be invoiced, and where it was
		 * invoiced by hand before Tollgate invoiced contracts.
		 */
		invoiceId: text("invoice_id").references(() => invoices.id),
		isElsewhere: integer("is_elsewhere", { mode: "boolean" }).notNull().default(false),
		/** What it came to, with what was invoiced late of it. */
		billed: text({ mode: "json" }).notNull().$type<Totals>(),
		/** Pay-as-you-go: how much of the usage was invoiced, in the units that are priced. */
		quantity: text().$type<Decimal>(),
		/** How many events the cycle had then: as long as they are the same, nothing came late. */
		events: integer(),
		/** By what it was priced: what is reported late is priced the same. */
		terms: text({ mode: "json" }).$type<UsageTerms>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.itemId, table.cycleStart] }),
		index("contract_billed_cycles_contract").on(table.contractId, table.cycleStart),
		index("contract_billed_cycles_invoice").on(table.invoiceId),
	],
);

/** A live contract whose items are open for change: what was in force when they were opened, to go back to. */
export const contractAmendments = sqliteTable("contract_amendments", {
	contractId: text("contract_id")
		.primaryKey()
		.references(() => contracts.id),
	environmentId: text("environment_id").notNull(),
	items: text({ mode: "json" }).notNull().$type<readonly ContractItemRow[]>(),
	note: text(),
	activationStartAt: integer("activation_start_at").$type<Instant>(),
	activationEndAt: integer("activation_end_at").$type<Instant>(),
	/** The invoices of the cycles that run are credited, and issued anew as amended. */
	includesCurrentInvoice: integer("includes_current_invoice", { mode: "boolean" }).notNull(),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

export type AmendmentRow = typeof contractAmendments.$inferSelect;

export type BilledCycleRow = typeof contractBilledCycles.$inferSelect;
