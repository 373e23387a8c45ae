import { operation } from "../../openapi/operation";

const path = { id: "The webhook's id" } as const;
const uncoded = { 404: "There is no such webhook." } as const;
const ofDelivery = { path: { id: "The delivery's id" }, uncoded: { 404: "There is no such delivery." } } as const;

export const webhookOperations = {
	eventTypes: operation({
		operationId: "webhooks.listEventTypes",
		summary: "List the types of events",
		description: "Each type has the JSON Schema of its payload, and an example.",
	}),
	list: operation({
		operationId: "webhooks.list",
		summary: "List webhooks",
		query: {
			status: "Only those in this state",
			failing: "`true`: active webhooks whose last delivery failed; `false`: all others",
		},
	}),
	create: operation({
		operationId: "webhooks.create",
		summary: "Create a webhook",
		description:
			"Creates an endpoint that receives events from then on. `eventLogTypes` names its event types; without it, the endpoint receives all. Only this response shows the `secretKey`, with which receivers verify signatures.",
		example: {
			endpoint: "https://example.com/hook",
			description: "Orders",
			eventLogTypes: ["subscription.created", "subscription.canceled"],
		},
	}),
	retrieve: operation({ operationId: "webhooks.retrieve", summary: "Show a webhook", path, uncoded }),
	update: operation({
		operationId: "webhooks.update",
		summary: "Change, enable or disable a webhook",
		description: "A webhook with `status` INACTIVE receives no events. You can replay the events of that time later.",
		path,
		example: { status: "INACTIVE" },
		uncoded,
	}),
	delete: operation({ operationId: "webhooks.delete", summary: "Delete a webhook", path, uncoded }),
	rotate: operation({
		operationId: "webhooks.rotateSecret",
		summary: "Rotate a webhook's secret",
		description: "Only this response shows the new secret. For a day, both secrets sign deliveries.",
		path,
		uncoded,
	}),
	test: operation({
		operationId: "webhooks.test",
		summary: "Send a test event",
		description: "Sends an event of type `webhook.test` immediately and returns the receiver's response.",
		path,
		uncoded,
	}),
	deliveries: operation({
		operationId: "webhooks.listDeliveries",
		summary: "List a webhook's deliveries",
		description:
			"Each delivery lists its attempts: their time, the response, and its first kilobyte. Stored for 30 days by default.",
		path,
		query: { status: "Only deliveries in this state" },
		uncoded,
	}),
	delivery: operation({ operationId: "webhooks.retrieveDelivery", summary: "Show a delivery", ...ofDelivery }),
	replay: operation({
		operationId: "webhooks.replayDelivery",
		summary: "Replay an event",
		description: "The replay is a new delivery with the same `messageId`.",
		...ofDelivery,
	}),
	replayRange: operation({
		operationId: "webhooks.replay",
		summary: "Replay the events of a period",
		description: "Sends the webhook's events that were recorded from `since` until `until`, by the machine's clock.",
		path,
		example: { since: "2026-11-22T00:00:00Z", until: "2026-11-23T00:00:00Z" },
		uncoded,
	}),
};

export const feedOperations = {
	read: operation({
		operationId: "eventsOut.list",
		summary: "Read the event feed",
		description:
			"The same events that webhooks receive, in order, for clients without a reachable endpoint. `next` is the `after` of the next call. Stored for 30 days by default.",
		query: {
			after:
				"The `sequence` of the last event that you have read; without it, the feed starts with the oldest stored event",
			from: "`end`, in place of `after`: starts at the current end of the feed; `next` is its position",
			limit: "The maximum number of events",
			wait: "The number of seconds to wait for an event if there is none; a waiting call counts as a stream",
		},
		uncoded: { 503: "Too many streams are open; try again after the seconds in `Retry-After`." },
		refusals: ["RateLimitExceeded"],
	}),
	stream: operation({
		operationId: "eventsOut.stream",
		summary: "Stream events",
		description:
			"Server-sent events: `id` is the event's `sequence`, `event` its type, and `data` the text that a webhook receives. `Last-Event-ID` continues after that event.",
		query: {
			after:
				"The `sequence` of the last event that you have read; without it, the stream starts with the oldest stored event",
			once: ["`true` ends the response after the stored events", "true"],
		},
		answer: { description: "Events as they occur", contentType: "text/event-stream" },
		uncoded: { 503: "Too many streams are open; try again after the seconds in `Retry-After`." },
		refusals: ["RateLimitExceeded"],
	}),
};
