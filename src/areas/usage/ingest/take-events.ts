import { HttpRefusal } from "../../../http/refusal";
import { fail, unreachable } from "../../../kernel/errors";
import type { Actor } from "../../../kernel/work";
import type { Services } from "../../../services";
import type { Rejected } from "../formats/rejected";
import type { EventFormat } from "../formats/schema";
import { EventIntake } from "./operations";
import type { IngestResult } from "./schema";

/**
 * Hands what a caller has sent to the event log, and resolves once it is on disk: with what was rejected of it, where its
 * format is taken in part. Throws the refusal of the whole.
 */
export type TakeEvents = (actor: Actor, text: string, format: EventFormat) => Promise<Rejected | undefined>;

export function takeEvents(services: Services): TakeEvents {
	const intake = new EventIntake(services);
	return async (actor, text, format) => acceptedOf(await intake.take(actor, text, format)).rejected;
}

/** Throws the refusal of anything else. */
function acceptedOf(result: IngestResult) {
	if (result.kind === "accepted") return result;
	throw refusalOf(result);
}

/** How a caller is told that what it sent was not done. */
export function refusalOf(result: IngestResult): Error {
	switch (result.kind) {
		case "refused":
			return fail(result.code, result.message);
		case "missing":
			return new HttpRefusal(404, result.message);
		case "too-large":
			return new HttpRefusal(413, result.message);
		case "unavailable":
			return new HttpRefusal(503, result.message, { "Retry-After": String(result.retryAfterSeconds) });
		case "accepted":
		case "canceled":
		case "found":
			return new Error(`The log has answered '${result.kind}' to what it was not asked.`);
		default:
			return unreachable(result);
	}
}
