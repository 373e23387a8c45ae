import type { ArchiveOrder, OrderDone } from "../../areas/usage/archive/messages";
import { CountingLag } from "../../areas/usage/ingest/counting-lag";
import { IngestQueue } from "../../areas/usage/ingest/ingest-queue";
import type { IngesterMessage } from "../../areas/usage/ingest/messages";
import { EventLog } from "../../areas/usage/log/event-log";
import { openFile } from "../../kernel/storage/db";
import { StorageError } from "../../kernel/storage/failures";
import { CommitMarks } from "../../kernel/storage/marks";
import { runWorker, tell, tellUnconfirmed } from "../entry";
import { measureIngest } from "../thread-meter";

/** Half of the time for which the aggregator keeps looking by itself (aggregator.ts). */
const wakeAfterMs = 50;

/** The only thread that writes events.db. Its work arrives as messages, not in a table. */
runWorker("ingester", ({ folder, eventsKnownDays, eventsKnownBytesMax }, log, meter) => {
	const onTrouble = (error: unknown): void => {
		// The thread writes events.db and looks customers up in main.db.
		log.error({ err: error, files: ["events.db", "main.db"] }, "event log");
		if (error instanceof StorageError) tellUnconfirmed(error.cause);
	};
	const events = new EventLog({
		...{ folder, onTrouble },
		knownDays: eventsKnownDays,
		memoryBytesMax: eventsKnownBytesMax,
	});
	const main = openFile(folder, "main").$client;
	main.run("PRAGMA query_only = ON");
	const marks = new CommitMarks(folder, "events", main);
	const lag = new CountingLag(folder, events.lastEvent);
	let grownAtMs = Number.NEGATIVE_INFINITY;
	const wakeAggregator = (): void => {
		const isAwake = performance.now() - grownAtMs < wakeAfterMs;
		grownAtMs = performance.now();
		if (!isAwake) tell({ kind: "wake", worker: "aggregator" });
	};
	const queue = new IngestQueue({
		log: events,
		isHeldOff: (lastEvent) => lag.isBehind(lastEvent),
		measure: meter && measureIngest(meter),
		onGrown: () => {
			wakeAggregator();
			marks.write();
		},
	});
	return {
		wake: () => undefined,
		// Other threads send nothing else (ingest-client.ts, archive-job.ts).
		request: (call, answer) => {
			if (Array.isArray(call)) queue.add(call as readonly IngesterMessage[], answer);
			else answer({ isDone: events.archive(call as ArchiveOrder) } satisfies OrderDone);
		},
		stop: () => {
			queue.finish();
			lag.close();
			marks.close();
			main.close();
			events.close();
		},
	};
});
