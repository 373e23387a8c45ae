import { operation } from "../../../openapi/operation";

export const streamOperations = {
	entitlements: operation({
		operationId: "entitlements.stream",
		summary: "Stream changes of entitlements",
		description:
			"Server-sent events: a `snapshot` for each customer, then `ready`, then a `change` with the new values whenever an entitlement or its usage changes. A stream sends states, not a history: after a reconnect it starts with snapshots again, so `Last-Event-ID` is not needed. If a client reads too slowly, the stream ends with a reason.",
		query: {
			customerId: "Up to 200 customers, comma-separated; default: all customers of an environment with at most 200",
			resourceId: "The resource of each customer; omitted or empty: no resource",
			once: ["`true` ends the stream after `ready`", "true"],
		},
		answer: { description: "A stream of events", contentType: "text/event-stream" },
		uncoded: { 503: "Too many streams are open; retry after the seconds in `Retry-After`." },
		refusals: ["RateLimitExceeded"],
	}),
};
