import { Elysia } from "elysia";
import { onlyHttps, securityHeaders } from "./answers/headers";
import type { Senders } from "./callers/client-address";
import type { Log } from "./log";
import { HttpRefusal } from "./refusal";

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

/** The headers of every answer; and a line for each: failures of ours as errors, refusals as info, successes as debug. */
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
			const level = isProbe ? "debug" : status >= 500 ? "error" : status >= 400 ? "info" : "debug";
			if (log.isLevelEnabled(level)) log[level]({ ...describeRequest(logging, request), status }, "answered");
		});
};
