import { HttpRefusal } from "../../../http/refusal";
import { fail, unreachable } from "../../../kernel/errors";
import type { Actor, Transactions } from "../../../kernel/work";
import type { Services } from "../../../services";
import { findEnvironment } from "../../access/operations";
import type { Rejected } from "../formats/rejected";
import type { EventFormat } from "../formats/schema";
import type { IngestResult, UnknownCustomers } from "./schema";

/**
 * Hands what a caller has sent to the event log, and resolves once it is on disk: with what was rejected of it, where its
 * format is taken in part. Throws the refusal of the whole.
 */
export type TakeEvents = (actor: Actor, text: string, format: EventFormat) => Promise<Rejected | undefined>;

export function takeEvents({ transactions, events }: Services): TakeEvents {
	const policyOf = rememberPolicies(transactions);
	return async (actor, text, format) => {
		const { environmentId } = actor;
		const now = transactions.now(environmentId);
		return outcomeOf(await events.send({ environmentId, now, unknownCustomers: policyOf(actor), text, format }));
	};
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

/** The environment's setting, read again only when the main file has changed. */
function rememberPolicies({ epoch, read }: Transactions): (actor: Actor) => UnknownCustomers {
	const known = new Map<string, UnknownCustomers>();
	let knownAt: number | undefined;
	return (actor) => {
		const { environmentId } = actor;
		const at = epoch();
		if (at !== knownAt) known.clear();
		knownAt = at;
		const policy =
			known.get(environmentId) ??
			read(actor, (work) => findEnvironment(work, environmentId)?.unknownCustomers ?? "refuse");
		known.set(environmentId, policy);
		return policy;
	};
}
