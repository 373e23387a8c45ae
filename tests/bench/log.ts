import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import { EventLog } from "../../src/areas/usage/log/event-log";
import type { Instant } from "../../src/kernel/clock";
import { digits } from "./catalogue";

const perRequest = 1000;

export interface Filling {
	readonly environmentId: string;
	/** The customers `c-000000` and so on. Each event belongs to a random one. */
	readonly customers: number;
	/** The number of the first event: its key. */
	readonly first: number;
	readonly count: number;
	/** The events lie in the time up to now, the oldest first; all of them now when left out. */
	readonly spanMs?: number;
}

/** Writes events to a folder that no server holds. Answers how many a second, what it takes to make them left out. */
export function fillLog(folder: string, { environmentId, customers, first, count, spanMs = 0 }: Filling): number {
	const log = new EventLog({
		folder,
		onTrouble: (error) => {
			throw error;
		},
	});
	const now = Date.now() as Instant;
	let spentMs = 0;
	for (let from = 0; from < count; from += perRequest) {
		const timestamp = new Date(now - spanMs * (1 - from / count)).toISOString();
		const sent = Array.from({ length: Math.min(perRequest, count - from) }, (_, at) => ({
			eventName: "api.request",
			customerId: `c-${digits(Math.floor(Math.random() * customers))}`,
			idempotencyKey: String(first + from + at),
			timestamp,
			dimensions: { bytes: at, region: "eu-west" },
		}));
		const request = { environmentId, now, unknownCustomers: "refuse", text: JSON.stringify({ events: sent }) } as const;
		const beganAtMs = performance.now();
		const [result] = log.ingest([request]);
		log.tidy(perRequest);
		spentMs += performance.now() - beganAtMs;
		if (result?.kind !== "accepted") throw new Error(`Events were not accepted: ${JSON.stringify(result)}`);
	}
	log.close();
	return count / (spentMs / 1000);
}

/** As its thread does, but without waiting for more to come. */
export function countAll(aggregator: Aggregator): void {
	while (aggregator.lag() > 0) if (!aggregator.count() || aggregator.isWriteDue()) aggregator.show();
}

export function countLog(folder: string): void {
	const aggregator = new Aggregator({ folder });
	countAll(aggregator);
	aggregator.close();
}
