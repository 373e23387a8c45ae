import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { budgetAssignments } from "../table";

/**
 * A row for each budget with the values by which the tree is sorted, so that a page reads its rows along an index. Usage lags by about a
 * second (follow.ts). No decision reads it.
 */
export const budgetTree = sqliteTable(
	"budget_tree",
	{
		assignmentId: text("assignment_id")
			.primaryKey()
			.references(() => budgetAssignments.id),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id").notNull(),
		capabilityId: text("capability_id").notNull(),
		entityId: text("entity_id").notNull(),
		/** The caller's id of the entity, which never changes. */
		entityRef: text("entity_ref").notNull(),
		scopeSize: integer("scope_size").notNull(),
		usageLimit: real("usage_limit"),
		/** In the units of the limit. */
		currentUsage: real("current_usage").notNull(),
		/** Null without a limit. */
		utilization: real(),
		/** When the usage changes without a use: at the end of its window. Null without usage. */
		dueAt: integer("due_at").$type<Instant>(),
	},
	(table) => [
		index("budget_tree_created").on(table.customerId, table.capabilityId, table.assignmentId),
		index("budget_tree_utilization").on(table.customerId, table.capabilityId, table.utilization, table.assignmentId),
		index("budget_tree_usage").on(table.customerId, table.capabilityId, table.currentUsage, table.assignmentId),
		index("budget_tree_limit").on(table.customerId, table.capabilityId, table.usageLimit, table.assignmentId),
		index("budget_tree_scope").on(table.customerId, table.capabilityId, table.scopeSize, table.assignmentId),
		index("budget_tree_entity").on(table.customerId, table.capabilityId, table.entityRef, table.assignmentId),
		index("budget_tree_due").on(table.environmentId, table.dueAt),
	],
);

export type TreeRow = typeof budgetTree.$inferSelect;

/** The last entry whose counters the tree follows. One row: id 1. */
export const budgetTreeCursor = sqliteTable("budget_tree_cursor", {
	id: integer().primaryKey(),
	/** `budget_entries.sequence` */
	followedTo: integer("followed_to").notNull(),
});
