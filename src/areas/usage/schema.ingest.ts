import type { Instant } from "../../kernel/clock";
import type { ErrorCode } from "../../kernel/error-codes";
import type { Rejected } from "./formats/rejected";
import type { EventFormat } from "./formats/schema";

/** The policy for events of a customer that does not exist (environment setting; docs/interface/usage.md). */
export type UnknownCustomers = "refuse" | "accept";

/** One `POST /events` of an authenticated caller. Its body is still text: the ingester parses it. */
export interface IngestRequest {
	readonly environmentId: string;
	/** The environment's time: the default timestamp of events, and the limit for future ones. */
	readonly now: Instant;
	readonly unknownCustomers: UnknownCustomers;
	readonly text: string;
	/**
	 * The format of the text; a report as JSON if omitted. A cancellation (log/cancellation.ts) cancels events; a
	 * look-up only returns their positions.
	 */
	readonly format?: EventFormat | "cancellation" | "look-up";
}

export type IngestResult =
	/** Every event of the request is on disk, or was there before, except for rejected points of metrics. */
	| { readonly kind: "accepted"; readonly rejected?: Rejected }
	/** Every event is canceled: this many by this request, the others before. */
	| { readonly kind: "canceled"; readonly canceled: number; readonly alreadyCanceled: number }
	/**
	 * The positions in the log of those events that exist; null if the log may hold events that are no longer known by
	 * key.
	 */
	| { readonly kind: "found"; readonly positions: readonly number[] | null }
	/** Some of the events to cancel do not exist: 404. Nothing was canceled. */
	| { readonly kind: "missing"; readonly message: string }
	/** Nothing of the request was written. */
	| { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string }
	/** One event exceeds the size limit: 413. Nothing of the request was written. */
	| { readonly kind: "too-large"; readonly message: string }
	/**
	 * Not accepted, or not known to be accepted: the queue or the disk is full, or the writer died. 503 with
	 * Retry-After. The call can be repeated, since each event counts once.
	 */
	| { readonly kind: "unavailable"; readonly message: string; readonly retryAfterSeconds: number };

/**
 * Sends requests to the event log: to a thread in production (ingest-client.ts), without one in tests
 * (tests/support/local-ingest.ts).
 */
export interface EventIngest {
	/** Resolves after the commit is on disk. Never rejects. */
	send(request: IngestRequest): Promise<IngestResult>;
}

/** Rejected callers retry after a second, far longer than a commit or a restart of the thread. */
export const retryAfterSeconds = 1;
