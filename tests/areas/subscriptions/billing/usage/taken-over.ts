import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../../src/tasks/operations";
import type { Till } from "../../billing";

export async function takeOver(ours: Till, ...items: readonly object[]): Promise<void> {
	await ours.insist("POST", "/subscriptions/import", { subscriptions: items });
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (task) await runImport(ours.thread, task);
}
