import type { Log } from "../../http/log";
import { carriedOutInTime, step } from "../../kernel/storage/failures";
import { writesBy } from "../../server/writer-calls";
import { Aggregator } from "./counting/aggregator";
import { EventLog } from "./log/event-log";
import type { BudgetRepairOptions } from "./rebuild/budgets";
import { Rebuilds } from "./rebuild/rebuild";
import type { IngestRequest } from "./schema.ingest";

// Operations for commands that work in their own process, on a folder without a running server.

/** The pause when all tasks wait: a postponed task, or one that ends with its next check. */
const pauseMs = 20;

/** Accepts reports of usage, one after the other; throws if one of them is not accepted. */
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

/** Counts the events that are in the log and not in the totals. FileUnreadable. */
export async function countUsage(folder: string): Promise<void> {
	const aggregator = new Aggregator({ folder });
	try {
		while (await carriedOutInTime(step(() => aggregator.step())));
	} finally {
		aggregator.close();
	}
}

interface RebuildsOffline extends Pick<BudgetRepairOptions, "transactions" | "erasedCustomers"> {
	readonly folder: string;
	readonly log: Log;
}

/** Carries out the rebuild tasks to their end, including those that a server has left. */
export async function carryOutRebuilds({ folder, ...options }: RebuildsOffline): Promise<void> {
	const aggregator = new Aggregator({ folder });
	const rebuilds = new Rebuilds({ ...options, aggregator, write: writesBy(options.transactions) });
	try {
		while (rebuilds.hasTasks) {
			await rebuilds.look();
			const hasMore = await carriedOutInTime(step(() => aggregator.step()));
			if (!hasMore) await Bun.sleep(pauseMs);
		}
	} finally {
		aggregator.close();
	}
}
