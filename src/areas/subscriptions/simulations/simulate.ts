import { DomainError } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import { type Actor, type Sync, systemActor, type Work, workAt } from "../../../kernel/work";
import type { JobThread } from "../../../tasks/job";
import { cancelTask, completeTask, getClaimedTask, progressTask, setTotalCount } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import { versionsByIds } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import { currencyOfCharge } from "../../pricing/charge";
import type { RatedInvoice } from "../../pricing/rate";
import { usageItems } from "../billing/counted-usage";
import { discountOf, payerOf } from "../billing/issue";
import { chargedPeriodOf, isOneOff, minimumSpendPaidOf, prorateItems, rateBill } from "../billing/rules.bill";
import { usageWithin } from "../billing/usage";
import type { SubscriptionRow } from "../table";
import { billInAdvance } from "../terms/charge-items";
import type { Sale } from "../terms/prepare-sale";
import { saleOf, subscribedItems } from "../terms/subscription-sale";
import { selectVersionChanges } from "../versions/store";
import { saleOn } from "../versions/version-change";
import { termsPrintOf } from "./request";
import { addedTo, type Comparison, type Costs, compare, costsOf, type PastPeriod, pastPeriods } from "./rules";
import {
	changeSimulation,
	countBilledOn,
	findSimulation,
	forgetFormer,
	insertCosts,
	insertFailures,
	selectBilledOn,
} from "./store";
import type { PlanSimulationRow } from "./table";

/** Our choices: as many rows as are read, counted or thrown away in a part of a turn. */
const readAtOnce = 10;
const countedAtOnce = 500;
const forgottenAtOnce = 200;

/**
 * Reckons what a version of a plan would have cost each subscription on it. Reckoning only reads, and waits for its next turn
 * between two billing periods; then the results, how far it has come and the task's progress are written down together: a
 * job that was killed, or has seen a stop between two turns, goes on where the last write left it, and no subscription
 * counts twice. It ends early when another simulation has taken its place, or the version is not any more what it was asked
 * for.
 */
export async function runSimulation(thread: JobThread, { id, environmentId }: TaskRow): Promise<void> {
	const { doors, turns, isStopping } = thread;
	const actor = systemActor(environmentId);
	const prepare = [forgetNext, counting()];
	for (const prepareNext of prepare)
		for (let isDone = false; !isDone; ) {
			await turns.next();
			if (isStopping()) return;
			isDone = doors.write(actor, (work) => prepareNext(work, id));
		}
	for (let isDone = false; !isDone; ) {
		await turns.next();
		if (isStopping()) return;
		const step = await nextStep(thread, actor, id);
		isDone = doors.write(actor, (work) => record(work, id, step));
	}
}

/** Throws a piece of earlier answers away. Answers whether nothing is left of them. */
function forgetNext(work: Work, id: string): boolean {
	const simulation = findSimulation(work, id);
	return simulation === undefined || forgetFormer(work, simulation, forgottenAtOnce) === 0;
}

/** Counts piece by piece how many there are to be reckoned, for the task's progress. */
function counting(): (work: Work, id: string) => boolean {
	let afterId = "";
	let count = 0;
	return (work, id) => {
		const simulation = findSimulation(work, id);
		// A job that was killed has counted them before.
		if (simulation?.afterId !== "") return true;
		const piece = countBilledOn(workAt(work, simulation.createdAt), simulation.planId, afterId, countedAtOnce);
		count += piece.count;
		if (piece.lastId !== null) {
			afterId = piece.lastId;
			return false;
		}
		// Also where nobody runs on the plan there is one step to be done, and then it is done.
		setTotalCount(work, getClaimedTask(work, id), Math.max(1, count));
		return true;
	};
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

/** What is reckoned by, and in small pieces. */
interface Reckoning {
	readonly target: VersionRow;
	readonly span: Period | null;
	/** Reads at the moment in which the simulation was asked for: the past is that of then. */
	read<T>(body: (work: Work) => T, ...sync: Sync<T>): T;
	/** Between two pieces. */
	pause(): Promise<void>;
}

/** As many subscriptions as fit into a turn, but one at least. */
async function nextStep({ doors, turns }: JobThread, actor: Actor, id: string): Promise<Step> {
	const next = doors.read(actor, (work) => nextRows(work, id));
	if ("obstacle" in next) return { ...next, done: [] };
	const { simulation, target, rows } = next;
	const reckoning: Reckoning = {
		target,
		span: spanOf(simulation),
		read: (body, ...sync) => doors.read(actor, (work) => body(workAt(work, simulation.createdAt)), ...sync),
		pause: async () => {
			if (turns.isOver()) await turns.next();
		},
	};
	const done: Step["done"][number][] = [];
	for (const row of rows) {
		done.push({ row, outcome: await outcomeOf(reckoning, row) });
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
	return { simulation, target, rows: selectBilledOn(then, simulation.planId, simulation.afterId, readAtOnce) };
}

const spanOf = ({ startAt, endAt }: PlanSimulationRow): Period | null =>
	startAt === null || endAt === null ? null : { start: startAt, end: endAt };

/** Answers whether the task has ended. */
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
	// Subscriptions may have begun, or ended, since they were counted.
	progressTask(work, task, Math.min(task.doneCount + done.length, task.totalCount));
	return false;
}

/** What cannot be sold on the version is a finding, not a fault. */
async function outcomeOf(reckoning: Reckoning, row: SubscriptionRow): Promise<Comparison[] | DomainError> {
	try {
		return await compareCosts(reckoning, row);
	} catch (refusal) {
		if (refusal instanceof DomainError) return refusal;
		throw refusal;
	}
}

/** Nothing where no period of it was billed here. */
async function compareCosts({ read, pause, span, target }: Reckoning, row: SubscriptionRow): Promise<Comparison[]> {
	const past = read((work) => pastPeriods(row, span, work.now));
	const saleAt = salesOf(row, target);
	const rated: Array<{ before: RatedInvoice[]; after: RatedInvoice[] }> = [];
	for (const one of past) {
		await pause();
		rated.push(
			read((work) => {
				const { before, after } = saleAt(work, one);
				return { before: rate(work, row, before, one), after: rate(work, row, after, one) };
			}),
		);
	}
	const costs = (version: "before" | "after"): Costs => costsOf(rated.flatMap((one) => one[version]));
	const [first] = past;
	return first ? compare(costs("before"), costs("after"), currencyOf(read((work) => saleAt(work, first)))) : [];
}

interface Sales {
	/** On the version that was charged. */
	readonly before: Sale;
	/** On the simulated one. */
	readonly after: Sale;
}

/** The sales that hold at the beginning of a period: others only where a change of version lies between. */
function salesOf(row: SubscriptionRow, target: VersionRow): (work: Work, past: PastPeriod) => Sales {
	const known = new Map<number, Sales>();
	return (work, { from }) => {
		const changesBefore = selectVersionChanges(work, row.id).filter(({ pricesFrom }) => pricesFrom <= from).length;
		const sales = known.get(changesBefore);
		if (sales) return sales;
		const before = saleOf(work, row, from);
		const versions = [target, ...before.addons.map(({ version }) => version)];
		const made = { before, after: saleOn(work, row, { ...subscribedItems(work, row), versions }) };
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
	const items = prorateItems(whole, period, from);
	const charged = chargedPeriodOf(items, period, terms, rateBill({ sections: [{ items, ...terms }] }), null);
	const used = usageItems(usageWithin(work, row, sale, { start: from, end: period.end }));
	return rateBill({
		sections: [{ ...terms, items: [...items, ...used], minimumSpendPaid: minimumSpendPaidOf(charged) }],
	});
}

const currencyOf = ({ before, after }: Sales): string | undefined =>
	[...before.prices, ...after.prices].map(({ charge }) => currencyOfCharge(charge)).find((one) => one !== undefined);
