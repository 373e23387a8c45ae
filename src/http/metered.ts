import type { Histogram, Meter } from "../kernel/metrics/meter";
import { pathOf } from "./fast-path/forwarding";
import type { Log } from "./log";
import type { Answering } from "./server";

/** Finds the route of a path, if the API declares it. */
export type FindRoute = (method: string, path: string) => { readonly route: string } | undefined;

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Paths outside the API with a name of their own. */
const ownRoutes: ReadonlySet<string> = new Set(["/graphql", "/healthz", "/readyz"]);

/** Returns the template of a route. Pages, and paths that do not exist, share one name: callers invent paths. */
const routeName = (find: FindRoute, method: string, path: string): string =>
	(find(method, path)?.route ?? (ownRoutes.has(path) ? path : "other")).replace(/:(\w+)/g, "{$1}");

const methodName = (method: string): string => (methods.has(method) ? method : "other");

/** Returns the times of requests to a route. */
export const timesOf = (meter: Meter, find: FindRoute, method: string, path: string, status: number): Histogram =>
	meter.histogram("tollgate_http_request_duration_seconds", {
		method: methodName(method),
		route: routeName(find, method, path),
		status: `${Math.floor(status / 100)}xx`,
	});

export interface Timing {
	readonly find: FindRoute;
	/** Undefined if nothing is measured. */
	readonly meter: Meter | undefined;
	/** Requests that take longer, in milliseconds, are logged; 0 logs none. */
	readonly slowMs: number;
	readonly log: Log;
}

/** A long poll waits for the next event, as its caller asked. */
const longPoll = /[?&]wait=[1-9]/;

/** Measures the time of each request until its response begins, and logs slow ones. A repeated check answered from memory does not come here. */
export const timed = <Data>({ find, meter, slowMs, log }: Timing, answer: Answering<Data>): Answering<Data> => {
	if (!meter && slowMs === 0) return answer;
	return (request, server) => {
		const begunAtMs = performance.now();
		const { method, url } = request;
		const answered = (response: Response | undefined): Response | undefined => {
			// A WebSocket has no response.
			if (!response) return response;
			const { status, headers } = response;
			if (meter) timesOf(meter, find, method, pathOf(url), status).observeSince(begunAtMs);
			const ms = performance.now() - begunAtMs;
			if (slowMs > 0 && ms > slowMs && !longPoll.test(url))
				log.warn(
					{
						...{ method: methodName(method), route: routeName(find, method, pathOf(url)), status },
						...{ ms: Math.round(ms), requestId: headers.get("x-request-id") ?? undefined },
					},
					"a request took long",
				);
			return response;
		};
		const response = answer(request, server);
		return response instanceof Promise ? response.then(answered) : answered(response);
	};
};
