import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { queryInteger } from "../../kernel/query";
import { literals, nullable, Timestamp } from "../../kernel/schema";
import { type EventType, eventTypeNames } from "../outbox/event-types";

export const WebhookStatus = literals("ACTIVE", "INACTIVE");
export type WebhookStatus = Static<typeof WebhookStatus>;

export const DeliveryStatus = literals("PENDING", "DELIVERED", "FAILED");
export type DeliveryStatus = Static<typeof DeliveryStatus>;

const EventTypeName = literals<readonly EventType[]>(...eventTypeNames);

/** Limits of an endpoint's address. */
const Endpoint = Type.String({ minLength: 1, maxLength: 2048 });
const WebhookDescription = Type.String({ maxLength: 1024 });
const EventTypes = Type.Array(EventTypeName, { maxItems: eventTypeNames.length, uniqueItems: true });

/** Usage percentages of which the endpoint is notified; without them, of each threshold. */
export const WebhookConfiguration = Type.Object(
	{
		"entitlement.usage_exceeded": Type.Optional(
			Type.Object(
				{ thresholds: Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), { minItems: 1, maxItems: 20 }) },
				{ additionalProperties: false },
			),
		),
	},
	{ additionalProperties: false },
);
export type WebhookConfiguration = Static<typeof WebhookConfiguration>;

/** The id of a webhook or of a delivery. */
export const WebhookPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

export const WebhookCreate = Type.Object(
	{
		endpoint: Endpoint,
		description: Type.Optional(nullable(WebhookDescription)),
		eventLogTypes: Type.Optional(EventTypes),
		configuration: Type.Optional(nullable(WebhookConfiguration)),
		status: Type.Optional(WebhookStatus),
		sendsSecret: Type.Optional(Type.Boolean()),
	},
	{ additionalProperties: false },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookUpdate = Type.Partial(WebhookCreate, { additionalProperties: false });
export type WebhookUpdate = Static<typeof WebhookUpdate>;

export const WebhookListQuery = Type.Object(
	{
		...pageQuery,
		status: Type.Optional(WebhookStatus),
		/** `true` selects active webhooks whose last delivery failed; `false` selects the others. */
		failing: Type.Optional(literals("true", "false")),
	},
	{ additionalProperties: false },
);
export type WebhookListQuery = Static<typeof WebhookListQuery>;

export const Webhook = Type.Object(
	{
		id: Type.String(),
		endpoint: Type.String(),
		description: nullable(Type.String()),
		eventLogTypes: Type.Array(Type.String()),
		configuration: WebhookConfiguration,
		/** Present only when the webhook is created or its secret is rotated; otherwise null. */
		secretKey: nullable(Type.String()),
		formerSecretUntil: nullable(Type.String()),
		sendsSecret: Type.Boolean(),
		status: WebhookStatus,
		/**
		 * The time, by the machine's clock, since which no delivery has succeeded; null if the last one succeeded, or there
		 * was none.
		 */
		failingSince: nullable(Type.String()),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "Webhook" },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookTestResult = Type.Object({
	/** The HTTP status of the response; null without a response. */
	status: nullable(Type.Integer()),
	durationMs: Type.Number(),
	body: nullable(Type.String()),
	error: nullable(Type.String()),
});

const DeliveryAttempt = Type.Object({
	at: Type.String(),
	durationMs: Type.Number(),
	status: nullable(Type.Integer()),
	body: nullable(Type.String()),
	error: nullable(Type.String()),
});

export const Delivery = Type.Object(
	{
		id: Type.String(),
		webhookId: Type.String(),
		messageId: Type.String(),
		type: Type.String(),
		sequence: Type.Integer(),
		status: DeliveryStatus,
		attempts: Type.Array(DeliveryAttempt),
		nextAttemptAt: nullable(Type.String()),
		createdAt: Type.String(),
	},
	{ $id: "WebhookDelivery" },
);
export type Delivery = Static<typeof Delivery>;

export const DeliveryListQuery = Type.Object(
	{ ...pageQuery, status: Type.Optional(DeliveryStatus) },
	{ additionalProperties: false },
);
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;

export const ReplayRange = Type.Object(
	{ since: Timestamp, until: Type.Optional(Timestamp) },
	{ additionalProperties: false },
);
export type ReplayRange = Static<typeof ReplayRange>;

export const Replay = Type.Object({
	/** The range of positions of the outbox. Only subscribed events in it are sent. */
	firstSequence: nullable(Type.Integer()),
	lastSequence: nullable(Type.Integer()),
});

export const EventTypeView = Type.Object({
	type: Type.String(),
	description: Type.String(),
	schema: Type.Record(Type.String(), Type.Unknown()),
	example: Type.Record(Type.String(), Type.Unknown()),
});

/** The maximum number of events in a page. */
export const feedRowsMax = 1000;
export const feedRowsDefault = 100;
/** Seconds. The wait is shorter than the timeout of common proxies. */
export const feedWaitMax = 25;

export const FeedQuery = Type.Object(
	{
		after: Type.Optional(queryInteger(0, 999_999_999_999_999)),
		from: Type.Optional(literals("end")),
		limit: Type.Optional(queryInteger(1, feedRowsMax)),
		wait: Type.Optional(queryInteger(0, feedWaitMax)),
	},
	{ additionalProperties: false },
);
export const FeedStreamQuery = Type.Object(
	{ after: FeedQuery.properties.after, once: Type.Optional(literals("true", "false")) },
	{ additionalProperties: false },
);

/** The fields that each event begins with. The fields of the entity follow at the same level (docs/webhooks.md). */
export const envelope = {
	type: Type.String(),
	messageId: Type.String(),
	traceId: Type.String(),
	accountId: Type.String(),
	environmentId: Type.String(),
	timestamp: Type.String(),
	sequence: Type.Integer(),
	actor: Type.Object({ type: Type.String() }),
};
const FeedEvent = Type.Object(envelope, { $id: "EventOut" });
export const Feed = Type.Object({
	data: Type.Array(FeedEvent),
	/** The value of `after` for the next call. */
	next: Type.Integer(),
});
