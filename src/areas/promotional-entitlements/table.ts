import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { customers } from "../customers/table";
import { features } from "../features/table";
import type { ResetAnchor, ResetPeriod } from "../packages/schema";
import type { PromotionalPeriod } from "./schema";

/**
 * Entitlements that a customer was granted in addition to its purchases. Rows are never deleted: a revoked or replaced
 * grant stays as history.
 */
export const promotionalEntitlements = sqliteTable(
	"promotional_entitlements",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		usageLimit: text("usage_limit").$type<Decimal>(),
		hasUnlimitedUsage: integer("has_unlimited_usage", { mode: "boolean" }),
		hasSoftLimit: integer("has_soft_limit", { mode: "boolean" }),
		enumValues: text("enum_values", { mode: "json" }).$type<string[]>(),
		isVisible: integer("is_visible", { mode: "boolean" }).notNull(),
		period: text().notNull().$type<PromotionalPeriod>(),
		resetPeriod: text("reset_period").$type<ResetPeriod>(),
		/** Null for DAY and HOUR, which have no anchor. */
		resetAnchor: text("reset_anchor").$type<ResetAnchor>(),
		startAt: integer("start_at").notNull().$type<Instant>(),
		/** Exclusive; null: without end. */
		endAt: integer("end_at").$type<Instant>(),
		/** The caller's ids of the feature groups that granted it, which never change; null for a single grant. */
		featureGroupIds: text("feature_group_ids", { mode: "json" }).$type<string[]>(),
		/** When it was revoked, or replaced by another grant of the same feature. */
		revokedAt: integer("revoked_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		// "One live grant per (customer, feature)" (docs/interface/customers.md). Entitlement checks use this index too.
		uniqueIndex("promotional_entitlements_live").on(table.customerId, table.featureId).where(sql`revoked_at IS NULL`),
		index("promotional_entitlements_page").on(table.customerId, table.id),
		// GraphQL's filters of customers by grants stay within the environment.
		index("promotional_entitlements_environment").on(table.environmentId, table.id),
	],
);

export type PromotionalEntitlementRow = typeof promotionalEntitlements.$inferSelect;
