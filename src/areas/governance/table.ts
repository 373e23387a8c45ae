import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import { customers } from "../customers/table";
import type { Approver } from "./schema";

/** The kinds of entities that budgets govern: team, user, model. */
export const entityTypes = sqliteTable(
	"entity_types",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		displayName: text("display_name").notNull(),
		description: text(),
		/** The dimensions whose value is the id of an entity of this type. Each key belongs to one type. */
		attributionKeys: text("attribution_keys", { mode: "json" }).notNull().$type<string[]>(),
		/** Usage that names an unknown entity of this type creates it. */
		createsEntities: integer("creates_entities", { mode: "boolean" }).notNull().default(false),
		/** The type whose entity becomes the parent of a created one; null: it is a root. */
		parentTypeId: text("parent_type_id"),
		/** The budgets of a created entity. */
		defaultAssignments: text("default_assignments", { mode: "json" })
			.notNull()
			.default(sql`'[]'`)
			.$type<DefaultAssignment[]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("entity_types_ref").on(table.environmentId, table.refId),
		index("entity_types_page").on(table.environmentId, table.id),
	],
);

export type EntityTypeRow = typeof entityTypes.$inferSelect;

/** A budget of each entity that usage creates. */
export interface DefaultAssignment {
	readonly capability: Capability;
	/** Row id. */
	readonly capabilityId: string;
	/** Null: no limit. */
	readonly usageLimit: Decimal | null;
	readonly cadence: string;
}

/** The teams, users, models and runs of a customer. */
export const entities = sqliteTable(
	"entities",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Unique among all entities of the customer, whatever their type. */
		refId: text("ref_id").notNull(),
		typeId: text("type_id")
			.notNull()
			.references(() => entityTypes.id),
		displayName: text("display_name"),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		/** Since this time its budgets neither limit nor count. */
		archivedAt: integer("archived_at").$type<Instant>(),
		/** It is archived at this time. */
		expiresAt: integer("expires_at").$type<Instant>(),
		/** When it expires, or the next try; null if it never does, or is archived. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** The person who decides requests for the budgets below. */
		approver: text({ mode: "json" }).$type<Approver>(),
		/** Usage created it. The number of such entities is limited. */
		isCreated: integer("is_created", { mode: "boolean" }).notNull().default(false),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("entities_ref").on(table.customerId, table.refId),
		index("entities_page").on(table.customerId, table.id),
		index("entities_created").on(table.customerId).where(sql`is_created = 1 AND archived_at IS NULL`),
		index("entities_due").on(table.environmentId, table.nextDueAt).where(sql`next_due_at IS NOT NULL`),
	],
);

export type EntityRow = typeof entities.$inferSelect;

/** The place of an entity in the tree of one capability: a feature or a currency, by its row id. All its budgets are at this place. */
export const budgetNodes = sqliteTable(
	"budget_nodes",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		entityId: text("entity_id")
			.notNull()
			.references(() => entities.id),
		capability: text().notNull().$type<Capability>(),
		capabilityId: text("capability_id").notNull(),
		/** Null for a root. */
		parentId: text("parent_id"),
		/** The ids of the parent, its parent and so on, up to the root. Only leaves move, so it never changes below them. */
		ancestors: text({ mode: "json" }).notNull().$type<string[]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("budget_nodes_of").on(table.entityId, table.capabilityId),
		index("budget_nodes_children").on(table.parentId),
		index("budget_nodes_customer").on(table.customerId, table.id),
		index("budget_nodes_capability").on(table.capabilityId, table.customerId),
	],
);

export type Capability = "FEATURE" | "CURRENCY";
export type BudgetNodeRow = typeof budgetNodes.$inferSelect;

/** A budget of an entity, for the usage of a scope. */
export const budgetAssignments = sqliteTable(
	"budget_assignments",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		nodeId: text("node_id")
			.notNull()
			.references(() => budgetNodes.id),
		/** The sorted row ids of the scope's entities, joined by commas; empty for the budget of the whole node. */
		scope: text().notNull(),
		/** In the units of the feature's limit; null: no limit, only counting. */
		usageLimit: text("usage_limit").$type<Decimal>(),
		/** Usage continues beyond the limit, and is counted. */
		hasSoftLimit: integer("has_soft_limit", { mode: "boolean" }).notNull().default(false),
		/** The parent node that reserves the limit for this budget, so that its other children cannot use it; null: not allocated. */
		allocatedFrom: text("allocated_from"),
		/** An ISO 8601 duration of one unit, or LIFETIME. */
		cadence: text().notNull(),
		/** The windows count from here: the creation, or the last change of the cadence. */
		anchorAt: integer("anchor_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("budget_assignments_of").on(table.nodeId, table.scope),
		index("budget_assignments_allocated").on(table.allocatedFrom).where(sql`allocated_from IS NOT NULL`),
		index("budget_assignments_page").on(table.customerId, table.id),
	],
);

export type BudgetAssignmentRow = typeof budgetAssignments.$inferSelect;

/** The usage of a budget in one window. Tollgate changes it in the transaction of the usage. */
export const budgetCounters = sqliteTable(
	"budget_counters",
	{
		id: integer().primaryKey({ autoIncrement: true }),
		customerId: text("customer_id").notNull(),
		assignmentId: text("assignment_id")
			.notNull()
			.references(() => budgetAssignments.id),
		/** A change of the cadence starts another window, even at the same instant. */
		cadence: text().notNull(),
		windowStart: integer("window_start").notNull().$type<Instant>(),
		windowEnd: integer("window_end").notNull().$type<Instant>(),
		/** In reported units, or credits. */
		used: text().notNull().$type<Decimal>(),
		/** The sum of the holds, including expired ones that still exist. */
		reserved: text().notNull().$type<Decimal>(),
		/** The approved amount by which the limit of this window is higher. */
		raised: text().notNull().default(zero).$type<Decimal>(),
		/** When `budget.exceeded` was emitted, once for each window. */
		exceededAt: integer("exceeded_at").$type<Instant>(),
	},
	(table) => [
		uniqueIndex("budget_counters_of").on(table.assignmentId, table.windowStart, table.cadence),
		index("budget_counters_customer").on(table.customerId, table.id),
	],
);

export type BudgetCounterRow = typeof budgetCounters.$inferSelect;

/** The source of entries that count events. Each has a row in `budget_event_counts` with their place in the log. */
export const eventSource = "events";

/** The counted usage: one row for each report of usage and each consumption of credits. Rows are only added. */
export const budgetEntries = sqliteTable(
	"budget_entries",
	{
		sequence: integer().primaryKey({ autoIncrement: true }),
		customerId: text("customer_id").notNull(),
		capabilityId: text("capability_id").notNull(),
		/** The id of the report of usage or the consumption; "events" for events. */
		sourceId: text("source_id").notNull(),
		/** Negative if it reverses usage. A counter never falls below zero. */
		amount: text().notNull().$type<Decimal>(),
		/** The ids of the counters that it changed. */
		counters: text({ mode: "json" }).notNull().$type<number[]>(),
	},
	(table) => [index("budget_entries_customer").on(table.customerId, table.sequence)],
);

/** The reserved amounts of reservations. A row is deleted with the end of its reservation, or after it expired. */
export const budgetHolds = sqliteTable(
	"budget_holds",
	{
		reservationId: text("reservation_id").notNull(),
		capabilityId: text("capability_id").notNull(),
		customerId: text("customer_id").notNull(),
		amount: text().notNull().$type<Decimal>(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		/** The ids of the counters that include it. */
		counters: text({ mode: "json" }).notNull().$type<number[]>(),
	},
	(table) => [
		primaryKey({ columns: [table.reservationId, table.capabilityId] }),
		index("budget_holds_expiry").on(table.customerId, table.expiresAt),
	],
);

export type BudgetHoldRow = typeof budgetHolds.$inferSelect;
