import type { Cause, Work } from "../kernel/work";
import type { Peers, Senders } from "./client-address";
import { requestIdOf } from "./requests";

const named = new WeakMap<Request, string>();

/** Records the operation id of a request. */
export const nameOperation = (request: Request, operationId: string): void => void named.set(request, operationId);

/** Returns the cause of a request's writes, for the audit log. A route without an operation id is named by its path. */
export const causeOf = (senders: Senders, request: Request, server: Peers | null): Cause => ({
	operation: named.get(request) ?? `${request.method} ${new URL(request.url).pathname}`,
	requestId: requestIdOf(request),
	address: senders.of(request, server).address,
});

/** Runs a write without an environment, with its cause and, if known, the user. */
export const causedBy =
	<T>(
		{ senders }: { readonly senders: Senders },
		request: Request,
		userId: string | undefined,
		body: (work: Work) => T,
	) =>
	(work: Work): T => {
		const actor = userId === undefined ? {} : { actor: { kind: "USER", id: userId } };
		Object.assign(work.cause, causeOf(senders, request, null), actor);
		return body(work);
	};
