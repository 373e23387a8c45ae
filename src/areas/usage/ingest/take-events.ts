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
	return async (actor, text, format) => outcomeOf(await intake.take(actor, text, format));
}

export function outcomeOf(result: IngestResult): Rejected | undefined {
	switch (result.kind) {
		case "accepted":
			return result.rejected;
		case "refused":
			throw fail(result.code, result.message);
		case "too-large":
			throw new HttpRefusal(413, result.message);
		case "unavailable":
			throw new HttpRefusal(503, result.message, { "Retry-After": String(result.retryAfterSeconds) });
		default:
			return unreachable(result);
	}
}
