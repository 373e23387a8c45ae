import { operation } from "../../../openapi/operation";

export const eventOperations = {
	list: operation({
		operationId: "events.list",
		summary: "List usage events, with the meters that count them",
		description:
			"Lists events, the newest first: with `customerId` by the hour of their timestamps, otherwise in the order of their arrival. One request searches a bounded part of the log. A page may therefore hold fewer events than `limit`, or none, and still have a next page; the list ends where `pagination.next` is null. There is no previous page, so `prev` is always null. `lookedBackTo` is the timestamp of the event where the search ended. With `customerId` and `idempotencyKey`, Tollgate finds an event at once. Each event states for every feature whose meter matches its name whether it counts, and if not, the reason.",
		query: {
			customerId: ["Events of this customer, also of one that does not exist yet", "customer-acme"],
			resourceId: "Events of this resource",
			eventName: "Events with this name",
			idempotencyKey: "Events with this key",
			from: "Events at this instant or later",
			to: "Events before this instant",
			after: "The `pagination.next` of the previous page",
		},
	}),
	unmatched: operation({
		operationId: "events.listUnmatched",
		summary: "List event names that no meter matches",
		description:
			"Lists the names with the number of their events, the earliest and the latest timestamp, and the newest event. Use it to find misspelt names. The name that was seen first most recently comes first. A new meter that matches a name removes it from the list at once, and counts its past events.",
		query: { after: "The `pagination.next` of the previous page" },
	}),
	byDay: operation({
		operationId: "events.byDay",
		summary: "Show how many events happened on each day",
		description:
			"Counts the events of each of the last 30 days in UTC up to today, of all customers, whether or not a meter counts them.",
	}),
	cancel: operation({
		operationId: "events.cancel",
		summary: "Cancel usage events",
		description:
			"Cancels 1 to 1000 events, all or none. Name each event by the `id` that `GET /events` shows, or by the identity with which it was reported. Totals, checks, histories and the next invoice then exclude these events. A canceled event stays known: canceling it again changes nothing, and reporting it again is a duplicate, which is ignored. Report a corrected event with another idempotency key.",
		example: { events: [{ customerId: "customer-acme", eventName: "api_call", idempotencyKey: "demo-api_call-0-0" }] },
		uncoded: {
			404: "An event is not in the log of this environment; nothing is canceled. The message names it by its place in the request.",
			503: "Events cannot be canceled now; send the request again after the seconds of `Retry-After`.",
		},
	}),
};
