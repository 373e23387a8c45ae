import { and, asc, countDistinct, desc, eq, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { insertRows } from "../../kernel/storage/rows";
import type { Work } from "../../kernel/work";
import {
	type PlanSimulationCostRow,
	type PlanSimulationFailureRow,
	type PlanSimulationRow,
	planSimulationCosts,
	planSimulationFailures,
	planSimulations,
} from "./table";

export const findSimulation = (work: Work, id: string): PlanSimulationRow | undefined =>
	work.tx
		.select()
		.from(planSimulations)
		.where(and(eq(planSimulations.environmentId, work.actor.environmentId), eq(planSimulations.id, id)))
		.get();

/** Replaces the plan's former simulation, whose rows its task deletes (`deleteFormer`). */
export function insertSimulation(
	work: Work,
	simulation: Pick<PlanSimulationRow, "id" | "planId" | "versionId" | "versionNumber" | "terms" | "startAt" | "endAt">,
): void {
	work.tx.delete(planSimulations).where(eq(planSimulations.planId, simulation.planId)).run();
	insertRows(work, planSimulations, [
		{
			...simulation,
			environmentId: work.actor.environmentId,
			afterId: "",
			totals: [],
			failuresCount: 0,
			createdAt: work.now,
		},
	]);
}

export const changeSimulation = (
	work: Work,
	{ id }: Pick<PlanSimulationRow, "id">,
	changes: Partial<Pick<PlanSimulationRow, "afterId" | "totals" | "failuresCount">>,
): void => {
	work.tx.update(planSimulations).set(changes).where(eq(planSimulations.id, id)).run();
};

export const insertCosts = (work: Work, rows: readonly PlanSimulationCostRow[]): void => {
	if (rows.length > 0) insertRows(work, planSimulationCosts, rows);
};

export const insertFailures = (work: Work, rows: readonly PlanSimulationFailureRow[]): void => {
	if (rows.length > 0) insertRows(work, planSimulationFailures, rows);
};

/** `simulation` is a row that the caller has read in its environment. Greatest differences first. */
export const selectCosts = (work: Work, { id }: PlanSimulationRow, rowsMax: number): PlanSimulationCostRow[] =>
	work.tx
		.select()
		.from(planSimulationCosts)
		.where(eq(planSimulationCosts.simulationId, id))
		.orderBy(desc(planSimulationCosts.weight), asc(planSimulationCosts.subscriptionId))
		.limit(rowsMax)
		.all();

export const countCustomers = (work: Work, { planId, id }: PlanSimulationRow): number =>
	work.tx
		.select({ rows: countDistinct(planSimulationCosts.customerId) })
		.from(planSimulationCosts)
		.where(and(eq(planSimulationCosts.planId, planId), eq(planSimulationCosts.simulationId, id)))
		.get()?.rows ?? 0;

export const selectFailures = (
	work: Work,
	{ planId, id }: PlanSimulationRow,
	rowsMax: number,
): PlanSimulationFailureRow[] =>
	work.tx
		.select()
		.from(planSimulationFailures)
		.where(and(eq(planSimulationFailures.planId, planId), eq(planSimulationFailures.simulationId, id)))
		.orderBy(asc(planSimulationFailures.subscriptionId))
		.limit(rowsMax)
		.all();

/** Deletes some rows of earlier simulations of the same plan. Returns their number. */
export function deleteFormer(work: Work, { planId, id }: PlanSimulationRow, rowsMax: number): number {
	const deleteFrom = (table: SQLiteTable): number =>
		work.tx.all<{ one: number }>(
			sql`delete from ${table} where rowid in (
				select rowid from ${table} where plan_id = ${planId} and simulation_id <> ${id} limit ${rowsMax}
			) returning 1 as one`,
		).length;
	return deleteFrom(planSimulationCosts) + deleteFrom(planSimulationFailures);
}
