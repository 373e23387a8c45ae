import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { coupons } from "../coupons/table";
import type { CashDiscountTerms } from "../legal-entities/schema";
import type { CustomerBillingAnchor } from "../pricing/schema.billing-anchor";
import type { BillingPassthrough, CustomerIntegrationRef, DefaultPaymentMethod, PaymentMethodSource } from "./schema";
import type { TaxExemption } from "./schema.invoicing";

/** Customers. Rows are never deleted: an archived customer keeps its ids, invoices and history. */
export const customers = sqliteTable(
	"customers",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		/** The customer's id at the billing provider. The built-in provider generates it if the caller states none. */
		billingId: text("billing_id").notNull(),
		name: text(),
		email: text(),
		/** ISO 4217, lower case. */
		billingCurrency: text("billing_currency"),
		language: text(),
		timezone: text(),
		/** From when billing periods count, unless subscription or plan state it; null for that of the environment. */
		billingAnchor: text("billing_anchor", { mode: "json" }).$type<CustomerBillingAnchor>(),
		/** Kept from the first charged subscription, where a plan asks for the customer's anchor and there is none. */
		cycleAnchorAt: integer("cycle_anchor_at").$type<Instant>(),
		/** Applies to all active subscriptions of the customer. */
		couponId: text("coupon_id").references(() => coupons.id),
		/** The coupon's months count from this time. */
		couponAppliedAt: integer("coupon_applied_at").$type<Instant>(),
		defaultPaymentMethod: text("default_payment_method", { mode: "json" }).$type<DefaultPaymentMethod>(),
		/** Null for a payment method that was stated, not attached. */
		paymentMethodSource: text("payment_method_source", { mode: "json" }).$type<PaymentMethodSource>(),
		/** Links to external entities, oldest first. */
		integrations: text({ mode: "json" }).notNull().$type<CustomerIntegrationRef[]>(),
		/** The last billing details that the caller sent: the address and tax ids for invoices. */
		passthrough: text({ mode: "json" }).$type<BillingPassthrough>(),
		/** The row id of the legal entity that invoices all purchases; null for the issuer of each plan, or else the default one. */
		legalEntityId: text("legal_entity_id"),
		/** The reason for charging no tax; null if subscriptions and contracts set the tax. */
		taxExemption: text("tax_exemption").$type<TaxExemption>(),
		/** The legal provision that documents print; null without an exemption. */
		taxExemptionProvision: text("tax_exemption_provision"),
		/** The taxes that the customer pays, by the caller's ids; null: those of the environment. */
		taxes: text({ mode: "json" }).$type<string[]>(),
		/** The row id of the customer that this one belongs to. */
		parentCustomerId: text("parent_customer_id"),
		/** PARENT: the parent pays for subscriptions that name no payer; null: SELF. */
		billsTo: text("bills_to").$type<"PARENT">(),
		/** CONSOLIDATED: subscriptions that fall due together share an invoice; null: SEPARATE. */
		invoiceGrouping: text("invoice_grouping").$type<"CONSOLIDATED">(),
		/** Replaces the legal entity's cash discount. */
		cashDiscount: text("cash_discount", { mode: "json" }).$type<CashDiscountTerms>(),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		/** The date of the data that the last import stated; null if another change followed. */
		importedAsOf: integer("imported_as_of").$type<Instant>(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("customers_ref").on(table.environmentId, table.refId),
		uniqueIndex("customers_billing").on(table.environmentId, table.billingId),
		index("customers_page").on(table.environmentId, table.id),
		// The last column shows the creation times of rows in page order.
		index("customers_shown").on(table.environmentId, table.id, table.createdAt).where(sql`archived_at IS NULL`),
		index("customers_created").on(table.environmentId, table.createdAt, table.id),
		index("customers_email").on(table.environmentId, table.email, table.id),
		index("customers_name").on(table.environmentId, table.name, table.id),
		index("customers_name_search").on(table.environmentId, sql`name collate nocase`),
		// Partial, because most customers have no coupon.
		index("customers_coupon").on(table.couponId, table.id).where(sql`coupon_id IS NOT NULL`),
		index("customers_parent").on(table.parentCustomerId, table.id).where(sql`parent_customer_id IS NOT NULL`),
	],
);

export type CustomerRow = typeof customers.$inferSelect;

/**
 * The number of active customers per environment; triggers of `customers` maintain it (docs/decisions/0015-plans-that-do-not-
 * depend-on-the-data.md).
 */
export const customerCounts = sqliteTable("customer_counts", {
	environmentId: text("environment_id").primaryKey(),
	count: integer().notNull(),
});

/**
 * The times in which a customer belonged to a parent. The usage of those times counts for subscriptions of the parent that include it.
 */
export const customerParents = sqliteTable(
	"customer_parents",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** A row id. */
		parentId: text("parent_id").notNull(),
		/** Null: since before its first usage. */
		startsAt: integer("starts_at").$type<Instant>(),
		/** Null: it still belongs to the parent. */
		endsAt: integer("ends_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("customer_parents_customer").on(table.customerId, table.id),
		index("customer_parents_parent").on(table.parentId, table.id),
	],
);

export type CustomerParentRow = typeof customerParents.$inferSelect;

/** Parts of a customer with subscriptions and usage of their own. The first request that names one creates it. */
export const customerResources = sqliteTable(
	"customer_resources",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		refId: text("ref_id").notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("customer_resources_ref").on(table.customerId, table.refId),
		index("customer_resources_page").on(table.customerId, table.id),
		index("customer_resources_name").on(table.environmentId, table.refId),
	],
);

export type ResourceRow = typeof customerResources.$inferSelect;
