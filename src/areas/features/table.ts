import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type {
	BilledUsage,
	EnumConfigurationEntry,
	FeatureStatus,
	FeatureType,
	MeterAggregation,
	MeterFilter,
	MeterType,
} from "./schema";

/** Reported usage is divided by `divide` and rounded before it is shown, limited or priced. */
export interface UnitTransformation {
	readonly divide: Decimal;
	readonly round: "UP" | "DOWN";
	readonly featureUnits: string | null;
	readonly featureUnitsPlural: string | null;
}

export const features = sqliteTable(
	"features",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		displayName: text("display_name").notNull(),
		description: text(),
		featureType: text("feature_type").notNull().$type<FeatureType>(),
		meterType: text("meter_type").notNull().$type<MeterType>(),
		/** NEW until something entitles it, then ACTIVE; SUSPENDED is an archived one. */
		status: text().notNull().$type<FeatureStatus>(),
		featureUnits: text("feature_units"),
		featureUnitsPlural: text("feature_units_plural"),
		/** Set for ENUM features, null for all others. */
		enumConfiguration: text("enum_configuration", { mode: "json" }).$type<EnumConfigurationEntry[]>(),
		unitTransformation: text("unit_transformation", { mode: "json" }).$type<UnitTransformation>(),
		/** The billed usage of a period, for a FLUCTUATING feature without a meter; null: the value at the end of the period. */
		billedUsage: text("billed_usage").$type<BilledUsage>(),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("features_ref").on(table.environmentId, table.refId),
		index("features_page").on(table.environmentId, table.id),
		index("features_name_search").on(table.environmentId, sql`display_name collate nocase`),
	],
);

export type FeatureRow = typeof features.$inferSelect;

/**
 * How raw events become one feature's usage. A meter never changes: setting another one puts a row with another id in
 * its place, and what was counted under the old id is counted again from the beginning of the event log.
 */
export const meters = sqliteTable(
	"meters",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		aggregation: text({ mode: "json" }).notNull().$type<MeterAggregation>(),
		/** Groups are alternatives; the conditions inside one group all have to hold. None at all takes every event. */
		filters: text({ mode: "json" }).notNull().$type<MeterFilter[]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("meters_feature").on(table.featureId),
		index("meters_environment").on(table.environmentId, table.id),
	],
);

export type MeterRow = typeof meters.$inferSelect;
