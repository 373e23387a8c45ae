import type { Cause, Work } from "../kernel/work";
import type { Peers, Senders } from "./client-address";
import { requestIdOf } from "./requests";

const named = new WeakMap<Request, string>();

/** The operation of the interface that a request asks for. */
export const nameOperation = (request: Request, operationId: string): void => void named.set(request, operationId);

/** By what comes about what a request writes, for the audit log. A route that declares no operation is known by its path. */
export const causeOf = (senders: Senders, request: Request, server: Peers | null): Cause => ({
	operation: named.get(request) ?? `${request.method} ${new URL(request.url).pathname}`,
	requestId: requestIdOf(request),
	address: senders.of(request, server).address,
});

/** What a request writes that belongs to no environment, and who does it where that is known: a user. */
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
