import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { coupons } from "../coupons/table";
import type { CashDiscountTerms } from "../legal-entities/schema";
import type { BillingPassthrough, CustomerIntegrationRef, DefaultPaymentMethod, PaymentMethodSource } from "./schema";
import type { TaxExemption } from "./schema.invoicing";

/** Who buys. Rows are never deleted: an archived customer keeps its ids, its invoices and its history. */
export const customers = sqliteTable(
	"customers",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		/** The customer's id at the billing provider; the built-in one makes it up when the caller gives none. */
		billingId: text("billing_id").notNull(),
		name: text(),
		email: text(),
		/** ISO 4217, lower case. */
		billingCurrency: text("billing_currency"),
		language: text(),
		timezone: text(),
		/** Acts on all active subscriptions of the customer. */
		couponId: text("coupon_id").references(() => coupons.id),
		/** From then on the coupon's months are counted. */
		couponAppliedAt: integer("coupon_applied_at").$type<Instant>(),
		defaultPaymentMethod: text("default_payment_method", { mode: "json" }).$type<DefaultPaymentMethod>(),
		/** Null with a payment method that was stated, not attached. */
		paymentMethodSource: text("payment_method_source", { mode: "json" }).$type<PaymentMethodSource>(),
		/** Links to external entities, oldest first. */
		integrations: text({ mode: "json" }).notNull().$type<CustomerIntegrationRef[]>(),
		/** Billing details as the caller sent them last: the address and tax ids that invoices carry. */
		passthrough: text({ mode: "json" }).$type<BillingPassthrough>(),
		/** Row id of who invoices it, whatever it buys; null: its plans' issuer, else the default one. */
		legalEntityId: text("legal_entity_id"),
		/** Why it is charged no tax; null: it is charged what its subscriptions and contracts say. */
		taxExemption: text("tax_exemption").$type<TaxExemption>(),
		/** The provision of law behind it, as documents print it; null without an exemption. */
		taxExemptionProvision: text("tax_exemption_provision"),
		/** In the place of its legal entity's. */
		cashDiscount: text("cash_discount", { mode: "json" }).$type<CashDiscountTerms>(),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		/** Of the import that wrote the row last, as of when it spoke; null since anything else has changed it. */
		importedAsOf: integer("imported_as_of").$type<Instant>(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("customers_ref").on(table.environmentId, table.refId),
		uniqueIndex("customers_billing").on(table.environmentId, table.billingId),
		index("customers_page").on(table.environmentId, table.id),
		// The last column tells, in the order of a page, which rows were created when.
		index("customers_shown").on(table.environmentId, table.id, table.createdAt).where(sql`archived_at IS NULL`),
		index("customers_created").on(table.environmentId, table.createdAt, table.id),
		index("customers_email").on(table.environmentId, table.email, table.id),
		index("customers_name").on(table.environmentId, table.name, table.id),
		index("customers_name_search").on(table.environmentId, sql`name collate nocase`),
		// Most have none, and take no place here.
		index("customers_coupon").on(table.couponId, table.id).where(sql`coupon_id IS NOT NULL`),
	],
);

export type CustomerRow = typeof customers.$inferSelect;

/** How many customers an environment has that are not archived; triggers of `customers` keep it (docs/decisions/0015-plans-that-do-not-depend-on-the-data.md). */
export const customerCounts = sqliteTable("customer_counts", {
	environmentId: text("environment_id").primaryKey(),
	count: integer().notNull(),
});

/** A part of a customer that has subscriptions and usage of its own. It comes into being when something names it. */
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
