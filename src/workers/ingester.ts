import { CountingLag } from "../areas/usage/counting/counting-lag";
import { IngestQueue } from "../areas/usage/ingest/ingest-queue";
import type { IngesterCall } from "../areas/usage/ingest/messages";
import { EventLog } from "../areas/usage/log/event-log";
import { StorageError } from "../kernel/storage";
import { runWorker, tell, tellUnconfirmed } from "./entry";

/** The thread that writes events.db, and the only one. It is told what to write; nothing waits for it in a table. */
runWorker("ingester", ({ folder }, log) => {
	const onTrouble = (error: unknown): void => {
		// It writes the one and looks customers up in the other.
		log.error({ err: error, files: ["events.db", "main.db"] }, "event log");
		if (error instanceof StorageError) tellUnconfirmed(error.cause);
	};
	const events = new EventLog({ folder, onTrouble });
	const lag = new CountingLag(folder, events.lastEvent);
	const queue = new IngestQueue(
		events,
		(answer) => tell({ kind: "answer", answer }),
		(lastEvent) => lag.isBehind(lastEvent),
	);
	return {
		wake: () => undefined,
		// Nobody sends anything else (ingest-client.ts).
		request: (request) => queue.add(request as IngesterCall),
		stop: () => {
			queue.finish();
			lag.close();
			events.close();
		},
	};
});
