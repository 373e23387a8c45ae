import type { Histogram, Meter } from "../kernel/metrics/meter";
import { pathOf } from "./fast-path/forwarding";
import type { Answering } from "./server";

/** Finds the route of a path, if the API declares it. */
export type FindRoute = (method: string, path: string) => { readonly route: string } | undefined;

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Paths outside the API with a series of their own. */
const ownRoutes: ReadonlySet<string> = new Set(["/graphql", "/healthz", "/readyz"]);

/** Returns the times of requests to a route. Pages, and paths that do not exist, share one series: callers invent paths. */
export function timesOf(meter: Meter, find: FindRoute, method: string, path: string, status: number): Histogram {
	const route = find(method, path)?.route ?? (ownRoutes.has(path) ? path : "other");
	return meter.histogram("tollgate_http_request_duration_seconds", {
		method: methods.has(method) ? method : "other",
		route: route.replace(/:(\w+)/g, "{$1}"),
		status: `${Math.floor(status / 100)}xx`,
	});
}

/** Measures the time of each request until its response begins. */
export const metered =
	<Data>(meter: Meter, find: FindRoute, answer: Answering<Data>): Answering<Data> =>
	(request, server) => {
		const begunAtMs = performance.now();
		const answered = (response: Response | undefined): Response | undefined => {
			// A WebSocket has no response.
			if (response) timesOf(meter, find, request.method, pathOf(request.url), response.status).observeSince(begunAtMs);
			return response;
		};
		const response = answer(request, server);
		return response instanceof Promise ? response.then(answered) : answered(response);
	};
