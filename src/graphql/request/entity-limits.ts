import { callOfRoute, type EntityLimits, entityKey, type RateHeaders } from "../../http/limits/limits";
import type { Actor } from "../../kernel/work";
import type { CountCall } from "./context";

interface Counted {
	readonly actor: Actor;
	/** Of the limited calls of this request so far, the headers of the one with the fewest left. */
	rate: RateHeaders;
}

/**
 * A limited mutation counts in the bucket of the REST route that it stands for: the limit is the entity's, whichever way
 * is taken (Limits, "Entity-level rate limits"). An answer that is replayed under its `Idempotency-Key` does nothing, and
 * counts nothing.
 */
export const countCallsOf =
	(limits: EntityLimits, counted: Counted): CountCall =>
	(limited, params, body) => {
		const { method, route, entity } = callOfRoute(limited);
		const key = entityKey(entity, params, body);
		if (key === undefined) return;
		limits.count(counted.actor, route, method, key, (headers) => {
			if (isScarcer(headers, counted.rate)) counted.rate = headers;
		});
	};

/** A refusal tells when to try again, so it comes before a call that took the last place. */
const isScarcer = (headers: RateHeaders, known: RateHeaders): boolean =>
	isRefusal(headers) || (!isRefusal(known) && remainingIn(headers) < remainingIn(known));

const isRefusal = (headers: RateHeaders): boolean => headers["Retry-After"] !== undefined;

const remainingIn = (headers: RateHeaders): number =>
	Number(headers["RateLimit-Remaining"] ?? Number.POSITIVE_INFINITY);
