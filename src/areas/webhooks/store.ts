import { and, count, eq, exists, gt, inArray, isNotNull, max, ne, not, or, sql } from "drizzle-orm";
import { type Page, readTablePage } from "../../kernel/page";
import { packId, unpackedIn } from "../../kernel/storage/packed-id";
import { changeRow, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { environments } from "../access/table";
import { type OutboxEventRow, outboxEvents } from "../outbox/table";
import type { WebhookListQuery } from "./schema";
import { type WebhookReplayRow, type WebhookRow, webhookReplays, webhooks } from "./table";
import { deliveryCursors } from "./table.deliveries";

const inEnvironment = ({ actor }: Work) => eq(webhooks.environmentId, actor.environmentId);

export const findWebhook = (work: Work, id: string): WebhookRow | undefined =>
	work.tx
		.select()
		.from(webhooks)
		.where(and(inEnvironment(work), eq(webhooks.id, id)))
		.get();

export const selectWebhooks = (work: Work, ids: readonly string[]): WebhookRow[] =>
	work.tx
		.select()
		.from(webhooks)
		.where(and(inEnvironment(work), inArray(webhooks.id, [...ids])))
		.all();

export const countWebhooks = (work: Work): number =>
	work.tx.select({ rows: count() }).from(webhooks).where(inEnvironment(work)).get()?.rows ?? 0;

export const pageWebhooks = (work: Work, query: WebhookListQuery): Page<WebhookRow> =>
	readTablePage(work, query, webhooks, inEnvironment(work), [
		query.status && eq(webhooks.status, query.status),
		query.failing === "true" ? and(eq(webhooks.status, "ACTIVE"), isFailing(work)) : undefined,
		query.failing === "false" ? or(ne(webhooks.status, "ACTIVE"), not(isFailing(work))) : undefined,
	]);

const isFailing = ({ tx }: Work) =>
	exists(
		tx
			.select({ one: sql`1` })
			.from(deliveryCursors)
			.where(and(eq(deliveryCursors.webhookId, webhooks.id), isNotNull(deliveryCursors.failingSince))),
	);

type NewWebhook = Omit<WebhookRow, keyof ReturnType<typeof newRow>>;

export const insertWebhook = (work: Work, webhook: NewWebhook): WebhookRow =>
	insertRow(work, webhooks, { ...newRow(work), ...webhook });

export const saveWebhook = (work: Work, { id }: WebhookRow, changes: Partial<NewWebhook>): WebhookRow =>
	changeRow(work, webhooks, id, { ...changes, updatedAt: work.now });

export const removeWebhook = (work: Work, { id }: WebhookRow): void => {
	work.tx
		.delete(webhooks)
		.where(and(inEnvironment(work), eq(webhooks.id, id)))
		.run();
};

/** Returns the active endpoints of all environments. */
export const selectActive = (work: Work): WebhookRow[] => work.prepared(active).all();
const active = (tx: Transaction) => tx.select().from(webhooks).where(eq(webhooks.status, "ACTIVE")).prepare();

const activeOfOne = (tx: Transaction) =>
	tx
		.select({ eventTypes: webhooks.eventTypes, configuration: webhooks.configuration })
		.from(webhooks)
		.where(and(eq(webhooks.environmentId, sql.placeholder("environmentId")), eq(webhooks.status, "ACTIVE")))
		.prepare();

/** Returns the active endpoints of the environment. Each usage report calls it. */
export const activeHere = ({ actor, remembered }: Work) =>
	remembered(activeOfOne).all({ environmentId: actor.environmentId });

/** An event with the account of its environment. */
export interface OutgoingEvent extends OutboxEventRow {
	readonly accountId: string;
}

const event = {
	position: outboxEvents.position,
	environmentId: outboxEvents.environmentId,
	messageId: outboxEvents.messageId,
	traceId: outboxEvents.traceId,
	type: outboxEvents.type,
	entityId: outboxEvents.entityId,
	actorType: outboxEvents.actorType,
	customerRef: outboxEvents.customerRef,
	payload: outboxEvents.payload,
	at: outboxEvents.at,
	recordedAt: outboxEvents.recordedAt,
	accountId: sql<string>`coalesce(${environments.accountId}, '')`,
};

const lastPositionOf = (tx: Transaction) =>
	tx
		.select({ position: max(outboxEvents.position) })
		.from(outboxEvents)
		.prepare();

/** Returns the last position of the outbox, or 0 if it is empty. */
export const lastPosition = (work: Work): number => work.prepared(lastPositionOf).get()?.position ?? 0;

const after = (tx: Transaction) =>
	tx
		.select(event)
		.from(outboxEvents)
		.leftJoin(environments, eq(environments.id, unpackedIn(outboxEvents.environmentId)))
		.where(
			and(
				eq(outboxEvents.environmentId, sql.placeholder("environmentId")),
				gt(outboxEvents.position, sql.placeholder("after")),
			),
		)
		.orderBy(outboxEvents.position)
		.limit(sql.placeholder("rowsMax"))
		.prepare();

/** Returns events of an environment, in order. */
export const selectEventsAfter = (
	work: Work,
	environmentId: string,
	position: number,
	rowsMax: number,
): OutgoingEvent[] => work.prepared(after).all({ environmentId: packId(environmentId), after: position, rowsMax });

const atPosition = (tx: Transaction) =>
	tx
		.select(event)
		.from(outboxEvents)
		.leftJoin(environments, eq(environments.id, unpackedIn(outboxEvents.environmentId)))
		.where(eq(outboxEvents.position, sql.placeholder("position")))
		.prepare();

/** Returns undefined for an expired event. */
export const findEvent = (work: Work, position: number): OutgoingEvent | undefined =>
	work.prepared(atPosition).get({ position });

/** Returns the positions that contain events of the customer. */
export const positionsOfCustomer = (
	work: Work,
	customerRef: string,
	positions: readonly number[],
): ReadonlySet<number> => {
	const rows = work.tx
		.select({ position: outboxEvents.position })
		.from(outboxEvents)
		.where(
			and(
				inArray(outboxEvents.position, [...positions]),
				eq(outboxEvents.environmentId, work.actor.environmentId),
				eq(outboxEvents.customerRef, customerRef),
			),
		)
		.all();
	return new Set(rows.map(({ position }) => position));
};

const recordedFrom = (tx: Transaction) =>
	tx
		.select({ position: outboxEvents.position, recordedAt: outboxEvents.recordedAt })
		.from(outboxEvents)
		.where(sql`${outboxEvents.position} >= ${sql.placeholder("position")}`)
		.orderBy(outboxEvents.position)
		.limit(1)
		.prepare();

/**
 * Returns the first position that was recorded at or after a machine time, or undefined. Positions follow the time, so
 * a binary search needs no index.
 */
export function firstPositionSince(work: Work, since: number): number | undefined {
	const rowAt = (position: number) => work.prepared(recordedFrom).get({ position });
	let [low, high] = [1, lastPosition(work) + 1];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		const row = rowAt(middle);
		if (!row || row.recordedAt >= since) high = middle;
		else low = row.position + 1;
	}
	return rowAt(low)?.position;
}

export const insertReplay = (work: Work, webhookId: string, firstPosition: number, last: number): void => {
	work.tx
		.insert(webhookReplays)
		.values({ webhookId, firstPosition, lastPosition: last, createdAt: work.machineNow })
		.run();
};

const moved = (tx: Transaction) =>
	tx
		.update(webhooks)
		.set({ fromPosition: sql`max(${webhooks.fromPosition}, ${sql.placeholder("position")})` })
		.where(eq(webhooks.id, sql.placeholder("id")))
		.prepare();

/**
 * Moves the position forward, never back, because the endpoint may have been enabled again in the meantime. This does
 * not count as a change of the webhook.
 */
export const movePosition = (work: Work, id: string, position: number): void =>
	void work.prepared(moved).run({ id, position });

const nextReplay = (tx: Transaction) =>
	tx
		.select()
		.from(webhookReplays)
		.where(
			and(
				eq(webhookReplays.webhookId, sql.placeholder("webhookId")),
				sql`${webhookReplays.sequence} >= ${sql.placeholder("sequence")}`,
			),
		)
		.orderBy(webhookReplays.sequence)
		.limit(1)
		.prepare();

/** Returns the endpoint's first replay with at least this sequence number. */
export const findReplayFrom = (work: Work, webhookId: string, sequence: number): WebhookReplayRow | undefined =>
	work.prepared(nextReplay).get({ webhookId, sequence });

const oldestReplays = (tx: Transaction) =>
	tx
		.select({ sequence: webhookReplays.sequence })
		.from(webhookReplays)
		.where(sql`${webhookReplays.createdAt} < ${sql.placeholder("before")}`)
		.limit(sql.placeholder("rowsMax"))
		.prepare();

/** Deletes up to `rowsMax` old replays. Returns the number of deleted rows. */
export function deleteOldReplays(work: Work, before: number, rowsMax: number): number {
	const old = work.prepared(oldestReplays).all({ before, rowsMax });
	for (const { sequence } of old) work.tx.delete(webhookReplays).where(eq(webhookReplays.sequence, sequence)).run();
	return old.length;
}
