import { operation } from "../../../openapi/operation";

export const streamOperations = {
	entitlements: operation({
		operationId: "entitlements.stream",
		summary: "Follow what customers may do",
		description:
			"Server-sent events: a `snapshot` for each customer, `ready`, then a `change` whenever an entitlement or its usage changes, with the new values of what changed. A stream tells how things are, not how they came to be so: after a break it begins with snapshots again, and `Last-Event-ID` is not needed. A reader that is too slow is ended with the reason.",
		query: {
			customerId: "Up to 200 customers, comma-separated; left out, all of the environment if they are no more",
			resourceId: "The resource of each of them; left out or empty, what belongs to none",
			once: ["`true` ends the answer after `ready`", "true"],
		},
		answer: { description: "Events, as they come", contentType: "text/event-stream" },
		uncoded: { 503: "Too many streams are open; try again after the seconds of `Retry-After`." },
		refusals: ["RateLimitExceeded"],
	}),
};
