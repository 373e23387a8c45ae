import { and, asc, countDistinct, desc, eq, gt, isNotNull, isNull, max, ne, or, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Work } from "../../../kernel/work";
import { type SubscriptionRow, subscriptions } from "../table";
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

/** It takes the place of the one that the plan had, whose rows its task forgets (`forgetFormer`). */
export function insertSimulation(
	work: Work,
	simulation: Pick<PlanSimulationRow, "id" | "planId" | "versionId" | "versionNumber" | "terms" | "startAt" | "endAt">,
): void {
	work.tx.delete(planSimulations).where(eq(planSimulations.planId, simulation.planId)).run();
	work.tx
		.insert(planSimulations)
		.values({
			...simulation,
			environmentId: work.actor.environmentId,
			afterId: "",
			totals: [],
			failuresCount: 0,
			createdAt: work.now,
		})
		.run();
}

export const changeSimulation = (
	work: Work,
	{ id }: Pick<PlanSimulationRow, "id">,
	changes: Partial<Pick<PlanSimulationRow, "afterId" | "totals" | "failuresCount">>,
): void => {
	work.tx.update(planSimulations).set(changes).where(eq(planSimulations.id, id)).run();
};

/** Paid subscriptions that run on the plan, on whatever version, and are invoiced here (`isBilledHere`). */
const isBilledOn = (work: Work, planId: string) =>
	and(
		eq(subscriptions.environmentId, work.actor.environmentId),
		eq(subscriptions.planId, planId),
		eq(subscriptions.status, "ACTIVE"),
		or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, work.now)),
		eq(subscriptions.pricingType, "PAID"),
		or(isNull(subscriptions.paymentCollectionMethod), ne(subscriptions.paymentCollectionMethod, "NONE")),
		isNotNull(subscriptions.billedUntil),
	);

/** Among the plan's next subscriptions in the order of their row ids: how many, and the last of them; null when there is none. */
export function countBilledOn(
	work: Work,
	planId: string,
	afterId: string,
	rowsMax: number,
): { readonly count: number; readonly lastId: string | null } {
	const piece = work.tx
		.select({ id: subscriptions.id, isBilled: sql<number>`coalesce(${isBilledOn(work, planId)}, 0)`.as("is_billed") })
		.from(subscriptions)
		.where(and(eq(subscriptions.planId, planId), gt(subscriptions.id, afterId)))
		.orderBy(asc(subscriptions.id))
		.limit(rowsMax)
		.as("piece");
	const counted = work.tx
		.select({ count: sql<number>`coalesce(sum(${piece.isBilled}), 0)`, lastId: max(piece.id) })
		.from(piece)
		.get();
	return counted ?? { count: 0, lastId: null };
}

/** In the order of their row ids, beyond `afterId`. */
export const selectBilledOn = (work: Work, planId: string, afterId: string, rowsMax: number): SubscriptionRow[] =>
	work.tx
		.select()
		.from(subscriptions)
		.where(and(isBilledOn(work, planId), gt(subscriptions.id, afterId)))
		.orderBy(asc(subscriptions.id))
		.limit(rowsMax)
		.all();

export const insertCosts = (work: Work, rows: readonly PlanSimulationCostRow[]): void => {
	if (rows.length > 0)
		work.tx
			.insert(planSimulationCosts)
			.values([...rows])
			.run();
};

export const insertFailures = (work: Work, rows: readonly PlanSimulationFailureRow[]): void => {
	if (rows.length > 0)
		work.tx
			.insert(planSimulationFailures)
			.values([...rows])
			.run();
};

/** Of a simulation that the caller has found in its environment; the greatest differences first. */
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

/** Throws away rows of earlier simulations of the same plan, so many at once; answers how many there were. */
export function forgetFormer(work: Work, { planId, id }: PlanSimulationRow, rowsMax: number): number {
	const forget = (table: SQLiteTable): number =>
		work.tx.all<{ one: number }>(
			sql`delete from ${table} where rowid in (
				select rowid from ${table} where plan_id = ${planId} and simulation_id <> ${id} limit ${rowsMax}
			) returning 1 as one`,
		).length;
	return forget(planSimulationCosts) + forget(planSimulationFailures);
}
