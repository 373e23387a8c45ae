import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { CurrencyTotal } from "./rules";

/**
 * The last simulation of a plan and its progress; the next one replaces it. There are no foreign keys, since drafts and
 * plans without a version can be deleted.
 */
export const planSimulations = sqliteTable(
	"plan_simulations",
	{
		/** The id of its task. */
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		planId: text("plan_id").notNull(),
		versionId: text("version_id").notNull(),
		versionNumber: integer("version_number").notNull(),
		/** A fingerprint of the charges and entitlements of the version: a result belongs to one price list. */
		terms: text().notNull(),
		/** Billing periods that begin within; both null: the last one of each subscription. */
		startAt: integer("start_at").$type<Instant>(),
		endAt: integer("end_at").$type<Instant>(),
		/** The row id of the last calculated subscription. */
		afterId: text("after_id").notNull(),
		totals: text({ mode: "json" }).notNull().$type<CurrencyTotal[]>(),
		failuresCount: integer("failures_count").notNull(),
		/** The past ends here, however long the task runs. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [uniqueIndex("plan_simulations_plan").on(table.planId)],
);

export type PlanSimulationRow = typeof planSimulations.$inferSelect;

/** The price of one subscription in one currency. */
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
		/** The size of the difference, only to sort the list. */
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
