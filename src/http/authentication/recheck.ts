import { assertAllowed, type Requirement } from "../../areas/access/rules";
import type { Services } from "../../server/context";
import type { Peers } from "../client-address";

/**
 * Returns a check of whether the caller may still read an answer that goes on. It throws what a new call would be answered: the
 * key was revoked, has expired, or has other rights. The request itself is gone by then.
 */
export function recheck(
	{ authenticator, senders }: Pick<Services, "authenticator" | "senders">,
	request: Request,
	server: Peers | null,
	requirement: Requirement,
): () => void {
	const headers = new Headers(request.headers);
	const { address } = senders.of(request, server);
	return () => assertAllowed(authenticator.caller(headers, () => address).actor, requirement);
}
