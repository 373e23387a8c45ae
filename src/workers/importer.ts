import { runImport } from "../areas/subscriptions/import/import";
import { runSimulation } from "../areas/subscriptions/simulations/simulate";
import { runMigration } from "../areas/subscriptions/versions/migrate";
import type { JobThread } from "../tasks/job";
import type { TaskRow } from "../tasks/table";
import { isStopping, runTaskWorker } from "./entry";
import { takeTurns } from "./turns";

/** Imports, migrates or simulates subscriptions: one task after the other, in the order in which they came. */
function runBulkTask(thread: JobThread, task: TaskRow): Promise<void> {
	switch (task.type) {
		case "SIMULATE_PLAN":
			return runSimulation(thread, task);
		case "MIGRATE_SUBSCRIPTIONS":
			return runMigration(thread, task);
		default:
			return runImport(thread, task);
	}
}

// What ends a subscription settles its usage, and a simulation counts it.
runTaskWorker(
	"importer",
	["IMPORT_SUBSCRIPTIONS", "MIGRATE_SUBSCRIPTIONS", "SIMULATE_PLAN"],
	["usage", "events"],
	({ doors }) => {
		const thread = { doors, turns: takeTurns(), isStopping };
		return { job: (task) => runBulkTask(thread, task), close: () => {} };
	},
);
