import { toIsoOrNull } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { getTask } from "../../tasks/operations";
import { progressPercent } from "../../tasks/rules";
import { customersByIds } from "../customers/operations";
import { subscriptionsByIds } from "../subscriptions/operations";
import { type Comparison, differenceOf } from "./rules";
import { listedMax, type PlanSimulation } from "./schema";
import { countCustomers, selectCosts, selectFailures } from "./store";
import type { PlanSimulationRow } from "./table";

/** Shows the results so far. */
export function viewSimulation(work: Work, simulation: PlanSimulationRow): PlanSimulation {
	const task = getTask(work, simulation.id);
	assert(task, "a simulation has a task");
	const costs = selectCosts(work, simulation, listedMax);
	const failures = selectFailures(work, simulation, listedMax);
	const customers = customersByIds(
		work,
		costs.map(({ customerId }) => customerId),
	);
	const subscriptions = subscriptionsByIds(
		work,
		[...costs, ...failures].map(({ subscriptionId }) => subscriptionId),
	);
	const refOf = (subscriptionId: string): string => subscriptions.get(subscriptionId)?.refId ?? "";
	return {
		status: task.status,
		progress: progressPercent(task),
		versionNumber: simulation.versionNumber,
		startDate: toIsoOrNull(simulation.startAt),
		endDate: toIsoOrNull(simulation.endAt),
		currencyTotals: simulation.totals.map(({ subscriptionsCount, ...total }) => ({
			...amountsOf({ ...total, difference: differenceOf(total) }),
			subscriptionsCount,
		})),
		customers: costs.map((cost) => ({
			customerId: customers.get(cost.customerId)?.refId ?? "",
			subscriptionId: refOf(cost.subscriptionId),
			...amountsOf(cost),
		})),
		customersCount: countCustomers(work, simulation),
		failures: failures.map(({ subscriptionId, code, message }) => ({
			subscriptionId: refOf(subscriptionId),
			code,
			message,
		})),
		failuresCount: simulation.failuresCount,
	};
}

const amountsOf = ({ currency, before, after, difference }: Comparison) => ({
	currency,
	before: toWire(before),
	after: toWire(after),
	difference: toWire(difference),
});
