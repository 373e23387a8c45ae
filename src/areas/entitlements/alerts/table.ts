import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import type { ThresholdType } from "./schema";

/** A threshold of usage for one customer, or for all customers without one of their own. */
export const usageAlerts = sqliteTable(
	"usage_alerts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** Empty: all customers without a threshold of their own for the feature. (A unique index treats nulls as different.) */
		customerId: text("customer_id").notNull(),
		/** One of the two; the other is empty. */
		featureId: text("feature_id").notNull(),
		currencyId: text("currency_id").notNull().default(""),
		/** The row id of an entity of the customer: its budgets have the threshold. Empty for the usage of the whole customer. */
		entityId: text("entity_id").notNull().default(""),
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
			table.entityId,
			table.type,
			table.threshold,
		),
		index("usage_alerts_of_currency").on(table.currencyId, table.id).where(sql`currency_id <> ''`),
		index("usage_alerts_page").on(table.environmentId, table.id),
		index("usage_alerts_of_customer").on(table.environmentId, table.customerId, table.id),
		index("usage_alerts_of_entity").on(table.entityId, table.id).where(sql`entity_id <> ''`),
		index("usage_alerts_of_feature").on(table.featureId, table.id),
	],
);

export type UsageAlertRow = typeof usageAlerts.$inferSelect;

/**
 * Reached thresholds with the values at that time. Rows never change, and stay when the alert is changed or deleted. A unique index
 * allows one row for each alert, threshold, subject and usage period.
 */
export const reachedAlerts = sqliteTable(
	"reached_alerts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** No foreign key, because the alert can be deleted. */
		alertId: text("alert_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** One of the two; the other is empty. */
		featureId: text("feature_id").notNull(),
		currencyId: text("currency_id").notNull().default(""),
		/** The caller's id of the resource; empty for the usage that names none. */
		resourceRef: text("resource_ref").notNull(),
		/** The row id of the budget of an entity; empty for the usage of the customer. */
		budgetId: text("budget_id").notNull().default(""),
		type: text().notNull().$type<ThresholdType>(),
		threshold: text().notNull().$type<Decimal>(),
		usage: text().notNull().$type<Decimal>(),
		/** Null: no limit. */
		usageLimit: text("usage_limit").$type<Decimal>(),
		/** The start of the usage period, 0 where usage never resets; for credits, the last grant of the wallet. */
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
			table.budgetId,
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

/** The position in the event log up to which alerts are evaluated. One row: id 1. It can lag behind, but never leads. */
export const alertCursor = sqliteTable("usage_alert_cursor", {
	id: integer().primaryKey(),
	evaluatedTo: integer("evaluated_to").notNull(),
});

/**
 * Customers and resources with changed entitlements, for the evaluation of alerts. Triggers of `subscriptions` and
 * `promotional_entitlements` write the rows in the transaction of the change, if there are alerts (drizzle/triggers/alerts.sql).
 */
export const changedEntitlements = sqliteTable(
	"usage_alert_changes",
	{
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id").notNull(),
		/** The row id of the resource; empty for the customer with all resources. */
		resourceId: text("resource_id").notNull(),
	},
	(table) => [primaryKey({ columns: [table.customerId, table.resourceId] })],
);

export type ChangedEntitlementsRow = typeof changedEntitlements.$inferSelect;

/** Customers and resources whose changed entitlements are to be emitted. Triggers in drizzle/triggers write the rows if an endpoint subscribes. */
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

/** Wallets with changed credits, for the evaluation of alerts. Triggers write the rows if there are alerts of the currency. */
export const changedWallets = sqliteTable("credit_alert_changes", {
	walletId: text("wallet_id").primaryKey(),
	environmentId: text("environment_id").notNull(),
});

export type ChangedWalletRow = typeof changedWallets.$inferSelect;
