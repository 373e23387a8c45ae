import { systemActor } from "../../../src/areas/access/rules.actors";
import { runSimulation } from "../../../src/areas/simulations/simulate";
import type { Transactions } from "../../../src/kernel/work";
import { claimTask } from "../../../src/tasks/operations";
import type { TaskRow } from "../../../src/tasks/table";
import type { World } from "../../support/world";
import type { Till } from "../subscriptions/billing";

export const queue = systemActor("");
export const claim = ({ transactions }: World): TaskRow | undefined =>
	transactions.write(queue, (work) => claimTask(work, ["SIMULATE_PLAN"]));

/** Runs the importer's work: one task after the other. */
export async function work(ours: World, transactions: Transactions = ours.transactions): Promise<void> {
	for (let task = claim(ours); task; task = claim(ours)) await runSimulation({ ...ours.thread, transactions }, task);
}

export const ask = async (ours: Till, plan: string, body: object = {}): Promise<string> =>
	(await ours.insist("POST", `/plans/${plan}/simulate`, body)).taskId;
export const answerOf = (ours: Till, plan: string, taskId: string) =>
	ours.insist("GET", `/plans/${plan}/simulations/${taskId}`);

export async function simulate(ours: Till, plan: string, body: object = {}) {
	const taskId = await ask(ours, plan, body);
	await work(ours);
	return answerOf(ours, plan, taskId);
}

export async function draft(ours: Till, plan: string, ...models: object[]): Promise<void> {
	await ours.call("POST", `/plans/${plan}/draft`);
	if (models.length > 0)
		await ours.insist("PATCH", `/plans/${plan}`, { charges: { pricingType: "PAID", pricingModels: models } });
}

export const usd = (before: number, after: number) => ({
	currency: "usd",
	before,
	after,
	difference: Math.round((after - before) * 100) / 100,
});
export const total = (before: number, after: number, subscriptionsCount = 1) => ({
	...usd(before, after),
	subscriptionsCount,
});
