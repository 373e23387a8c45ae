import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { DueProblem } from "../../kernel/problem";
import { customers } from "../customers/table";
import { legalEntities, paymentAccounts } from "../legal-entities/table";
import type { ContractRow as PricedRow } from "../pricing/models/contract-rows";
import type { Renewal } from "../pricing/rules.renewal";
import { subscriptions } from "../subscriptions/table";
import type { PricingModelId } from "./rules.models";
import type { BillingCycleUnit, ContractPaymentTime, ContractState } from "./schema";

/**
 * The due steps of a contract's billing: due invoices, the next term, the end after the last invoice, and late usage
 * after that. CARRY_ON comes first, for contracts that an earlier release published.
 */
export type ContractStep = "CARRY_ON" | "ISSUE" | "RENEW" | "END" | "LATE_USAGE";

/** Groups one customer's custom-priced subscriptions; its billing half has the line items to invoice. */
export const contracts = sqliteTable(
	"contracts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** The caller's contract id, or the row id without one. */
		refId: text("ref_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		name: text(),
		poNumber: text("po_number"),
		/** Null: no billing half. The contract's own state is not stored; it follows from this and the subscriptions. */
		billingState: text("billing_state").$type<ContractState>(),
		/** When the open amendment was opened; no invoice is issued meanwhile. Null: no amendment is open. */
		amendingSince: integer("amending_since").$type<Instant>(),
		/** Printed on its invoices. */
		note: text(),
		activationStartAt: integer("activation_start_at").$type<Instant>(),
		activationEndAt: integer("activation_end_at").$type<Instant>(),
		/** When its items last came into force; no invoice is dated earlier. Null until it is published. */
		publishedAt: integer("published_at").$type<Instant>(),
		/** When the next step of its billing is due; null: none is, or the billing is not live. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** Why a due step failed, as long as it is due. */
		problem: text({ mode: "json" }).$type<DueProblem<ContractStep>>(),
		/** Canceled for good, with all its subscriptions. */
		archivedAt: integer("archived_at").$type<Instant>(),
		/** The renewal after its term; null: it ends. */
		renewal: text({ mode: "json" }).$type<Renewal>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("contracts_ref").on(table.environmentId, table.refId),
		index("contracts_page").on(table.environmentId, table.id),
		index("contracts_customer").on(table.customerId, table.id),
		index("contracts_name").on(table.environmentId, table.name),
		index("contracts_name_search").on(table.environmentId, sql`name collate nocase`),
		index("contracts_expiring")
			.on(table.environmentId, table.activationEndAt, table.id)
			.where(sql`renewal IS NULL AND archived_at IS NULL`),
		index("contracts_due").on(table.environmentId, table.nextDueAt),
	],
);

export type ContractRow = typeof contracts.$inferSelect;

/** The subscriptions that a contract groups. A subscription is on one contract at most, so its id is the key. */
export const contractSubscriptions = sqliteTable(
	"contract_subscriptions",
	{
		subscriptionId: text("subscription_id")
			.primaryKey()
			.references(() => subscriptions.id),
		environmentId: text("environment_id").notNull(),
		contractId: text("contract_id")
			.notNull()
			.references(() => contracts.id),
		/** From 0, in the given order. */
		position: integer().notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("contract_subscriptions_contract").on(table.contractId, table.position)],
);

/** A line item of the billing half. Its rows are complete: all keys of its model are resolved when they are stored. */
export const contractItems = sqliteTable(
	"contract_items",
	{
		/** Also the `itemId` of the totals. */
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		contractId: text("contract_id")
			.notNull()
			.references(() => contracts.id),
		/** The caller's reference, unique on its contract. */
		externalId: text("external_id"),
		name: text().notNull(),
		/** The name of the item; for pay-as-you-go pricing the id of a metered feature. */
		itemName: text("item_name"),
		pricingModelId: text("pricing_model_id").notNull().$type<PricingModelId>(),
		rows: text({ mode: "json" }).notNull().$type<readonly PricedRow[]>(),
		billingCycleUnit: text("billing_cycle_unit").notNull().$type<BillingCycleUnit>(),
		billingCycleCount: integer("billing_cycle_count").notNull(),
		paymentTime: text("payment_time").notNull().$type<ContractPaymentTime>(),
		/** Percent, 0 to 100. */
		discount: text().$type<Decimal>(),
		/** Percent, 0 to 100, on the discounted amount. */
		tax: text().$type<Decimal>(),
		/** Days until an invoice is due. */
		netTerms: integer("net_terms"),
		separateInvoice: integer("separate_invoice", { mode: "boolean" }).notNull(),
		/** Whether a cycle that the window cuts short is prorated; otherwise it is charged in full. */
		prorateCutCycles: integer("prorate_cut_cycles", { mode: "boolean" }).notNull().default(false),
		/** ISO 4217, lower case; the same on all items of a contract. */
		currency: text().notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		paymentAccountId: text("payment_account_id")
			.notNull()
			.references(() => paymentAccounts.id),
		activationStartAt: integer("activation_start_at").$type<Instant>(),
		activationEndAt: integer("activation_end_at").$type<Instant>(),
		/** The anchor of its cycles, at its start or earlier; null: its start. */
		cyclesFrom: integer("cycles_from").$type<Instant>(),
		/** An amendment has removed it: it ends, and neither dates nor renewals apply to it. */
		takenOutAt: integer("taken_out_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("contract_items_contract").on(table.contractId, table.id),
		uniqueIndex("contract_items_external").on(table.contractId, table.externalId),
	],
);

export type ContractItemRow = typeof contractItems.$inferSelect;
