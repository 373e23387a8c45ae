import { runSimulation } from "../areas/simulations/simulate";
import { runImport } from "../areas/subscriptions/import/import";
import { runMigration } from "../areas/subscriptions/versions/migrate";
import { isStopping, runTaskWorker } from "./entry";

// The thread that imports, migrates and simulates subscriptions: one task after the other, in the order in which they came.
// What ends a subscription settles its usage, and a simulation counts it.
runTaskWorker(
	"importer",
	["IMPORT_SUBSCRIPTIONS", "MIGRATE_SUBSCRIPTIONS", "SIMULATE_PLAN"],
	["usage", "events"],
	({ doors }) => ({
		job: (task) => {
			switch (task.type) {
				case "SIMULATE_PLAN":
					return runSimulation(doors, task, isStopping);
				case "MIGRATE_SUBSCRIPTIONS":
					return runMigration(doors, task, isStopping);
				default:
					return runImport(doors, task, isStopping);
			}
		},
		close: () => {},
	}),
);
