import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { identities, identityProviders } from "../identity-providers/table";

/** Groups as the provider maintains them. The provider's role mapping gives roles to their members. */
export const scimGroups = sqliteTable(
	"scim_groups",
	{
		id: text().primaryKey(),
		providerId: text("provider_id")
			.notNull()
			.references(() => identityProviders.id, { onDelete: "cascade" }),
		displayName: text("display_name").notNull(),
		externalId: text("external_id"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("scim_groups_name").on(table.providerId, table.displayName),
		index("scim_groups_external").on(table.providerId, table.externalId),
		index("scim_groups_page").on(table.providerId, table.id),
	],
);

export const scimGroupMembers = sqliteTable(
	"scim_group_members",
	{
		groupId: text("group_id")
			.notNull()
			.references(() => scimGroups.id, { onDelete: "cascade" }),
		identityId: text("identity_id")
			.notNull()
			.references(() => identities.id, { onDelete: "cascade" }),
	},
	(table) => [
		primaryKey({ columns: [table.groupId, table.identityId] }),
		index("scim_group_members_of").on(table.identityId),
	],
);

export type ScimGroupRow = typeof scimGroups.$inferSelect;
