import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { ProrationMode } from "../../kernel/schema.proration-mode";
import type { Scope } from "./rules.actors";

/** Companies that use Tollgate. An account owns environments and has members. */
export const accounts = sqliteTable("accounts", {
	id: text().primaryKey(),
	name: text().notNull(),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

export type EnvironmentKind = "PRODUCTION" | "SANDBOX" | "DEVELOPMENT";
export type BillingAnchor = "SUBSCRIPTION_START" | "START_OF_THE_MONTH";

/** Environments. All data except accounts and users belongs to one environment. */
export const environments = sqliteTable(
	"environments",
	{
		id: text().primaryKey(),
		accountId: text("account_id")
			.notNull()
			.references(() => accounts.id),
		name: text().notNull(),
		kind: text().notNull().$type<EnvironmentKind>(),
		/** The treatment of events of unknown customers (docs/interface/usage.md). */
		unknownCustomers: text("unknown_customers").notNull().default("refuse").$type<"refuse" | "accept">(),
		/** Whether publishable keys must send a signed customer id (docs/interface/access.md). */
		clientHardening: integer("client_hardening", { mode: "boolean" }).notNull().default(false),
		/** The origins whose pages may use the publishable key; none by default. */
		allowedOrigins: text("allowed_origins", { mode: "json" }).notNull().default([]).$type<string[]>(),
		/** The default anchor of the billing periods of new subscriptions. */
		billingAnchor: text("billing_anchor").notNull().default("SUBSCRIPTION_START").$type<BillingAnchor>(),
		/** How parts of billing periods are charged and credited, where nothing closer to the charge says otherwise. */
		prorationMode: text("proration_mode").notNull().default("BY_TIME").$type<ProrationMode>(),
		/** The zone of billing periods, where the source gives no other one. */
		timeZone: text("time_zone").notNull().default("UTC"),
		timeZoneSource: text("time_zone_source").notNull().default("ENVIRONMENT").$type<"ENVIRONMENT" | "CUSTOMER">(),
		/** The taxes of lines to which no lower level assigns any, by the caller's ids; null: none. */
		taxes: text({ mode: "json" }).$type<string[]>(),
		/** Whether each tax is rounded once for each invoice; null: line by line. */
		taxRounding: text("tax_rounding").$type<"INVOICE">(),
		/** Whether several coupons apply; null: one. */
		discountStacking: text("discount_stacking").$type<"ALL">(),
		/** No change can be dated before it; null: the books are open. */
		booksClosedUntil: integer("books_closed_until").$type<Instant>(),
		/** The currency of amounts that name none. ISO 4217, lower case. */
		defaultCurrency: text("default_currency").notNull().default("usd"),
		/** Whether budgets of entities limit and count usage, and can be managed (docs/interface/governance.md). */
		governance: integer({ mode: "boolean" }).notNull().default(true),
		/** The time of a frozen test clock, which only moves forward; null for the wall clock. */
		clockAt: integer("clock_at").$type<Instant>(),
		/** Since this time no key works and nothing becomes due. The data stays. */
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
	/** An encoded argon2id hash; null for a user who signs in only by an identity provider. */
	passwordHash: text("password_hash"),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

/** Members of accounts, with their role. */
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
		/** The name of a built-in role, or the id of a custom one; null for roles in environments only (members/table.ts). */
		role: text(),
		/**
		 * Whether an identity provider created it. Then a password does not give access: a former owner of the address may
		 * have chosen it.
		 */
		isProvided: integer("is_provided", { mode: "boolean" }).notNull().default(false),
		/** Since this time the user has no access to the account. */
		deactivatedAt: integer("deactivated_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("memberships_user").on(table.userId, table.accountId),
		index("memberships_account").on(table.accountId, table.role),
	],
);

/** Sessions of users. Only the SHA-256 of the bearer token is stored. */
export const sessions = sqliteTable(
	"sessions",
	{
		id: text().primaryKey(),
		userId: text("user_id")
			.notNull()
			.references(() => users.id),
		tokenHash: text("token_hash").notNull().unique(),
		/** The identity provider of the session, valid for its account only; null for a password, valid for all. */
		providerId: text("provider_id"),
		/** The address and program of the sign-in, by which people recognize their sessions. */
		address: text(),
		userAgent: text("user_agent"),
		/** The time of the last call, rounded to the minute. */
		lastSeenAt: integer("last_seen_at").notNull().default(0).$type<Instant>(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("sessions_expiry").on(table.expiresAt), index("sessions_user").on(table.userId)],
);

export type KeyKind = "FULL_ACCESS" | "SCOPED" | "PUBLISHABLE";

/** API keys. Only the SHA-256 is stored; a fast hash suffices for 192 random bits. */
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
		/** The first characters of the secret, which identify the key for people. */
		prefix: text().notNull(),
		hash: text().notNull().unique(),
		/** Null for keys without scopes. */
		scopes: text({ mode: "json" }).$type<Scope[]>(),
		/** Addresses and networks that may use it; empty for all. */
		allowedAddresses: text("allowed_addresses", { mode: "json" }).notNull().default([]).$type<string[]>(),
		expiresAt: integer("expires_at").$type<Instant>(),
		/** The time of the rotation; afterwards the key only expires. */
		rotatedAt: integer("rotated_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("api_keys_environment").on(table.environmentId)],
);

/** The last use of each key, to the minute. A separate table, so that a use does not invalidate cached keys. */
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
