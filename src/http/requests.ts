import { Elysia } from "elysia";
import { isStorageTrouble } from "../kernel/storage/failures";
import type { Senders } from "./client-address";
import type { Log } from "./log";
import { HttpRefusal } from "./refusal";
import { onlyHttps, securityHeaders } from "./responses/headers";

const sane = /^[\w.:-]{1,128}$/;

/** W3C Trace Context: the version, the trace, the caller's span, the flags. */
const sentTrace = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const ids = new WeakMap<Request, string>();

/** The caller's `x-request-id` when it is sane, else one of ours (docs/interface/http.md). */
export function newRequestId(headers: Headers): string {
	const sent = headers.get("x-request-id");
	return sent !== null && sane.test(sent) ? sent : crypto.randomUUID();
}

/** The same each time that it is asked for. */
export function requestIdOf(request: Request): string {
	const known = ids.get(request);
	if (known) return known;
	const id = newRequestId(request.headers);
	ids.set(request, id);
	return id;
}

export interface Logging {
	readonly log: Log;
	readonly senders: Senders;
}

const turnedAway = new WeakMap<Request, HttpRefusal>();

/** Refuses a request before it comes to a route: it is answered as all others are. */
export const turnAway = (request: Request, refusal: HttpRefusal): void => void turnedAway.set(request, refusal);

/** What a line of the log says of the request that it is about. */
export function describeRequest({ senders }: Logging, request: Request) {
	const traceparent = request.headers.get("traceparent");
	const client = senders.known(request)?.address;
	return {
		requestId: requestIdOf(request),
		method: request.method,
		// A request whose host is none has no path that could be told from it.
		path: URL.parse(request.url)?.pathname ?? "",
		...(client !== undefined && { client }),
		...(traceparent !== null && sentTrace.test(traceparent) && { traceparent }),
	};
}

/** The message of the line about a failure of ours. */
export const failureName = (error: unknown): string =>
	isStorageTrouble(error) ? "storage failed" : error instanceof HttpRefusal ? "unavailable" : "internal error";

const failed = new WeakSet<Request>();

/** Writes the one line about a request that failed because of us: it stands for the line about its answer too. */
export function logFailure(logging: Logging, request: Request, status: number, error: unknown): void {
	failed.add(request);
	logging.log.error({ ...describeRequest(logging, request), status, err: error }, failureName(error));
}

/**
 * Sets the headers of every answer, and logs each answer without a line of its own: failures as errors, refusals as info,
 * successes as debug.
 */
export const requests = (logging: Logging) => {
	const { log, senders } = logging;
	return new Elysia({ name: "requests" })
		.onRequest(({ request, set, server }) => {
			set.headers["x-request-id"] = requestIdOf(request);
			Object.assign(set.headers, securityHeaders);
			const refusal = turnedAway.get(request);
			if (refusal) throw refusal;
			if (!URL.canParse(request.url)) throw new HttpRefusal(400, "The 'Host' header is not a host.");
			if (request.headers.has("x-forwarded-proto") && senders.of(request, server).isSecure)
				Object.assign(set.headers, onlyHttps);
			// Looking it up takes its time: where successes are not logged, only failures do (errors.ts).
			if (log.isLevelEnabled("debug")) senders.of(request, server);
		})
		.onAfterResponse({ as: "global" }, ({ request, set }) => {
			const status = Number(set.status ?? 200);
			// A probe is told that something is missing: that is its answer, and no failure of ours.
			const isProbe = request.url.endsWith("/readyz");
			const level =
				isProbe || failed.has(request) ? "debug" : status >= 500 ? "error" : status >= 400 ? "info" : "debug";
			if (log.isLevelEnabled(level)) log[level]({ ...describeRequest(logging, request), status }, "answered");
		});
};
