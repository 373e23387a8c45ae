import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { connectionModes, providerKinds } from "./schema";

/** Accounts at payment providers. A row exists only after the provider has accepted its credentials. */
export const providerConnections = sqliteTable(
	"provider_connections",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		kind: text({ enum: providerKinds }).notNull(),
		name: text().notNull(),
		/** The caller's id of the company that receives the money; null: every company of the environment. */
		legalEntityRefId: text("legal_entity_ref_id"),
		mode: text({ enum: connectionModes }).notNull(),
		/** The account's name at the provider. */
		account: text().notNull(),
		/** The credentials, encrypted by a key that derives from the folder's secret (rules.secrets.ts). */
		sealedSecret: text("sealed_secret").notNull(),
		/** The secret that signs the provider's events, encrypted; null: events are rejected. */
		sealedWebhookSecret: text("sealed_webhook_secret"),
		/** The former one, which also signs until that time of the machine. */
		formerSealedWebhookSecret: text("former_sealed_webhook_secret"),
		formerUntil: integer("former_until").$type<Instant>(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [index("provider_connections_page").on(table.environmentId, table.id)],
);

export type ProviderConnectionRow = typeof providerConnections.$inferSelect;
