import { HttpRefusal } from "../../http/refusal";
import { type Instant, instantOf } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import { expiryTime, formerSecretMs, parseEndpoint, webhooksMax } from "./rules";
import type { DeliveryListQuery, ReplayRange, WebhookCreate, WebhookListQuery, WebhookUpdate } from "./schema";
import {
	countWebhooks,
	deleteOldReplays,
	findEvent,
	findWebhook,
	firstPositionSince,
	insertReplay,
	insertWebhook,
	lastPosition,
	movePosition,
	pageWebhooks,
	removeWebhook,
	saveWebhook,
	selectActive,
	selectWebhooks,
} from "./store";
import { findDelivery, isAnyBefore, pageDeliveries, selectDeliveries } from "./store.deliveries";
import type { WebhookRow } from "./table";
import type { DeliveryRow } from "./table.deliveries";

/**
 * Throws 404 for an unknown webhook. The catalogue of error codes has no code for it, because webhooks are an addition
 * to the interface.
 */
export function getWebhook(work: Work, id: string): WebhookRow {
	const webhook = findWebhook(work, id);
	if (!webhook) throw new HttpRefusal(404, `There is no webhook '${id}' in this environment.`);
	return webhook;
}

export const webhooksByIds = (work: Work, ids: readonly string[]): WebhookRow[] => selectWebhooks(work, ids);

export const listWebhooks = (work: Work, query: WebhookListQuery): Page<WebhookRow> => pageWebhooks(work, query);

/**
 * Creates an endpoint that receives events from then on. Throws BadUserInput for an invalid address, or if the environment has
 * too many webhooks.
 */
export function createWebhook(work: Work, input: WebhookCreate, allowPrivate: boolean): WebhookRow {
	const endpoint = parseEndpoint(input.endpoint, allowPrivate);
	if (countWebhooks(work) >= webhooksMax)
		throw fail("BadUserInput", `This environment already has ${webhooksMax} webhooks; delete one that you do not use.`);
	wakeEmitters(work);
	return insertWebhook(work, {
		endpoint,
		description: input.description ?? null,
		eventTypes: input.eventLogTypes ?? [],
		configuration: input.configuration ?? {},
		status: input.status ?? "ACTIVE",
		sendsSecret: input.sendsSecret ?? false,
		secretVersion: 1,
		formerSecretUntil: null,
		fromPosition: lastPosition(work) + 1,
	});
}

/** Starts the deliverer, and evaluates the events that are written only if an endpoint subscribes to them. */
const wakeEmitters = (work: Work): void => {
	work.wake("deliverer");
	work.wake("alerts");
	work.wake("entitlement-events");
};

/**
 * Changes an endpoint; null clears a field. An INACTIVE endpoint does not receive the events of that time unless they
 * are replayed.
 */
export function updateWebhook(work: Work, id: string, input: WebhookUpdate, allowPrivate: boolean): WebhookRow {
	const webhook = getWebhook(work, id);
	const { endpoint, description, eventLogTypes, configuration, status, sendsSecret } = input;
	wakeEmitters(work);
	const isEnabled = status === "ACTIVE" && webhook.status === "INACTIVE";
	return saveWebhook(work, webhook, {
		...(endpoint !== undefined && { endpoint: parseEndpoint(endpoint, allowPrivate) }),
		...(description !== undefined && { description }),
		...(eventLogTypes !== undefined && { eventTypes: eventLogTypes }),
		...(configuration !== undefined && { configuration: configuration ?? {} }),
		...(status !== undefined && { status }),
		...(sendsSecret !== undefined && { sendsSecret }),
		...(isEnabled && { fromPosition: lastPosition(work) + 1 }),
	});
}

/** Deletes an endpoint. Its deliveries stay readable until they expire. */
export function deleteWebhook(work: Work, id: string): WebhookRow {
	const webhook = getWebhook(work, id);
	removeWebhook(work, webhook);
	return webhook;
}

/** Whether any environment has an active endpoint. */
export const isAnyActive = (work: Work): boolean => selectActive(work).length > 0;

/** Creates a new secret. For a day, by the machine's clock, the former secret signs too. */
export function rotateSecret(work: Work, id: string): WebhookRow {
	const webhook = getWebhook(work, id);
	return saveWebhook(work, webhook, {
		secretVersion: webhook.secretVersion + 1,
		formerSecretUntil: (work.machineNow + formerSecretMs) as Instant,
	});
}

/** Disables an endpoint that keeps failing. Returns undefined if it is deleted or disabled already. */
export function disableFailing(work: Work, id: string, reason: string): WebhookRow | undefined {
	const webhook = findWebhook(work, id);
	if (webhook?.status !== "ACTIVE") return undefined;
	const disabled = saveWebhook(work, webhook, { status: "INACTIVE" });
	const { endpoint, status } = disabled;
	writeEvent(work, "webhook.disabled", id, { id, entityId: id, endpoint, status, reason });
	return disabled;
}

/** Stores the position of each endpoint in main.db. Delivery resumes from there if deliveries.db is lost. */
export function keepPositions(work: Work, positions: ReadonlyArray<readonly [id: string, position: number]>): void {
	for (const [id, position] of positions) movePosition(work, id, position);
}

/** Lists deliveries, newest first. */
export const listDeliveries = (work: Work, webhookId: string, query: DeliveryListQuery): Page<DeliveryRow> => {
	getWebhook(work, webhookId);
	return pageDeliveries(work, webhookId, query);
};

export function getDelivery(work: Work, id: string): DeliveryRow {
	const delivery = findDelivery(work, id);
	if (!delivery) throw new HttpRefusal(404, `There is no delivery '${id}' in this environment.`);
	return delivery;
}

export const deliveriesByIds = (work: Work, ids: readonly string[]): DeliveryRow[] => selectDeliveries(work, ids);

/** Sends an event again, as a new delivery. Throws BadUserInput if the event has expired. */
export function replayDelivery(work: Work, id: string): DeliveryRow {
	const delivery = getDelivery(work, id);
	getWebhook(work, delivery.webhookId);
	if (!findEvent(work, delivery.position)) throw fail("BadUserInput", "The event of this delivery has expired.");
	insertReplay(work, delivery.webhookId, delivery.position, delivery.position);
	return delivery;
}

/**
 * Sends the subscribed events again that were recorded between `since` and `until` (default: now) by the machine's
 * clock. Throws BadUserInput if `until` is before `since`, or the endpoint is INACTIVE.
 */
export function replayRange(work: Work, id: string, { since, until }: ReplayRange) {
	const webhook = getWebhook(work, id);
	const [from, to] = [instantOf(since), until === undefined ? work.machineNow : instantOf(until)];
	if (to < from) throw fail("BadUserInput", "/until: must not be before 'since'.");
	if (webhook.status === "INACTIVE") throw fail("BadUserInput", "This webhook is INACTIVE; enable it first.");
	const first = firstPositionSince(work, from);
	const next = firstPositionSince(work, to + 1);
	const last = next === undefined ? lastPosition(work) : next - 1;
	if (first === undefined || last < first) return { firstSequence: null, lastSequence: null };
	insertReplay(work, id, first, last);
	return { firstSequence: first, lastSequence: last };
}

/** Deletes up to `rowsMax` old replays. Returns the number of deleted rows. */
export const purgeReplays = (work: Work, keepDays: number, rowsMax: number): number =>
	deleteOldReplays(work, expiryTime(work.machineNow, keepDays), rowsMax);

/** Whether deliveries have expired. The deliverer must then start to delete them, even if no endpoint is active. */
export const hasExpiredDeliveries = (work: Work, keepDays: number): boolean =>
	isAnyBefore(work, expiryTime(work.machineNow, keepDays));
