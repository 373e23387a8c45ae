import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { CurrencyTotal } from "./rules";

/**
 * The last question of what a version of a plan would have cost, and how far the answer has come. There is one for each plan:
 * the next takes its place. Nothing is referred to by key: a draft, and a plan that is no more than one, may be thrown away.
 */
export const planSimulations = sqliteTable(
	"plan_simulations",
	{
		/** That of its task. */
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		planId: text("plan_id").notNull(),
		versionId: text("version_id").notNull(),
		versionNumber: integer("version_number").notNull(),
		/** A fingerprint of what the version charges and grants: an answer is about one price list, not about two. */
		terms: text().notNull(),
		/** Billing periods that begin within; both null: the last one of each subscription. */
		startAt: integer("start_at").$type<Instant>(),
		endAt: integer("end_at").$type<Instant>(),
		/** The row id of the subscription that was looked at last. */
		afterId: text("after_id").notNull(),
		totals: text({ mode: "json" }).notNull().$type<CurrencyTotal[]>(),
		failuresCount: integer("failures_count").notNull(),
		/** What is past is told from here, however long the task takes. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [uniqueIndex("plan_simulations_plan").on(table.planId)],
);

export type PlanSimulationRow = typeof planSimulations.$inferSelect;

/** What one subscription would have cost in one currency. */
export const planSimulationCosts = sqliteTable(
	"plan_simulation_costs",
	{
		planId: text("plan_id").notNull(),
		simulationId: text("simulation_id").notNull(),
		subscriptionId: text("subscription_id").notNull(),
		customerId: text("customer_id").notNull(),
		currency: text().notNull(),
		before: text().notNull().$type<Decimal>(),
		after: text().notNull().$type<Decimal>(),
		difference: text().notNull().$type<Decimal>(),
		/** The size of the difference, for the order of the list alone. */
		weight: real().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.planId, table.simulationId, table.subscriptionId, table.currency] }),
		index("plan_simulation_costs_weight").on(table.simulationId, table.weight),
	],
);

export type PlanSimulationCostRow = typeof planSimulationCosts.$inferSelect;

/** A subscription that cannot be sold on the simulated version. */
export const planSimulationFailures = sqliteTable(
	"plan_simulation_failures",
	{
		planId: text("plan_id").notNull(),
		simulationId: text("simulation_id").notNull(),
		subscriptionId: text("subscription_id").notNull(),
		code: text().notNull(),
		message: text().notNull(),
	},
	(table) => [primaryKey({ columns: [table.planId, table.simulationId, table.subscriptionId] })],
);

export type PlanSimulationFailureRow = typeof planSimulationFailures.$inferSelect;
