import { runImport } from "../areas/subscriptions/import";
import { runTaskWorker } from "./entry";

// The thread that imports subscriptions: one import after the other, in the order in which they were queued.
runTaskWorker("importer", ["IMPORT_SUBSCRIPTIONS"], [], ({ doors }) => ({
	job: (task) => runImport(doors, task),
	close: () => {},
}));
