import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import type { CouponFrequency, CouponScope, CouponSource } from "./schema";

export interface FreeUnitsOfFeature {
	readonly featureId: string;
	readonly quantity: Decimal;
}

export const coupons = sqliteTable(
	"coupons",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		name: text().notNull(),
		description: text(),
		/** Exactly one of these three is set. */
		percentOff: text("percent_off").$type<Decimal>(),
		amountsOff: text("amounts_off", { mode: "json" }).$type<Money[]>(),
		/** The units of features, by the caller's ids, that cost nothing in each window of usage. */
		freeUnits: text("free_units", { mode: "json" }).$type<FreeUnitsOfFeature[]>(),
		/** Null means without end. */
		durationMonths: integer("duration_months"),
		/** In billing periods of the subscription, in place of months. */
		durationPeriods: integer("duration_periods"),
		/** Null: EACH_PERIOD. */
		frequency: text().$type<CouponFrequency>(),
		/** The charges that it discounts, by the caller's ids; null: all. */
		appliesTo: text("applies_to", { mode: "json" }).$type<CouponScope>(),
		metadata: text({ mode: "json" }).$type<Record<string, string>>(),
		source: text().notNull().$type<CouponSource>(),
		/** The coupon's id and page at a connected billing provider. */
		billingId: text("billing_id"),
		billingLinkUrl: text("billing_link_url"),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("coupons_ref").on(table.environmentId, table.refId),
		index("coupons_page").on(table.environmentId, table.id),
		index("coupons_name_search").on(table.environmentId, sql`name collate nocase`),
	],
);

export type CouponRow = typeof coupons.$inferSelect;

/**
 * The discount of each document by an applied coupon that is limited to one invoice or to an amount. The sum over the documents in
 * force is the used amount.
 */
export const couponUses = sqliteTable(
	"coupon_uses",
	{
		environmentId: text("environment_id").notNull(),
		/** Names the coupon as it was applied to a subscription or a customer. */
		applicationId: text("application_id").notNull(),
		/** An invoice, a credit note, or the subscription whose lines wait for its next invoice. */
		documentId: text("document_id").notNull(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		/** In major units, with included taxes; negative if the document reverses more than it discounts. */
		amount: text().notNull().$type<Decimal>(),
	},
	(table) => [
		primaryKey({ columns: [table.applicationId, table.documentId] }),
		index("coupon_uses_document").on(table.environmentId, table.documentId),
	],
);

export type CouponUseRow = typeof couponUses.$inferSelect;
