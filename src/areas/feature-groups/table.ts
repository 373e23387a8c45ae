import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

export const featureGroups = sqliteTable(
	"feature_groups",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		displayName: text("display_name").notNull(),
		description: text(),
		/** Row ids of features, in the caller's order. */
		featureIds: text("feature_ids", { mode: "json" }).notNull().$type<string[]>(),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("feature_groups_ref").on(table.environmentId, table.refId),
		index("feature_groups_page").on(table.environmentId, table.id),
	],
);

export type FeatureGroupRow = typeof featureGroups.$inferSelect;
