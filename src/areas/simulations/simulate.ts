import { DomainError } from "../../kernel/errors";
import type { Period } from "../../kernel/period";
import { type Actor, type Sync, type Work, workAt } from "../../kernel/work";
import type { JobThread } from "../../tasks/job";
import { cancelTask, completeTask, getClaimedTask, progressTask } from "../../tasks/operations";
import type { TaskRow } from "../../tasks/table";
import { systemActor } from "../access/rules.actors";
import { versionsByIds } from "../packages/operations";
import type { VersionRow } from "../packages/table";
import type { SubscriptionRow } from "../subscriptions/table";
import { billedOnPlan, type PastBills, pastBills } from "../subscriptions/versions/operations.past-bills";
import { termsPrintOf } from "./operations";
import { addedTo, type Comparison, type Costs, compare, costsOf, pastPeriods } from "./rules";
import { changeSimulation, deleteFormer, findSimulation, insertCosts, insertFailures } from "./store";
import type { PlanSimulationRow } from "./table";

/** Rows that are read, or deleted, in a part of a time slice. */
const readAtOnce = 10;
const deletedAtOnce = 200;

/**
 * Calculates the past price of each subscription on a version of its plan. The calculation only reads, and waits for
 * its next time slice between two billing periods. Results, position and progress are then written together, so a job
 * that is killed or stopped continues after the last write, and no subscription counts twice. The job ends early if
 * another simulation replaces it, or if the version has changed.
 */
export async function runSimulation(thread: JobThread, { id, environmentId }: TaskRow): Promise<void> {
	const { transactions, turns, isStopping } = thread;
	const actor = systemActor(environmentId);
	for (let isLeft = true; isLeft; ) {
		await turns.next();
		if (isStopping()) return;
		isLeft = transactions.write(actor, (work) => deleteNext(work, id));
	}
	for (let isDone = false; !isDone; ) {
		await turns.next();
		if (isStopping()) return;
		const step = await nextStep(thread, actor, id);
		isDone = transactions.write(actor, (work) => record(work, id, step));
	}
}

/** Deletes some rows of earlier simulations. Returns whether there were any. */
function deleteNext(work: Work, id: string): boolean {
	const simulation = findSimulation(work, id);
	return simulation !== undefined && deleteFormer(work, simulation, deletedAtOnce) > 0;
}

interface Step {
	/** Why it cannot continue. */
	readonly obstacle?: string;
	readonly done: ReadonlyArray<{
		readonly row: SubscriptionRow;
		readonly outcome: readonly Comparison[] | DomainError;
	}>;
}

const superseded = "Another simulation of the plan has taken the place of this one.";
const changed = "The version was changed or removed while it was simulated; simulate it again.";

/** The inputs of the calculation and its pauses. */
interface Calculation {
	readonly target: VersionRow;
	readonly span: Period | null;
	/** Reads at the time of the request, so that the past is that of then. */
	read<T>(body: (work: Work) => T, ...sync: Sync<T>): T;
	/** Waits between two periods. */
	pause(): Promise<void>;
}

/** Calculates as many subscriptions as fit into a time slice, at least one. */
async function nextStep({ transactions, turns }: JobThread, actor: Actor, id: string): Promise<Step> {
	const next = transactions.read(actor, (work) => nextRows(work, id));
	if ("obstacle" in next) return { ...next, done: [] };
	const { simulation, target, rows } = next;
	const calculation: Calculation = {
		target,
		span: spanOf(simulation),
		read: (body, ...sync) => transactions.read(actor, (work) => body(workAt(work, simulation.createdAt)), ...sync),
		pause: async () => {
			if (turns.isOver()) await turns.next();
		},
	};
	const done: Step["done"][number][] = [];
	for (const row of rows) {
		done.push({ row, outcome: await outcomeOf(calculation, row) });
		if (turns.isOver()) break;
	}
	return { done };
}

function nextRows(work: Work, id: string) {
	const simulation = findSimulation(work, id);
	if (!simulation) return { obstacle: superseded };
	const target = versionsByIds(work, [simulation.versionId]).get(simulation.versionId);
	if (!target || termsPrintOf(work, target) !== simulation.terms) return { obstacle: changed };
	const then = workAt(work, simulation.createdAt);
	return { simulation, target, rows: billedOnPlan(then, simulation.planId, simulation.afterId, readAtOnce) };
}

const spanOf = ({ startAt, endAt }: PlanSimulationRow): Period | null =>
	startAt === null || endAt === null ? null : { start: startAt, end: endAt };

/** Returns whether the task has ended. */
function record(work: Work, id: string, { obstacle, done }: Step): boolean {
	const task = getClaimedTask(work, id);
	const simulation = findSimulation(work, id);
	if (!simulation || obstacle !== undefined) {
		cancelTask(work, task, { id, error: obstacle ?? superseded });
		return true;
	}
	const last = done.at(-1);
	if (!last) {
		completeTask(work, task);
		return true;
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
	// Subscriptions may have started, or ended, since they were counted.
	progressTask(work, task, Math.min(task.doneCount + done.length, task.totalCount));
	return false;
}

/** A subscription that cannot be sold on the version is a result, not an error. */
async function outcomeOf(calculation: Calculation, row: SubscriptionRow): Promise<Comparison[] | DomainError> {
	try {
		return await compareCosts(calculation, row);
	} catch (refusal) {
		if (refusal instanceof DomainError) return refusal;
		throw refusal;
	}
}

/** Undefined if no period was billed here. */
async function compareCosts({ read, pause, span, target }: Calculation, row: SubscriptionRow): Promise<Comparison[]> {
	const billsOf = pastBills(row, target);
	const all: PastBills[] = [];
	for (const past of read((work) => pastPeriods(row, span, work.now))) {
		await pause();
		all.push(read((work) => billsOf(work, past)));
	}
	const [first] = all;
	if (!first) return [];
	const costs = (version: "before" | "after"): Costs => costsOf(all.flatMap((bills) => bills[version]));
	return compare(costs("before"), costs("after"), first.currency);
}
