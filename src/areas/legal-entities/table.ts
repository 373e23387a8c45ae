import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

/** Who issues: a company of the account. Source: docs/interface/contracts.md; there is always a default one. */
export const legalEntities = sqliteTable(
	"legal_entities",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		name: text().notNull(),
		isDefault: integer("is_default", { mode: "boolean" }).notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("legal_entities_environment").on(table.environmentId, table.id),
		// The database itself says it: at most one default for each environment.
		uniqueIndex("legal_entities_default").on(table.environmentId).where(sql`is_default = 1`),
	],
);

export type LegalEntityRow = typeof legalEntities.$inferSelect;

/** Where a legal entity is paid. */
export const paymentAccounts = sqliteTable(
	"payment_accounts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		name: text().notNull(),
		isDefault: integer("is_default", { mode: "boolean" }).notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("payment_accounts_entity").on(table.legalEntityId, table.id),
		uniqueIndex("payment_accounts_default").on(table.legalEntityId).where(sql`is_default = 1`),
	],
);

export type PaymentAccountRow = typeof paymentAccounts.$inferSelect;
