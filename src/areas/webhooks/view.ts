import { type Static, Type } from "@sinclair/typebox";
import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { type EventType, eventTypeNames, eventTypes } from "../outbox/event-types";
import { examples } from "./rules.examples";
import { webhookSecret } from "./rules.secrets";
import { type Delivery, type EventTypeView, envelope, type Webhook } from "./schema";
import type { OutgoingEvent } from "./store";
import { failingSince } from "./store.deliveries";
import type { WebhookRow } from "./table";
import type { DeliveryRow } from "./table.deliveries";

export const viewWebhook = (work: Work, row: WebhookRow, secretKey: string | null = null): Webhook => ({
	id: row.id,
	endpoint: row.endpoint,
	description: row.description,
	eventLogTypes: row.eventTypes,
	configuration: row.configuration,
	secretKey,
	formerSecretUntil: toIsoOrNull(row.formerSecretUntil),
	sendsSecret: row.sendsSecret,
	status: row.status,
	failingSince: toIsoOrNull(failingSince(work, row)),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

/** Returns the webhook with its secret, for the response to a creation or rotation. Stored responses omit the secret. */
export function viewWithSecret(work: Work, row: WebhookRow, folderSecret: string): Webhook {
	const secret = webhookSecret(folderSecret, row);
	work.secrets.push(secret);
	return viewWebhook(work, row, secret);
}

export const viewDelivery = (row: DeliveryRow): Delivery => ({
	id: row.id,
	webhookId: row.webhookId,
	messageId: row.messageId,
	type: row.type,
	sequence: row.position,
	status: row.status,
	attempts: row.attempts.map(({ at, ...attempt }) => ({ at: toIso(at), ...attempt })),
	nextAttemptAt: toIsoOrNull(row.nextAttemptAt),
	createdAt: toIso(row.createdAt),
});

/** Returns an event as text: the common fields, then the entity's fields, at one level. The signature covers this text. */
export function eventText(event: OutgoingEvent): string {
	const head = JSON.stringify({
		type: event.type,
		messageId: event.messageId,
		traceId: event.traceId,
		accountId: event.accountId,
		environmentId: event.environmentId,
		timestamp: toIso(event.at),
		sequence: event.position,
		actor: { type: event.actorType },
	});
	// Both texts are JSON objects, and the payload is never empty.
	return `${head.slice(0, -1)},${event.payload.slice(1)}`;
}

const viewType = (type: EventType): Static<typeof EventTypeView> => {
	const { payload, description } = eventTypes[type];
	const properties = { ...envelope, ...payload.properties };
	return {
		type,
		description,
		// A round trip through JSON removes the symbols of the library.
		schema: JSON.parse(JSON.stringify({ type: "object", properties, required: Type.Object(properties).required })),
		example: { ...examples.envelope, type, ...examples.of(type) },
	};
};

/** Computed once, because it is the same for all callers. */
export const viewEventTypes = (() => {
	let made: ReturnType<typeof viewType>[] | undefined;
	return () => {
		made ??= eventTypeNames.map(viewType);
		return made;
	};
})();
