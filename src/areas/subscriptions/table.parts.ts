import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { coupons } from "../coupons/table";
import { customCurrencies } from "../currencies/table";
import { features } from "../features/table";
import type { CreditCadence, ResetAnchor, ResetPeriod } from "../packages/schema";
import { packages, packageVersions } from "../packages/table";
import type { SubscriptionCouponStatus } from "./schema";
import { subscriptions } from "./table";

export const subscriptionAddons = sqliteTable(
	"subscription_addons",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		/** The addon, and its version that was sold. */
		addonId: text("addon_id")
			.notNull()
			.references(() => packages.id),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		position: integer().notNull(),
		quantity: integer().notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.subscriptionId, table.addonId] }),
		index("subscription_addons_version").on(table.versionId),
	],
);

export type SubscriptionAddonRow = typeof subscriptionAddons.$inferSelect;

/** Units bought in advance: of a feature or of a credit currency; exactly one of the two is set. */
export const subscriptionQuantities = sqliteTable(
	"subscription_quantities",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		position: integer().notNull(),
		featureId: text("feature_id").references(() => features.id),
		currencyId: text("currency_id").references(() => customCurrencies.id),
		quantity: text().notNull().$type<Decimal>(),
	},
	(table) => [
		primaryKey({ columns: [table.subscriptionId, table.position] }),
		index("subscription_quantities_feature").on(table.featureId).where(sql`feature_id IS NOT NULL`),
		index("subscription_quantities_currency").on(table.currencyId).where(sql`currency_id IS NOT NULL`),
	],
);

export type SubscriptionQuantityRow = typeof subscriptionQuantities.$inferSelect;

/** Entitlements of this subscription only: to a feature or to a credit currency; exactly one of the two is set. */
export const subscriptionEntitlements = sqliteTable(
	"subscription_entitlements",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		featureId: text("feature_id").references(() => features.id),
		usageLimit: text("usage_limit").$type<Decimal>(),
		hasUnlimitedUsage: integer("has_unlimited_usage", { mode: "boolean" }),
		hasSoftLimit: integer("has_soft_limit", { mode: "boolean" }),
		resetPeriod: text("reset_period").$type<ResetPeriod>(),
		resetAnchor: text("reset_anchor").$type<ResetAnchor>(),
		currencyId: text("currency_id").references(() => customCurrencies.id),
		amount: text().$type<Decimal>(),
		cadence: text().$type<CreditCadence>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("subscription_entitlements_subscription").on(table.subscriptionId),
		index("subscription_entitlements_feature").on(table.featureId).where(sql`feature_id IS NOT NULL`),
		index("subscription_entitlements_currency").on(table.currencyId).where(sql`currency_id IS NOT NULL`),
	],
);

export type SubscriptionEntitlementRow = typeof subscriptionEntitlements.$inferSelect;

/** A discount on this subscription, from its start for as long as the coupon lasts. */
export const subscriptionCoupons = sqliteTable(
	"subscription_coupons",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		couponId: text("coupon_id")
			.notNull()
			.references(() => coupons.id),
		status: text().notNull().$type<SubscriptionCouponStatus>(),
		startAt: integer("start_at").notNull().$type<Instant>(),
		/** Null: without end. */
		endAt: integer("end_at").$type<Instant>(),
		/** Its place among several coupons that all apply; null: it is the only one. */
		position: integer(),
		/** Names the application whose uses it continues, where a plan replaced another; null: its own id. */
		applicationId: text("application_id"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("subscription_coupons_subscription").on(table.subscriptionId)],
);

export type SubscriptionCouponRow = typeof subscriptionCoupons.$inferSelect;
