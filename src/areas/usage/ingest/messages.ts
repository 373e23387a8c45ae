import type { IngestRequest, IngestResult } from "../schema.ingest";

/**
 * To the ingester thread: the requests of one turn of the event loop that differ only in their bodies. It is flat, with
 * the bodies as strings: a message with 150 KB of string costs 7 µs, and the same events as objects cost over a
 * millisecond (docs/interface/running.md). A message for each request would cost more than writing its event.
 */
export interface IngesterMessage extends Omit<IngestRequest, "text"> {
	/** The id of the first request in the answer; the others count up from it. */
	readonly firstId: number;
	readonly texts: readonly string[];
}

/**
 * From the ingester thread to a sender: once for each group of requests that shared a transaction, after the commit.
 */
export interface IngesterAnswer {
	readonly accepted: readonly number[];
	readonly others: ReadonlyArray<{ readonly id: number; readonly result: IngestResult }>;
}
