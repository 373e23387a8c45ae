import type { Instant } from "../../kernel/clock";
import type { ErrorCode } from "../../kernel/error-codes";
import type { Rejected } from "./formats/rejected";
import type { EventFormat } from "./formats/schema";

/** What happens to events of a customer that does not exist (environment setting; docs/interface/usage.md). */
export type UnknownCustomers = "refuse" | "accept";

/** One `POST /events` of an authenticated caller, its body still as text: the ingester parses it. */
export interface IngestRequest {
	readonly environmentId: string;
	/** The environment's time: stamps events that carry none, and bounds those that lie ahead. */
	readonly now: Instant;
	readonly unknownCustomers: UnknownCustomers;
	readonly text: string;
	/**
	 * What the text is; a report, as JSON, when left out. A cancellation (log/cancellation.ts) takes back what is there; a look-up
	 * only tells where it is.
	 */
	readonly format?: EventFormat | "cancellation" | "look-up";
}

export type IngestResult =
	/** Every event of the request is on disk, or was there before; but for points of metrics that were rejected by themselves. */
	| { readonly kind: "accepted"; readonly rejected?: Rejected }
	/** Every event is taken back: so many by this request, the others were before. */
	| { readonly kind: "canceled"; readonly canceled: number; readonly alreadyCanceled: number }
	/** Where those events are in the log that are there; null where the log may hold events that are no longer known by key. */
	| { readonly kind: "found"; readonly positions: readonly number[] | null }
	/** Some of the events that are to be taken back are not there: 404. Nothing was. */
	| { readonly kind: "missing"; readonly message: string }
	/** Nothing of the request was kept. */
	| { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string }
	/** One event is larger than an event may be: 413. Nothing of the request was kept. */
	| { readonly kind: "too-large"; readonly message: string }
	/**
	 * Not accepted, or not known to be: the queue is full, the disk is, or the writer died. 503 with Retry-After; the same
	 * call can be sent again, since events that did arrive count once.
	 */
	| { readonly kind: "unavailable"; readonly message: string; readonly retryAfterSeconds: number };

/** The way to the event log for the HTTP side: a thread in service (ingest-client.ts), none in tests (tests/support/local-ingest.ts). */
export interface EventIngest {
	/** Resolves after the commit is on disk. Never rejects. */
	send(request: IngestRequest): Promise<IngestResult>;
}

/** Our choice: a caller who is told to come again waits a second, far longer than a commit or a restart of the thread. */
export const retryAfterSeconds = 1;
