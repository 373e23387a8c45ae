import type { Transactions } from "../../../kernel/work";
import type { Write } from "../../../server/writer-calls";
import { listEnvironments } from "../../access/operations";
import { systemActor } from "../../access/rules.actors";
import { correctionsMax, counterCorrections } from "../../governance/operations.check";
import { recountEntries } from "../budgets/recount";

export interface BudgetRepairOptions {
	/** Read only. */
	readonly transactions: Transactions;
	readonly write: Write;
	/** Returns the customers (row ids) whose events were erased. */
	readonly erasedCustomers: () => ReadonlySet<string>;
}

/**
 * Counts the budgets of one environment, or of all (null), again: the entries of events from the log, then the counters from all entries
 * and reservations.
 */
export async function repairBudgets(options: BudgetRepairOptions, environmentId: string | null): Promise<void> {
	const { transactions } = options;
	const environments =
		environmentId === null ? transactions.read(systemActor(""), listEnvironments).map(({ id }) => id) : [environmentId];
	for (const id of environments) await repairEnvironment(options, id);
}

async function repairEnvironment(
	{ transactions, write, erasedCustomers }: BudgetRepairOptions,
	environmentId: string,
): Promise<void> {
	const actor = systemActor(environmentId);
	const erased = erasedCustomers();
	for (let hasMore = true; hasMore; ) {
		const entries = transactions.read(actor, (work) =>
			recountEntries(work, (customerId) => erased.has(customerId))
				.take(correctionsMax)
				.map(({ count, expected }) => ({ sequence: count.entry, amount: expected }))
				.toArray(),
		);
		if (entries.length > 0) await write(actor, "correctBudgets", { entries, counters: [] });
		hasMore = entries.length === correctionsMax;
	}
	for (let hasMore = true; hasMore; ) {
		const counters = transactions.read(actor, (work) => counterCorrections(work).take(correctionsMax).toArray());
		if (counters.length > 0) await write(actor, "correctBudgets", { entries: [], counters });
		hasMore = counters.length === correctionsMax;
	}
}
