import { operation } from "../../openapi/operation";

const path = { id: "The webhook's id" } as const;
const uncoded = { 404: "There is no such webhook." } as const;
const ofDelivery = { path: { id: "The delivery's id" }, uncoded: { 404: "There is no such delivery." } } as const;

export const webhookOperations = {
	eventTypes: operation({
		operationId: "webhooks.listEventTypes",
		summary: "List the types of events",
		description: "Each with the JSON Schema of what is sent, and an example.",
	}),
	list: operation({
		operationId: "webhooks.list",
		summary: "List webhooks",
		query: {
			status: "Only those in this state",
			failing: "`true`: only active ones whose last delivery has failed; `false`: only others",
		},
	}),
	create: operation({
		operationId: "webhooks.create",
		summary: "Create a webhook",
		description:
			"An address that is told what happens from now on. `eventLogTypes` names what it is told of; left out or empty, everything. The answer shows its `secretKey`, by which receivers verify signatures: this once.",
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
		description: "`status` INACTIVE sends nothing more. What happens until it is ACTIVE again can be replayed.",
		path,
		example: { status: "INACTIVE" },
		uncoded,
	}),
	delete: operation({ operationId: "webhooks.delete", summary: "Delete a webhook", path, uncoded }),
	rotate: operation({
		operationId: "webhooks.rotateSecret",
		summary: "Give a webhook a new secret",
		description: "The answer shows it, this once. For a day deliveries are signed by both.",
		path,
		uncoded,
	}),
	test: operation({
		operationId: "webhooks.test",
		summary: "Send a test",
		description: "Sends an event of type `webhook.test` at once, and answers what the receiver said.",
		path,
		uncoded,
	}),
	deliveries: operation({
		operationId: "webhooks.listDeliveries",
		summary: "List what was sent to a webhook",
		description:
			"With each attempt: when, what was answered, and the first kilobyte of it. Kept for 30 days, unless the server is told otherwise.",
		path,
		query: { status: "Only deliveries in this state" },
		uncoded,
	}),
	delivery: operation({ operationId: "webhooks.retrieveDelivery", summary: "Show a delivery", ...ofDelivery }),
	replay: operation({
		operationId: "webhooks.replayDelivery",
		summary: "Send one event once more",
		description: "As a delivery of its own, with the same `messageId`.",
		...ofDelivery,
	}),
	replayRange: operation({
		operationId: "webhooks.replay",
		summary: "Send the events of some time once more",
		description:
			"What was recorded from `since` until `until`, by the machine's clock, as far as the webhook asks for it.",
		path,
		example: { since: "2026-11-22T00:00:00Z", until: "2026-11-23T00:00:00Z" },
		uncoded,
	}),
};

export const feedOperations = {
	read: operation({
		operationId: "eventsOut.list",
		summary: "Read what has happened",
		description:
			"The events that webhooks are sent, for those who have no address that could be called: in their order, from a position on. `next` is the `after` of the next call. Kept for 30 days, unless the server is told otherwise.",
		query: {
			after: "The `sequence` of the last event that was read; left out, from the beginning of what is kept",
			from: "`end`: what comes from now on, instead of `after`; `next` says where that is",
			limit: "At most so many",
			wait: "How many seconds to wait where there is nothing new; a call that waits counts as a stream",
		},
		uncoded: { 503: "Too many streams are open; try again after the seconds of `Retry-After`." },
		refusals: ["RateLimitExceeded"],
	}),
	stream: operation({
		operationId: "eventsOut.stream",
		summary: "Follow what happens",
		description:
			"Server-sent events: `id` is the event's `sequence`, `event` its type, `data` what a webhook is sent. `Last-Event-ID` goes on after it.",
		query: {
			after: "The `sequence` of the last event that was read; left out, from the beginning of what is kept",
			once: ["`true` ends the answer after what is there", "true"],
		},
		answer: { description: "Events, as they come", contentType: "text/event-stream" },
		uncoded: { 503: "Too many streams are open; try again after the seconds of `Retry-After`." },
		refusals: ["RateLimitExceeded"],
	}),
};
