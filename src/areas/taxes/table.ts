import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";

/** Taxes. Only the name and `archivedAt` of a row change. Other tables name a tax by the caller's id. */
export const taxes = sqliteTable(
	"taxes",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		displayName: text("display_name").notNull(),
		/** Above 0, at most 100, with at most five decimals. */
		percentage: text().notNull().$type<Decimal>(),
		/** Prices include the tax. */
		isInclusive: integer("is_inclusive", { mode: "boolean" }).notNull(),
		/** ISO 3166-1 alpha-2. Informational; not used in calculations. */
		country: text(),
		/** The caller's code for accounting. Informational; not used in calculations. */
		code: text(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("taxes_ref").on(table.environmentId, table.refId),
		index("taxes_page").on(table.environmentId, table.id),
	],
);

export type TaxRow = typeof taxes.$inferSelect;
