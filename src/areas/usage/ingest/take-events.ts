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
		const result = await events.send({ environmentId, now, unknownCustomers: policyOf(actor), text, format });
		return acceptedOf(result).rejected;
	};
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
			return new Error(`The log has answered '${result.kind}' to what it was not asked.`);
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
