import type { Log } from "../../http/log";
import { carriedOutInTime, step } from "../../kernel/storage/failures";
import type { Transactions } from "../../kernel/work";
import { writesBy } from "../../server/writer-calls";
import { Aggregator } from "./counting/aggregator";
import { EventLog } from "./log/event-log";
import { Rebuilds } from "./rebuild/rebuild";
import type { IngestRequest } from "./schema.ingest";

// What commands do in their own process, on a folder that no server holds.

/** Our choice: what is left then waits for its time: a task that was put off, or that ends with its next look. */
const lookAgainMs = 20;

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

/** Counts what is in the log and not in the totals yet. FileUnreadable. */
export async function countUsage(folder: string): Promise<void> {
	const aggregator = new Aggregator({ folder });
	try {
		while (await carriedOutInTime(step(() => aggregator.step())));
	} finally {
		aggregator.close();
	}
}

/** Carries out the tasks that count usage anew, to their end, also those that a server has left. */
export async function carryOutRebuilds(folder: string, transactions: Transactions, log: Log): Promise<void> {
	const aggregator = new Aggregator({ folder });
	const rebuilds = new Rebuilds({ aggregator, transactions, write: writesBy(transactions), log });
	try {
		while (rebuilds.hasTasks) {
			await rebuilds.look();
			const hasMore = await carriedOutInTime(step(() => aggregator.step()));
			if (!hasMore) await Bun.sleep(lookAgainMs);
		}
	} finally {
		aggregator.close();
	}
}
