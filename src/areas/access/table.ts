import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Scope } from "./rules.actors";

/** A company that uses Tollgate; it owns environments and has members. */
export const accounts = sqliteTable("accounts", {
	id: text().primaryKey(),
	name: text().notNull(),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

export type EnvironmentKind = "PRODUCTION" | "SANDBOX" | "DEVELOPMENT";
export type BillingAnchor = "SUBSCRIPTION_START" | "START_OF_THE_MONTH";

/** Everything that is sold, bought and counted belongs to exactly one environment. */
export const environments = sqliteTable(
	"environments",
	{
		id: text().primaryKey(),
		accountId: text("account_id")
			.notNull()
			.references(() => accounts.id),
		name: text().notNull(),
		kind: text().notNull().$type<EnvironmentKind>(),
		/** What events of a customer that does not exist meet (docs/interface/usage.md). */
		unknownCustomers: text("unknown_customers").notNull().default("refuse").$type<"refuse" | "accept">(),
		/** Whether publishable keys must send the customer's id signed (docs/interface/access.md). */
		clientHardening: integer("client_hardening", { mode: "boolean" }).notNull().default(false),
		/** Whose pages may call with the publishable key; none at first. */
		allowedOrigins: text("allowed_origins", { mode: "json" }).notNull().default([]).$type<string[]>(),
		/** From where the billing periods of a new subscription are counted, unless it says so itself. */
		billingAnchor: text("billing_anchor").notNull().default("SUBSCRIPTION_START").$type<BillingAnchor>(),
		/** What an amount is in that names no currency, where nothing alongside it does either. ISO 4217, lower case. */
		defaultCurrency: text("default_currency").notNull().default("usd"),
		/** A frozen test clock; null is the wall clock. Only ever moves forward while it is frozen. */
		clockAt: integer("clock_at").$type<Instant>(),
		/** From then on nobody calls, and nothing falls due; what it holds stays. */
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("environments_name").on(table.accountId, table.name),
		index("environments_frozen").on(table.clockAt).where(sql`clock_at IS NOT NULL`),
	],
);

export const users = sqliteTable("users", {
	id: text().primaryKey(),
	/** Lower case. */
	email: text().notNull().unique(),
	name: text(),
	/** argon2id, in its own encoding; null for who signs in by an identity provider only. */
	passwordHash: text("password_hash"),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

/** A member of an account: what a user may do there. */
export const memberships = sqliteTable(
	"memberships",
	{
		id: text().primaryKey(),
		userId: text("user_id")
			.notNull()
			.references(() => users.id),
		accountId: text("account_id")
			.notNull()
			.references(() => accounts.id),
		/** A built-in role's name, or a custom role's id; null: none but in single environments (members/table.ts). */
		role: text(),
		/**
		 * An identity provider has made it, and no password enters by it: who had the address here before, and chose the password,
		 * has proved nothing to this account.
		 */
		isProvided: integer("is_provided", { mode: "boolean" }).notNull().default(false),
		/** From then on the user does not call in this account. */
		deactivatedAt: integer("deactivated_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("memberships_user").on(table.userId, table.accountId),
		index("memberships_account").on(table.accountId, table.role),
	],
);

/** A bearer token of a user. Only its SHA-256 is kept. */
export const sessions = sqliteTable(
	"sessions",
	{
		id: text().primaryKey(),
		userId: text("user_id")
			.notNull()
			.references(() => users.id),
		tokenHash: text("token_hash").notNull().unique(),
		/** The identity provider that has let the user in, into its own account only; null: a password has, into all of them. */
		providerId: text("provider_id"),
		/** From where it began, and by which program: by that people tell their sessions apart. */
		address: text(),
		userAgent: text("user_agent"),
		/** To the minute. */
		lastSeenAt: integer("last_seen_at").notNull().default(0).$type<Instant>(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("sessions_expiry").on(table.expiresAt), index("sessions_user").on(table.userId)],
);

export type KeyKind = "FULL_ACCESS" | "SCOPED" | "PUBLISHABLE";

/** An API key. Only its SHA-256 is kept: the secret is 192 random bits, so a fast hash is enough. */
export const apiKeys = sqliteTable(
	"api_keys",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id")
			.notNull()
			.references(() => environments.id),
		kind: text().notNull().$type<KeyKind>(),
		displayName: text("display_name").notNull(),
		description: text(),
		/** The first characters of the secret, by which people tell keys apart. */
		prefix: text().notNull(),
		hash: text().notNull().unique(),
		/** Null for keys that are not scoped. */
		scopes: text({ mode: "json" }).$type<Scope[]>(),
		/** Addresses and networks that may call with it; empty for any. */
		allowedAddresses: text("allowed_addresses", { mode: "json" }).notNull().default([]).$type<string[]>(),
		expiresAt: integer("expires_at").$type<Instant>(),
		/** When another secret took its place: from then on it only ends. */
		rotatedAt: integer("rotated_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("api_keys_environment").on(table.environmentId)],
);

/** When a key was used last, to the minute. Apart from the keys: to note it makes nobody forget what is remembered of them. */
export const apiKeyUses = sqliteTable("api_key_uses", {
	keyId: text("key_id")
		.primaryKey()
		.references(() => apiKeys.id),
	lastUsedAt: integer("last_used_at").notNull().$type<Instant>(),
});

export type AccountRow = typeof accounts.$inferSelect;
export type EnvironmentRow = typeof environments.$inferSelect;
export type UserRow = typeof users.$inferSelect;
export type MembershipRow = typeof memberships.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;
export type ApiKeyRow = typeof apiKeys.$inferSelect;
