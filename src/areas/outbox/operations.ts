import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { actorTypeOf, customerOf, type EventPayload, type EventType, type NoticeType } from "./event-types";
import { erasedPayload } from "./rules.erasing";
import {
	type CustomerEventsRequest,
	deleteNotice,
	deleteRecordedBefore,
	findNoticeDueAt,
	insertEvent,
	saveNotice,
	savePayload,
	selectOfCustomer,
	selectPayloads,
} from "./store";
import type { OutboxEventRow, OutboxNoticeRow } from "./table";

/**
 * Writes an event in the transaction of the change, so a rollback removes it. `entityId` is the row id of the entity.
 * Tollgate writes events even without endpoints, because clients may read the feed later.
 */
export function writeEvent<Type extends EventType>(
	work: Work,
	type: Type,
	entityId: string,
	payload: EventPayload<Type>,
	/** Set by actors without an environment, such as the task queue. */
	environmentId = work.actor.environmentId,
): void {
	insertEvent(work, {
		environmentId,
		messageId: work.newId(),
		traceId: work.traceId(),
		type,
		entityId,
		actorType: actorTypeOf(work.actor),
		customerRef: customerOf(type, payload),
		payload: JSON.stringify(payload),
		at: work.now,
		recordedAt: work.machineNow,
	});
}

/** Returns the stored events of a customer (by the caller's id): newest first, or those after `after`, oldest first. */
export const readCustomerEvents = (work: Work, customerRef: string, request: CustomerEventsRequest): OutboxEventRow[] =>
	selectOfCustomer(work, customerRef, request);

/**
 * Removes personal data from one batch of a customer's events and replaces the customer's name with `token`. Returns
 * the number of changed events, and the position to continue after; undefined at the end. Idempotent.
 */
export function eraseCustomerEvents(
	work: Work,
	{ customerRef, token }: { readonly customerRef: string; readonly token: string },
	after: number,
	rowsMax: number,
): { readonly changed: number; readonly next: number | undefined } {
	const rows = selectPayloads(work, customerRef, after, rowsMax);
	let changed = 0;
	for (const { position, payload } of rows) {
		const erased = erasedPayload(payload, token);
		if (erased === payload) continue;
		savePayload(work, position, erased);
		changed += 1;
	}
	return { changed, next: rows.length === rowsMax ? rows.at(-1)?.position : undefined };
}

/**
 * Schedules a notice for a time (scheduler/notices.ts). A new time replaces the former one; null cancels the notice.
 * `entityId` is the row id of the entity.
 */
export function scheduleNotice(work: Work, type: NoticeType, entityId: string, at: Instant | null): void {
	if (at === null) deleteNotice(work, { type, entityId });
	else saveNotice(work, { type, entityId, environmentId: work.actor.environmentId, nextDueAt: at });
}

export const noticeDueAt = (work: Work, dueAt: Instant): OutboxNoticeRow | undefined => findNoticeDueAt(work, dueAt);

export const endNotice = (work: Work, notice: OutboxNoticeRow): void => deleteNotice(work, notice);

/** Deletes up to `rowsMax` expired events. Returns the number of deleted rows. */
export const purgeEvents = (work: Work, keepDays: number, rowsMax: number): number =>
	deleteRecordedBefore(work, work.machineNow - keepDays * 24 * 60 * 60 * 1000, rowsMax);
