import { Elysia } from "elysia";
import type { Meter } from "../kernel/metrics/meter";
import { isStorageTrouble, storageMessage } from "../kernel/storage/failures";
import type { Senders } from "./client-address";
import type { Log } from "./log";
import { HttpRefusal } from "./refusal";
import { onlyHttps, securityHeaders } from "./responses/headers";

const sane = /^[\w.:-]{1,128}$/;

/** W3C Trace Context: version, trace, span and flags. */
const sentTrace = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const ids = new WeakMap<Request, string>();

/** Returns the caller's `x-request-id` if it is valid, otherwise a new one (docs/interface/http.md). */
export function newRequestId(headers: Headers): string {
	const sent = headers.get("x-request-id");
	return sent !== null && sane.test(sent) ? sent : crypto.randomUUID();
}

/** Returns the same id for each call. */
export function requestIdOf(request: Request): string {
	const known = ids.get(request);
	if (known) return known;
	const id = newRequestId(request.headers);
	ids.set(request, id);
	return id;
}

export interface Logging {
	readonly log: Log;
	/** Counts rejections. */
	readonly meter: Meter;
	readonly senders: Senders;
}

const turnedAway = new WeakMap<Request, HttpRefusal>();

/** Rejects a request before routing, with a response like all others. */
export const rejectRequest = (request: Request, refusal: HttpRefusal): void => void turnedAway.set(request, refusal);

/** Returns the log fields about a request. */
export function describeRequest({ senders }: Logging, request: Request) {
	const traceparent = request.headers.get("traceparent");
	const client = senders.known(request)?.address;
	return {
		requestId: requestIdOf(request),
		method: request.method,
		// A request without a valid host has no parsable URL.
		path: URL.parse(request.url)?.pathname ?? "",
		...(client !== undefined && { client }),
		...(traceparent !== null && sentTrace.test(traceparent) && { traceparent }),
	};
}

/** Returns the log message about an internal failure. */
export const failureName = (error: unknown): string =>
	isStorageTrouble(error) ? "storage failed" : error instanceof HttpRefusal ? "unavailable" : "internal error";

interface FailureAnswer {
	readonly status: 500 | 503;
	readonly message: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** Returns the answer to a request that failed internally: 503 if the storage is the cause, so that the caller tries again. */
export function failureAnswer(error: unknown): FailureAnswer {
	const message = storageMessage(error);
	if (message === undefined) return { status: 500, message: "Internal error", headers: {} };
	return { status: 503, message, headers: { "retry-after": "5" } };
}

const failed = new WeakSet<Request>();

/** Logs an internal failure. The line replaces the one about the response. */
export function logFailure(logging: Logging, request: Request, status: number, error: unknown): void {
	failed.add(request);
	logging.log.error({ ...describeRequest(logging, request), status, err: error }, failureName(error));
}

/** Sets the headers of every response and logs it: failures as errors, rejections as info, successes as debug. */
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
			// The lookup is slow; without debug logging only failures need it (errors.ts).
			if (log.isLevelEnabled("debug")) senders.of(request, server);
		})
		.onAfterResponse({ as: "global" }, ({ request, set }) => {
			const status = Number(set.status ?? 200);
			// A 503 of a probe is its regular answer, not a failure.
			const isProbe = request.url.endsWith("/readyz");
			const level =
				isProbe || failed.has(request) ? "debug" : status >= 500 ? "error" : status >= 400 ? "info" : "debug";
			if (log.isLevelEnabled(level)) log[level]({ ...describeRequest(logging, request), status }, "answered");
		});
};
