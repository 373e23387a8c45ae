import { checkBudgets } from "../../../../src/areas/governance/operations.check";
import { BudgetEvents } from "../../../../src/areas/usage/budgets/follow";
import { checkCountedEvents } from "../../../../src/areas/usage/budgets/operations.check";
import { repairBudgets } from "../../../../src/areas/usage/rebuild/budgets";
import { checkCountedReports } from "../../../../src/areas/usage/reports/operations.check-budgets";
import { writesBy } from "../../../../src/server/writer-calls";
import { must, site } from "../../governance/site";
import { metered } from "../../packages/catalogue";
import { granted, item } from "../../promotional-entitlements/grants";

const named = (name: string) => [{ conditions: [{ field: "eventName", operation: "EQUALS", value: name }] }];

/**
 * The governed site with the features `calls` (COUNT) and `bytes` (SUM of `size`), which meters count from events `call`. `send` sends events
 * of `acme` and returns their keys; `count` runs the job.
 */
export async function eventSite() {
	const ours = await site();
	for (const [id, aggregation] of Object.entries({
		calls: { function: "COUNT" },
		bytes: { function: "SUM", field: "size" },
		peak: { function: "MAX", field: "size" },
	})) {
		await must(ours.call("POST", "/features", { body: { id, displayName: id, ...metered } }));
		await must(ours.call("PATCH", `/features/${id}`, { body: { meter: { aggregation, filters: named("call") } } }));
	}
	await granted(ours, item("calls", { usageLimit: 100 }));
	let job = new BudgetEvents(ours.thread);
	await job.run();
	let keys = 0;
	return {
		...ours,
		send: async (...events: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<string[]> => {
			const sent = events.map((one) => {
				keys += 1;
				return { customerId: "acme", idempotencyKey: `k${keys}`, eventName: "call", ...one };
			});
			await must(ours.call("POST", "/events", { body: { events: sent } }));
			return sent.map(({ idempotencyKey }) => idempotencyKey);
		},
		cancel: (...idempotencyKeys: string[]) =>
			must(
				ours.call("POST", "/events/cancel", {
					body: {
						events: idempotencyKeys.map((idempotencyKey) => ({
							customerId: "acme",
							eventName: "call",
							idempotencyKey,
						})),
					},
				}),
			),
		count: () => job.run(),
		/** As after a crash: what the job knew is lost. */
		restart: () => {
			job = new BudgetEvents(ours.thread);
		},
		repair: () =>
			repairBudgets(
				{
					...{ transactions: ours.transactions, write: writesBy(ours.transactions) },
					erasedCustomers: () => new Set<string>(),
				},
				null,
			),
		findings: (): string[] =>
			ours.transactions.read(ours.actor, (work) => [
				...checkBudgets(work),
				...checkCountedReports(work),
				...checkCountedEvents(work, () => false),
			]),
	};
}

export type EventSite = Awaited<ReturnType<typeof eventSite>>;
