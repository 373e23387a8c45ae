import { DomainError } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import { type Doors, type Work, workAt } from "../../kernel/work";
import { cancelTask, completeTask, progressTask } from "../../tasks/operations";
import { type IsStopping, neverStops } from "../../tasks/rules";
import type { TaskRow } from "../../tasks/table";
import { systemActor } from "../access/rules.actors";
import { versionsByIds } from "../packages/operations";
import type { VersionRow } from "../packages/table";
import { billedOnPlan, pastBills } from "../subscriptions/billing/operations.past-bills";
import type { SubscriptionRow } from "../subscriptions/table";
import { termsPrintOf } from "./operations";
import { addedTo, type Comparison, type Costs, compare, costsOf, pastPeriods } from "./rules";
import { changeSimulation, findSimulation, forgetFormer, insertCosts, insertFailures } from "./store";
import type { PlanSimulationRow } from "./table";

/** Our choice: short enough that a stop is seen soon, and that the write which follows is over in a moment. */
export const subscriptionsPerStep = 25;

/** Our choice: as many rows as are thrown away in some milliseconds. */
const forgottenPerTransaction = 1000;

/**
 * Calculates what a version of a plan would have cost each subscription on it. A step calculates in a reading transaction, which
 * holds up nobody, and then writes down the results, how far it has come and the task's progress together: a job that was
 * killed, or has seen a stop between two steps, goes on where the last write left it, and no subscription counts twice. It ends
 * early when another simulation has taken its place, or the version is no longer what it was asked for.
 */
export async function runSimulation(doors: Doors, task: TaskRow, isStopping: IsStopping = neverStops): Promise<void> {
	const actor = systemActor(task.environmentId);
	while (!isStopping() && doors.write(actor, (work) => forgetNext(work, task.id)) > 0) await Bun.sleep(0);
	let current: TaskRow | undefined = task;
	while (current && !isStopping()) {
		const from: TaskRow = current;
		const step = doors.read(actor, (work) => nextStep(work, from.id));
		current = doors.write(actor, (work) => record(work, from, step));
		// A gap between two transactions lets other writers in and the loop see a stop.
		await Bun.sleep(0);
	}
}

function forgetNext(work: Work, id: string): number {
	const simulation = findSimulation(work, id);
	return simulation ? forgetFormer(work, simulation, forgottenPerTransaction) : 0;
}

interface Step {
	/** Why it cannot go on. */
	readonly obstacle?: string;
	readonly done: ReadonlyArray<{
		readonly row: SubscriptionRow;
		readonly outcome: readonly Comparison[] | DomainError;
	}>;
}

const superseded = "Another simulation of the plan has taken the place of this one.";
const changed = "The version was changed or removed while it was simulated; simulate it again.";

function nextStep(work: Work, id: string): Step {
	const simulation = findSimulation(work, id);
	if (!simulation) return { obstacle: superseded, done: [] };
	const version = versionsByIds(work, [simulation.versionId]).get(simulation.versionId);
	if (!version || termsPrintOf(work, version) !== simulation.terms) return { obstacle: changed, done: [] };
	// The past is that of the moment in which it was asked for.
	const then = workAt(work, simulation.createdAt);
	const rows = billedOnPlan(then, simulation.planId, simulation.afterId, subscriptionsPerStep);
	const span = spanOf(simulation);
	return { done: rows.map((row) => ({ row, outcome: outcomeOf(then, row, version, span) })) };
}

const spanOf = ({ startAt, endAt }: PlanSimulationRow): Period | null =>
	startAt === null || endAt === null ? null : { start: startAt, end: endAt };

/** Undefined when the task has ended. */
function record(work: Work, task: TaskRow, { obstacle, done }: Step): TaskRow | undefined {
	const simulation = findSimulation(work, task.id);
	if (!simulation || obstacle !== undefined) {
		cancelTask(work, task, { id: task.id, error: obstacle ?? superseded });
		return undefined;
	}
	const last = done.at(-1);
	if (!last) {
		completeTask(work, task);
		return undefined;
	}
	const { id: simulationId, planId } = simulation;
	const costs = done.flatMap(({ row, outcome }) =>
		outcome instanceof DomainError
			? []
			: outcome.map((one) => ({
					...one,
					planId,
					simulationId,
					subscriptionId: row.id,
					customerId: row.customerId,
					weight: Math.abs(Number(one.difference)),
				})),
	);
	const failures = done.flatMap(({ row, outcome: refusal }) =>
		refusal instanceof DomainError
			? { planId, simulationId, subscriptionId: row.id, code: refusal.code, message: refusal.message }
			: [],
	);
	insertCosts(work, costs);
	insertFailures(work, failures);
	changeSimulation(work, simulation, {
		afterId: last.row.id,
		totals: addedTo(simulation.totals, costs),
		failuresCount: simulation.failuresCount + failures.length,
	});
	// Subscriptions may have begun, or ended, since they were counted.
	return progressTask(work, task, Math.min(task.doneCount + done.length, task.totalCount));
}

/** What cannot be sold on the version is a finding, not a fault. */
function outcomeOf(
	work: Work,
	row: SubscriptionRow,
	target: VersionRow,
	span: Period | null,
): Comparison[] | DomainError {
	try {
		return compareCosts(work, row, target, span);
	} catch (refusal) {
		if (refusal instanceof DomainError) return refusal;
		throw refusal;
	}
}

/** Nothing where no period of it was billed here. */
function compareCosts(work: Work, row: SubscriptionRow, target: VersionRow, span: Period | null): Comparison[] {
	const billsOf = pastBills(work, row, target);
	const [first, ...others] = pastPeriods(row, span, work.now).map(billsOf);
	if (!first) return [];
	const costs = (version: "before" | "after"): Costs => costsOf([first, ...others].flatMap((bills) => bills[version]));
	return compare(costs("before"), costs("after"), first.currency);
}
