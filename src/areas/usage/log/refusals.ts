import type { UsageEvent } from "../schema";
import { type IngestRequest, type IngestResult, retryAfterSeconds } from "../schema.ingest";
import type { LogCustomer } from "./event-customers";

export const notKept = "The events could not be written; nothing of this request was kept. Send it again.";
export const undecided =
	"Whether these events are duplicates cannot be decided now: they may lie in a file of the archive that cannot be read; the operator finds its name in the log. Nothing of this request was kept; send it again.";
export const unconfirmed =
	"Whether the events were kept is not known: the disk did not confirm them. Send this request again, they count once.";

export const unavailable = (message: string): IngestResult => ({ kind: "unavailable", message, retryAfterSeconds });

export const allUnavailable = (requests: readonly IngestRequest[], message: string): IngestResult[] =>
	requests.map(() => unavailable(message));

/** The response is 404 and names the first ten indexes. Source: docs/interface/usage.md#events. */
export function refuseUnknown(
	events: readonly UsageEvent[],
	customers: ReadonlyArray<LogCustomer | undefined>,
): IngestResult {
	const unknown = [...events.entries()].filter(([index]) => customers[index] === undefined);
	const named = unknown.slice(0, 10).map(([index, { customerId }]) => `events[${index}] '${customerId}'`);
	const rest = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : "";
	return {
		kind: "refused",
		code: "CustomerNotFound",
		message: `These customers do not exist in this environment: ${named.join(", ")}${rest}. Create them first.`,
	};
}
