import { DomainError } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import { type Doors, systemActor, type Work, workAt } from "../../../kernel/work";
import { cancelTask, completeTask, progressTask } from "../../../tasks/operations";
import { type IsStopping, neverStops } from "../../../tasks/rules";
import type { TaskRow } from "../../../tasks/table";
import { versionsByIds } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import { currencyOfCharge } from "../../pricing/charge";
import type { RatedInvoice } from "../../pricing/rate";
import { usageItems } from "../billing/counted-usage";
import { discountOf, payerOf } from "../billing/issue";
import { chargedBy, isOneOff, minimumPaidBy, rateBill, remainingOf } from "../billing/rules.bill";
import { usageWithin } from "../billing/usage";
import type { SubscriptionRow } from "../table";
import { heldBy, heldSale } from "../terms/held";
import { billInAdvance } from "../terms/prices";
import type { Sale } from "../terms/sale";
import { selectVersionChanges } from "../versions/store";
import { saleOn } from "../versions/version-change";
import { termsPrintOf } from "./request";
import { addedTo, type Comparison, type Costs, compare, costsOf, type PastPeriod, pastPeriods } from "./rules";
import { changeSimulation, findSimulation, forgetFormer, insertCosts, insertFailures, selectBilledOn } from "./store";
import type { PlanSimulationRow } from "./table";

/** Our choice: short enough that a stop is seen soon, and that the write which follows is over in a moment. */
export const subscriptionsPerStep = 25;

/** Our choice: as many rows as are thrown away in some milliseconds. */
const forgottenPerTransaction = 1000;

/**
 * Reckons what a version of a plan would have cost each subscription on it. A step reckons in a reading transaction, which
 * holds up nobody, and then writes down the results, how far it has come and the task's progress together: a job that was
 * killed, or has seen a stop between two steps, goes on where the last write left it, and no subscription counts twice. It ends
 * early when another simulation has taken its place, or the version is not any more what it was asked for.
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
	const rows = selectBilledOn(then, simulation.planId, simulation.afterId, subscriptionsPerStep);
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
	const past = pastPeriods(row, span, work.now);
	const saleAt = salesOf(work, row, target);
	const rated = past.map((one) => {
		const { before, after } = saleAt(one);
		return { before: rate(work, row, before, one), after: rate(work, row, after, one) };
	});
	const costs = (side: "before" | "after"): Costs => costsOf(rated.flatMap((one) => one[side]));
	const [first] = past;
	return first ? compare(costs("before"), costs("after"), currencyOf(saleAt(first))) : [];
}

interface Sales {
	/** On the version that was charged. */
	readonly before: Sale;
	/** On the simulated one. */
	readonly after: Sale;
}

/** The sales that hold at the beginning of a period: others only where a change of version lies between. */
function salesOf(work: Work, row: SubscriptionRow, target: VersionRow): (past: PastPeriod) => Sales {
	const changes = selectVersionChanges(work, row.id);
	const held = heldBy(work, row);
	const known = new Map<number, Sales>();
	return ({ from }) => {
		const changesBefore = changes.filter(({ pricesFrom }) => pricesFrom <= from).length;
		const sales = known.get(changesBefore);
		if (sales) return sales;
		const before = heldSale(work, row, from);
		const versions = [target, ...before.addons.map(({ version }) => version)];
		const made = { before, after: saleOn(work, row, { ...held, versions }) };
		known.set(changesBefore, made);
		return made;
	};
}

/**
 * What a period comes to, as one bill: what recurs in advance, and the usage of the period itself. It is reckoned with the
 * units, addons, prices of its own and minimum spend of now, and the coupon that acted when the period began; tax is left out.
 */
function rate(work: Work, row: SubscriptionRow, sale: Sale, { period, from }: PastPeriod): RatedInvoice[] {
	const { coupon } = payerOf(workAt(work, from), row);
	const terms = { coupon: coupon && discountOf(coupon), taxPercentage: null };
	const whole = billInAdvance({ ...sale, minimumSpend: row.minimumSpend }, period).filter((item) => !isOneOff(item));
	const items = remainingOf(whole, period, from);
	const charged = chargedBy(items, { period }, terms, rateBill({ sides: [{ items, ...terms }] }), null);
	const used = usageItems(usageWithin(work, row, sale, { start: from, end: period.end }));
	return rateBill({
		sides: [{ ...terms, items: [...items, ...used], minimumSpendPaid: minimumPaidBy(charged) }],
	});
}

const currencyOf = ({ before, after }: Sales): string | undefined =>
	[...before.prices, ...after.prices].map(({ charge }) => currencyOfCharge(charge)).find((one) => one !== undefined);
