import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { accounts, users } from "../access/table";
import type { RoleMapping } from "./schema";

/** Services by which members of an account sign in (OpenID Connect), and which may provision them (SCIM). */
export const identityProviders = sqliteTable(
	"identity_providers",
	{
		id: text().primaryKey(),
		accountId: text("account_id")
			.notNull()
			.references(() => accounts.id),
		name: text().notNull(),
		issuer: text().notNull(),
		clientId: text("client_id").notNull(),
		/** Encrypted by a key that derives from the folder's secret. */
		sealedSecret: text("sealed_secret").notNull(),
		/** Lower case. */
		domains: text({ mode: "json" }).notNull().$type<string[]>(),
		roleMapping: text("role_mapping", { mode: "json" }).notNull().$type<RoleMapping>(),
		/** Whether the account requires sign-in by an identity provider. */
		isRequired: integer("is_required", { mode: "boolean" }).notNull(),
		/** The SHA-256 of the SCIM token; null if there is none. */
		scimTokenHash: text("scim_token_hash").unique(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [index("identity_providers_account").on(table.accountId, table.id)],
);

/** Users of a provider: identified by subject after the first sign-in, by name if provisioned. */
export const identities = sqliteTable(
	"identities",
	{
		id: text().primaryKey(),
		providerId: text("provider_id")
			.notNull()
			.references(() => identityProviders.id, { onDelete: "cascade" }),
		userId: text("user_id")
			.notNull()
			.references(() => users.id),
		/** The `sub` of its ID tokens; null until the first sign-in. */
		subject: text(),
		/** The name as the provider writes it. */
		userName: text("user_name").notNull(),
		/** In lower case, for comparisons. */
		userNameKey: text("user_name_key").notNull(),
		externalId: text("external_id"),
		/** Lower case. */
		email: text().notNull(),
		givenName: text("given_name"),
		familyName: text("family_name"),
		displayName: text("display_name"),
		/** False after the provider has deactivated the user, who can then not sign in. */
		isActive: integer("is_active", { mode: "boolean" }).notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("identities_name").on(table.providerId, table.userNameKey),
		uniqueIndex("identities_subject").on(table.providerId, table.subject),
		uniqueIndex("identities_external").on(table.providerId, table.externalId),
		uniqueIndex("identities_user").on(table.providerId, table.userId),
		index("identities_page").on(table.providerId, table.id),
		index("identities_email").on(table.providerId, table.email),
	],
);

/** States of successful sign-ins, until they expire, so that none is used twice. */
export const usedStates = sqliteTable(
	"used_states",
	{
		/** SHA-256. */
		hash: text().primaryKey(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
	},
	(table) => [index("used_states_expiry").on(table.expiresAt)],
);

export type IdentityProviderRow = typeof identityProviders.$inferSelect;
export type IdentityRow = typeof identities.$inferSelect;
