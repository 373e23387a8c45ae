import { operation } from "../../../openapi/operation";

export const eventOperations = {
	list: operation({
		operationId: "events.list",
		summary: "List usage events, and what each meter made of them",
		description:
			"The newest first: with `customerId` by the hour in which they happened, else in the order in which they came. A request looks at a bounded part of the log: a page may hold fewer events than asked for, or none, and `pagination.next` goes on all the same until it is null; there is no way back, so `prev` is always null. `lookedBackTo` tells when the event happened at which the look has ended. With `customerId` and `idempotencyKey` an event is found at once. Each event says of every feature whose meter asks for its name whether it counts, and if not, why.",
		query: {
			customerId: ["Of this customer; of one that does not exist, the events that wait for it", "customer-acme"],
			resourceId: "Of this resource of customers",
			eventName: "Of this name",
			idempotencyKey: "Sent with this key",
			from: "That happened at this instant or later",
			to: "That happened before this instant",
			after: "The `pagination.next` of the page before",
		},
	}),
	unmatched: operation({
		operationId: "events.listUnmatched",
		summary: "List the names of events that no meter asks for",
		description:
			"How many events of each came, from when to when they happened, and the newest of them: a misspelt name shows here. The name that was first seen last comes first. A meter that asks for the name takes it off the list at once, and counts its past.",
		query: { after: "The `pagination.next` of the page before" },
	}),
	byDay: operation({
		operationId: "events.byDay",
		summary: "Show how many events happened on each day",
		description: "Of the last 30 days in UTC, today included, whether any meter counts them and whoever they are for.",
	}),
	cancel: operation({
		operationId: "events.cancel",
		summary: "Cancel usage events",
		description:
			"1 to 1000 at once, all or none, each by the `id` that `GET /events` shows or by what it was reported with. Totals, checks, histories and the next invoice follow, as if they had never come. A canceled event stays known: to cancel it again changes nothing, and to report it again is a duplicate, which is ignored; report what is right under another idempotency key.",
		example: { events: [{ customerId: "customer-acme", eventName: "api_call", idempotencyKey: "demo-api_call-0-0" }] },
		uncoded: {
			404: "An event is not in the log of this environment; nothing is canceled. The message names it by its place in the request.",
			503: "Events cannot be canceled now; send the request again after the seconds of `Retry-After`.",
		},
	}),
};
