import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import type { ThresholdType } from "./schema";

/** A threshold of usage that is to be told of: of one customer, or of every customer that has none of its own. */
export const usageAlerts = sqliteTable(
	"usage_alerts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** Empty: of every customer that has no threshold of its own for the feature. (To SQLite no two nulls are alike.) */
		customerId: text("customer_id").notNull(),
		/** Of one of the two; the other is empty. */
		featureId: text("feature_id").notNull(),
		currencyId: text("currency_id").notNull().default(""),
		/** PERCENT of the limit, or an ABSOLUTE number of units. */
		type: text().notNull().$type<ThresholdType>(),
		threshold: text().notNull().$type<Decimal>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("usage_alerts_once").on(
			table.environmentId,
			table.customerId,
			table.featureId,
			table.currencyId,
			table.type,
			table.threshold,
		),
		index("usage_alerts_of_currency").on(table.currencyId, table.id).where(sql`currency_id <> ''`),
		index("usage_alerts_page").on(table.environmentId, table.id),
		index("usage_alerts_of_customer").on(table.environmentId, table.customerId, table.id),
		index("usage_alerts_of_feature").on(table.featureId, table.id),
	],
);

export type UsageAlertRow = typeof usageAlerts.$inferSelect;

/**
 * Thresholds that were reached, as it was then; rows are never changed. Once for each alert, threshold, subject and usage
 * period: the index holds it, whatever is evaluated twice. It stays when the alert is changed or deleted.
 */
export const reachedAlerts = sqliteTable(
	"reached_alerts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** No reference: the alert may be deleted since. */
		alertId: text("alert_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Of one of the two; the other is empty. */
		featureId: text("feature_id").notNull(),
		currencyId: text("currency_id").notNull().default(""),
		/** The caller's id of the resource; empty for the usage that names none. */
		resourceRef: text("resource_ref").notNull(),
		type: text().notNull().$type<ThresholdType>(),
		threshold: text().notNull().$type<Decimal>(),
		usage: text().notNull().$type<Decimal>(),
		/** Null: there was none. */
		usageLimit: text("usage_limit").$type<Decimal>(),
		/** Of the usage period, 0 where usage never starts again; of credits when the wallet was granted any last. */
		periodStart: integer("period_start").notNull().$type<Instant>(),
		periodEnd: integer("period_end").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("reached_alerts_once").on(
			table.alertId,
			table.customerId,
			table.resourceRef,
			table.periodStart,
			table.type,
			table.threshold,
		),
		index("reached_alerts_of_currency").on(table.currencyId, table.id).where(sql`currency_id <> ''`),
		index("reached_alerts_of_wallet")
			.on(table.customerId, table.currencyId, table.resourceRef, table.periodStart)
			.where(sql`currency_id <> ''`),
		index("reached_alerts_page").on(table.environmentId, table.id),
		index("reached_alerts_of_customer").on(table.customerId, table.id),
		index("reached_alerts_of_feature").on(table.featureId, table.id),
	],
);

export type ReachedAlertRow = typeof reachedAlerts.$inferSelect;

/** Up to which event of the log alerts were evaluated. One row: id 1. Behind what was evaluated, never ahead of it. */
export const alertCursor = sqliteTable("usage_alert_cursor", {
	id: integer().primaryKey(),
	evaluatedTo: integer("evaluated_to").notNull(),
});

/**
 * Who is entitled to something else since thresholds were looked at: triggers of `subscriptions` and `promotional_entitlements`
 * write it where there are alerts (drizzle/triggers/alerts.sql), in the transaction of the change, whoever brings it about.
 */
export const changedEntitlements = sqliteTable(
	"usage_alert_changes",
	{
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id").notNull(),
		/** Row id of the resource that the change was for; empty for the customer with all of its resources. */
		resourceId: text("resource_id").notNull(),
	},
	(table) => [primaryKey({ columns: [table.customerId, table.resourceId] })],
);

export type ChangedEntitlementsRow = typeof changedEntitlements.$inferSelect;

/** Of whom it is to be told that they are entitled to something else (drizzle/triggers/told.sql); written as above, where an endpoint asks for it. */
export const entitlementChanges = sqliteTable(
	"entitlement_changes",
	{
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id").notNull(),
		resourceId: text("resource_id").notNull(),
		trigger: text().notNull().$type<"subscription_updated" | "promotional_entitlement_updated">(),
	},
	(table) => [primaryKey({ columns: [table.customerId, table.resourceId] })],
);

export type EntitlementChangeRow = typeof entitlementChanges.$inferSelect;

/** Wallets whose credits have become more or less since thresholds were looked at: written as above, where there are alerts of their currency. */
export const changedWallets = sqliteTable("credit_alert_changes", {
	walletId: text("wallet_id").primaryKey(),
	environmentId: text("environment_id").notNull(),
});

export type ChangedWalletRow = typeof changedWallets.$inferSelect;
