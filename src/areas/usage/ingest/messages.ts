import type { IngestRequest, IngestResult } from "./schema";

/**
 * To the ingester thread. Flat, with the body as one string: a message of 150 KB of string costs 7 µs, the same events as
 * objects over a millisecond (docs/interface/running.md).
 */
export interface IngesterRequest extends IngestRequest {
	/** Counts up; names the request in the answer. */
	readonly id: number;
}

/** From the ingester thread, once for each group of requests that shared a transaction, after the commit. */
export interface IngesterAnswer {
	readonly accepted: readonly number[];
	readonly others: ReadonlyArray<{ readonly id: number; readonly result: IngestResult }>;
	/** Whether events have come or were taken back, so that the aggregator has something to count. */
	readonly grown: boolean;
}
