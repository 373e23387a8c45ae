import { isNull } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

export const customCurrencies = sqliteTable(
	"custom_currencies",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** Unique among active currencies: the id of an archived one can be used again. */
		refId: text("ref_id").notNull(),
		displayName: text("display_name").notNull(),
		description: text(),
		symbol: text(),
		unitSingular: text("unit_singular"),
		unitPlural: text("unit_plural"),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("custom_currencies_active_ref").on(table.environmentId, table.refId).where(isNull(table.archivedAt)),
		index("custom_currencies_page").on(table.environmentId, table.id),
	],
);

export type CurrencyRow = typeof customCurrencies.$inferSelect;
