import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { customers } from "../../customers/table";
import type { ReminderText } from "./schema";
import type { EndAction, Retries } from "./schema.values";

/** Dunning policies. A case copies the schedule at its start, so a change applies to later cases. */
export const dunningPolicies = sqliteTable(
	"dunning_policies",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		displayName: text("display_name").notNull(),
		/** Days from the due date, ascending; a negative number is a day before it. */
		reminders: text({ mode: "json" }).notNull().$type<number[]>(),
		/** The tries of charged invoices; null: the default ones. */
		retries: text({ mode: "json" }).$type<Retries>(),
		endAction: text("end_action").notNull().$type<EndAction>(),
		/** Days from the due date to the end, after the last reminder. */
		endAfterDays: integer("end_after_days").notNull(),
		/** Texts that replace those of Tollgate. */
		texts: text({ mode: "json" }).notNull().$type<ReminderText[]>(),
		/** Applies to every invoice that no other policy covers. */
		isDefault: integer("is_default", { mode: "boolean" }).notNull(),
		/** Row ids. Of active policies, each names different ones. */
		legalEntityIds: text("legal_entity_ids", { mode: "json" }).notNull().$type<string[]>(),
		planIds: text("plan_ids", { mode: "json" }).notNull().$type<string[]>(),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("dunning_policies_ref").on(table.environmentId, table.refId),
		index("dunning_policies_page").on(table.environmentId, table.id),
		index("dunning_policies_active").on(table.environmentId, table.id).where(sql`archived_at IS NULL`),
	],
);

/** The policy of a customer, which precedes all others. */
export const customerDunning = sqliteTable("customer_dunning", {
	customerId: text("customer_id")
		.primaryKey()
		.references(() => customers.id),
	environmentId: text("environment_id").notNull(),
	/** Null: the customer gets no reminders. */
	policyId: text("policy_id").references(() => dunningPolicies.id),
	/** When the customer's own policy or its exemption was removed; the row then decides nothing. The check of missing cases reads it. */
	removedAt: integer("removed_at").$type<Instant>(),
	createdAt: integer("created_at").notNull().$type<Instant>(),
	updatedAt: integer("updated_at").notNull().$type<Instant>(),
});

export type DunningPolicyRow = typeof dunningPolicies.$inferSelect;
export type CustomerDunningRow = typeof customerDunning.$inferSelect;
