import { callOfRoute, type EntityLimits, entityKey, type RateHeaders } from "../../http/limits/limits";
import type { Actor } from "../../kernel/work";
import type { CountCall } from "./context";

interface Counted {
	readonly actor: Actor;
	/** The headers of the request's limited call with the fewest remaining. */
	rate: RateHeaders;
}

/**
 * A limited mutation counts in the bucket of its REST route: the limit belongs to the entity (Limits, "Entity-level rate
 * limits"). A response that is replayed under its `Idempotency-Key` counts nothing.
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

/** A refusal has the time of the next attempt, so its headers have priority. */
const isScarcer = (headers: RateHeaders, known: RateHeaders): boolean =>
	isRefusal(headers) || (!isRefusal(known) && remainingIn(headers) < remainingIn(known));

const isRefusal = (headers: RateHeaders): boolean => headers["Retry-After"] !== undefined;

const remainingIn = (headers: RateHeaders): number =>
	Number(headers["RateLimit-Remaining"] ?? Number.POSITIVE_INFINITY);
