import { Elysia } from "elysia";
import type { Log } from "./log";

const sane = /^[\w.:-]{1,128}$/;

const ids = new WeakMap<Request, string>();

/** The caller's `x-request-id` when it is sane, else one of ours (choices.md, HTTP). */
export function requestIdOf(request: Request): string {
	const known = ids.get(request);
	if (known) return known;
	const sent = request.headers.get("x-request-id");
	const id = sent !== null && sane.test(sent) ? sent : crypto.randomUUID();
	ids.set(request, id);
	return id;
}

/** Echoes the request id, and logs each answer: failures of ours as errors, refusals as info, successes as debug. */
export const requests = (log: Log) =>
	new Elysia({ name: "requests" })
		.onRequest(({ request, set }) => {
			set.headers["x-request-id"] = requestIdOf(request);
		})
		.onAfterResponse({ as: "global" }, ({ request, set }) => {
			const status = Number(set.status ?? 200);
			const level = status >= 500 ? "error" : status >= 400 ? "info" : "debug";
			if (!log.isLevelEnabled(level)) return;
			log[level](
				{ requestId: requestIdOf(request), method: request.method, path: new URL(request.url).pathname, status },
				"answered",
			);
		});
