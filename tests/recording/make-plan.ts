import { planCustomers } from "./customers";
import { planHistories } from "./histories";
import type { Plan, Size } from "./plan";

/** The same size always makes the same plan, as long as the simulated subscriptions stay the same. */
export async function makePlan(size: Size): Promise<Plan> {
	const [customers, histories] = [await planCustomers(size), await planHistories(size)];
	return {
		environments: [...customers.environments, ...histories.environments],
		steps: [...customers.steps, ...histories.steps],
	};
}
