import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { accounts, users } from "../access/table";
import type { RoleMapping } from "./schema";

/** A service by which members of an account sign in (OpenID Connect), and which may provision them (SCIM). */
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
		/** Encrypted by a key that derives from the data folder's own secret. */
		sealedSecret: text("sealed_secret").notNull(),
		/** Lower case. */
		domains: text({ mode: "json" }).notNull().$type<string[]>(),
		roleMapping: text("role_mapping", { mode: "json" }).notNull().$type<RoleMapping>(),
		/** Whether the account is entered by an identity provider only. */
		isRequired: integer("is_required", { mode: "boolean" }).notNull(),
		/** SHA-256 of the token that provisions by SCIM; null: nobody does. */
		scimTokenHash: text("scim_token_hash").unique(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [index("identity_providers_account").on(table.accountId, table.id)],
);

/** A user as one provider knows it: by its subject once it has signed in, by its name where it was provisioned. */
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
		/** `sub` of its ID tokens; null until it has signed in. */
		subject: text(),
		/** As the provider writes it. */
		userName: text("user_name").notNull(),
		/** In lower case: by it names are compared. */
		userNameKey: text("user_name_key").notNull(),
		externalId: text("external_id"),
		/** Lower case. */
		email: text().notNull(),
		givenName: text("given_name"),
		familyName: text("family_name"),
		displayName: text("display_name"),
		/** False: the provider has taken the user out; it signs in no more. */
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

/** States of sign-ins that have succeeded, until they could not be used anyway: none is used twice. */
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
