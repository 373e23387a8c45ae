import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Scope } from "../rules.actors";
import { accounts, environments, memberships, users } from "../table";

/** A role of the account's own making: a set of scopes by a name. The built-in ones are in `rules.ts`. */
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

/** Where a member has another role than in the account as a whole. */
export const environmentRoles = sqliteTable(
	"environment_roles",
	{
		membershipId: text("membership_id")
			.notNull()
			.references(() => memberships.id),
		environmentId: text("environment_id")
			.notNull()
			.references(() => environments.id),
		/** As a membership's. */
		role: text().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.membershipId, table.environmentId] }),
		index("environment_roles_role").on(table.role),
	],
);

/** Somebody who may become a member, by a link. Only the SHA-256 of its token is kept. */
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
		/** Null: by the command line. */
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
