import type { Origin } from "../kernel/work";
import type { Peers, Senders } from "./callers/client-address";
import { requestIdOf } from "./requests";

const named = new WeakMap<Request, string>();

/** The operation of the interface that a request asks for. */
export const nameOperation = (request: Request, operationId: string): void => void named.set(request, operationId);

/** By what comes about what a request writes, for the audit log. A route that declares no operation is known by its path. */
export const originOf = (senders: Senders, request: Request, server: Peers | null): Origin => ({
	operation: named.get(request) ?? `${request.method} ${new URL(request.url).pathname}`,
	requestId: requestIdOf(request),
	address: senders.of(request, server).address,
});
