import { Elysia } from "elysia";
import type { Services } from "../server/context";

/** How long a browser keeps what it was allowed. Our choice: ten minutes, so that a change of the origins is soon seen. */
const keptSeconds = 600;

/** What a page may send: the key, the proof of its customer, and what helps to follow a call; to a portal its token, and JSON. */
const requestHeaders =
	"X-API-KEY, X-API-VERSION, X-CUSTOMER-TOKEN, X-Request-Id, traceparent, Authorization, Content-Type";

/** What a page may see beside the body. */
const answerHeaders = "X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset";

/**
 * Pages of other origins may read what a publishable key may read, and do what a portal's token may do, where the environment allows their origin. Every
 * answer to such a page says so, refusals too: a browser hides whatever does not. Keys of servers belong in no page, so
 * with them nothing is ever said. A browser asks ahead without the key; it is answered for the origins of any environment.
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
