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
		/** NEW until a package first grants it, then ACTIVE; SUSPENDED if archived. */
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
 * Meters, which calculate the usage of a feature from raw events. A meter never changes: another one replaces the row under a new
 * id. Events are then counted again from the beginning of the event log.
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
		/** Groups are alternatives; an event must meet all conditions of one group. Without groups, every event matches. */
		filters: text({ mode: "json" }).notNull().$type<MeterFilter[]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("meters_feature").on(table.featureId),
		index("meters_environment").on(table.environmentId, table.id),
	],
);

export type MeterRow = typeof meters.$inferSelect;
