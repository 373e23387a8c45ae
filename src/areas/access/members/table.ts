import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Scope } from "../rules.actors";
import { accounts, environments, memberships, users } from "../table";

/** Custom roles of accounts: a name and a set of scopes. `rules.ts` has the built-in ones. */
export const roles = sqliteTable(
	"roles",
	{
		id: text().primaryKey(),
		accountId: text("account_id")
			.notNull()
			.references(() => accounts.id),
		name: text().notNull(),
		scopes: text({ mode: "json" }).notNull().$type<Scope[]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [uniqueIndex("roles_name").on(table.accountId, table.name)],
);

/** A member's roles in environments, where they differ from the role in the account. */
export const environmentRoles = sqliteTable(
	"environment_roles",
	{
		membershipId: text("membership_id")
			.notNull()
			.references(() => memberships.id),
		environmentId: text("environment_id")
			.notNull()
			.references(() => environments.id),
		/** The same values as the role in memberships. */
		role: text().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.membershipId, table.environmentId] }),
		index("environment_roles_role").on(table.role),
	],
);

/** An invitation to become a member; only the SHA-256 of its token is stored. */
export const invitations = sqliteTable(
	"invitations",
	{
		id: text().primaryKey(),
		accountId: text("account_id")
			.notNull()
			.references(() => accounts.id),
		/** Lower case. */
		email: text().notNull(),
		role: text(),
		environmentRoles: text("environment_roles", { mode: "json" }).notNull().$type<EnvironmentRole[]>(),
		tokenHash: text("token_hash").notNull().unique(),
		/** Null for the command line. */
		invitedById: text("invited_by_id").references(() => users.id),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [uniqueIndex("invitations_email").on(table.accountId, table.email)],
);

export interface EnvironmentRole {
	readonly environmentId: string;
	readonly role: string;
}

export type RoleRow = typeof roles.$inferSelect;
export type InvitationRow = typeof invitations.$inferSelect;
