import { Aggregator } from "./counting/aggregator";
import type { IngestRequest } from "./ingest/schema";
import { EventLog } from "./log/event-log";

// What commands do in their own process, on a folder that no server holds.

/** Takes reports of usage in, one after the other; throws when one of them is not accepted. */
export function reportUsage(folder: string, requests: Iterable<IngestRequest>): void {
	const log = new EventLog({
		folder,
		onTrouble: (error) => {
			throw error;
		},
	});
	try {
		for (const request of requests) {
			const [result] = log.ingest([request]);
			if (result?.kind !== "accepted") throw new Error(`Events were not accepted: ${JSON.stringify(result)}`);
		}
	} finally {
		log.close();
	}
}

/** Counts what is in the log and not in the totals yet. */
export function countUsage(folder: string): void {
	const aggregator = new Aggregator({ folder });
	aggregator.run();
	aggregator.close();
}
