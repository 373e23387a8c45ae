import type { IngestRequest, IngestResult } from "../schema.ingest";

/**
 * To the ingester thread: the requests that came in one turn of the event loop and are alike in all but their bodies. Flat,
 * with the bodies as strings: a message of 150 KB of string costs 7 µs, the same events as objects over a millisecond
 * (docs/interface/running.md); and a message for each request would cost more than to write its event.
 */
export interface IngesterMessage extends Omit<IngestRequest, "text"> {
	/** Names the first request in the answer; the others count up from it. */
	readonly firstId: number;
	readonly texts: readonly string[];
}

/** From the ingester thread to who asked, once for each group of requests that shared a transaction, after the commit. */
export interface IngesterAnswer {
	readonly accepted: readonly number[];
	readonly others: ReadonlyArray<{ readonly id: number; readonly result: IngestResult }>;
}
