import { assertAllowed, type Requirement } from "../../areas/access/rules";
import type { Services } from "../../server/context";
import type { Peers } from "../client-address";

/**
 * Returns a check of whether the caller may still read a response that stays open. It throws the error of a new call if
 * the key was revoked, has expired, or has lost the scope. The original request is no longer available.
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
