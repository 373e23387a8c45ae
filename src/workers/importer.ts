import { runImport } from "../areas/subscriptions/import";
import { runMigration } from "../areas/subscriptions/migrate";
import { runTaskWorker } from "./entry";

// The thread that imports and migrates subscriptions: one task after the other, in the order in which they were queued.
runTaskWorker("importer", ["IMPORT_SUBSCRIPTIONS", "MIGRATE_SUBSCRIPTIONS"], [], ({ doors }) => ({
	job: (task) => (task.type === "MIGRATE_SUBSCRIPTIONS" ? runMigration(doors, task) : runImport(doors, task)),
	close: () => {},
}));
