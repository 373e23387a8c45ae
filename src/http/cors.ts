import { Elysia } from "elysia";
import type { Services } from "../server/context";

/** How long a browser caches a preflight response. Ten minutes, so that a change of the origins takes effect soon. */
const keptSeconds = 600;

/**
 * The headers that a page may send: the key, the proof of its customer, tracing headers, the portal's token, and the
 * content type.
 */
const requestHeaders =
	"X-API-KEY, X-API-VERSION, X-CUSTOMER-TOKEN, X-Request-Id, traceparent, Authorization, Content-Type";

/** The response headers that a page may read. */
const answerHeaders = "X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset";

/**
 * Pages of allowed origins may read what a publishable key may read, and do what a portal token may do. Each response
 * to them has CORS headers, errors included, because a browser hides other responses. Responses to server keys never
 * have them, because such keys do not belong in pages. A preflight request has no key, so it succeeds for the origins
 * of all environments.
 */
export const cors = ({ authenticator }: Services, isForPages: (method: string, path: string) => boolean) =>
	new Elysia({ name: "cors" }).onRequest(({ request: { headers, method, url }, set }) => {
		const origin = headers.get("origin");
		if (origin === null) return;
		set.headers.vary = "Origin";
		const asked = method === "OPTIONS" ? headers.get("access-control-request-method") : null;
		if (asked === null) {
			if (authenticator.allowsOrigin(origin, headers)) Object.assign(set.headers, allow(origin));
			return;
		}
		if (!authenticator.knowsOrigin(origin) || !isForPages(asked, new URL(url).pathname)) return;
		const answer = {
			...allow(origin),
			"access-control-allow-methods": asked,
			"access-control-allow-headers": requestHeaders,
			"access-control-max-age": String(keptSeconds),
		};
		return new Response(null, { status: 204, headers: answer });
	});

const allow = (origin: string): Record<string, string> => ({
	"access-control-allow-origin": origin,
	"access-control-expose-headers": answerHeaders,
});
