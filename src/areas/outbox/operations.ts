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
 * Writes down, in the transaction of a change, what those outside are told of it: what is undone is told to nobody. `entityId`
 * is the row id of what it is about. Written whether or not anybody listens: the feed may be read later.
 */
export function writeEvent<Type extends EventType>(
	work: Work,
	type: Type,
	entityId: string,
	payload: EventPayload<Type>,
	/** For what is done by an actor of no environment, such as the queue of tasks. */
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

/** What has happened to a customer (the caller's id) as far as it is kept: the newest first, or what is newer than `after`, oldest first. */
export const readCustomerEvents = (work: Work, customerRef: string, request: CustomerEventsRequest): OutboxEventRow[] =>
	selectOfCustomer(work, customerRef, request);

/**
 * Takes what is personal out of a piece of a customer's events, and puts `token` in the place of its name. Answers how many it
 * changed, and after which position it goes on; undefined at the end. Repeating it changes nothing.
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
 * Has something be told once its time comes (scheduler/notices.ts); another time takes the place of the one before, null takes it
 * back. `entityId` is the row id of what it is about.
 */
export function tellLater(work: Work, type: NoticeType, entityId: string, at: Instant | null): void {
	if (at === null) deleteNotice(work, { type, entityId });
	else saveNotice(work, { type, entityId, environmentId: work.actor.environmentId, nextDueAt: at });
}

export const noticeDueAt = (work: Work, dueAt: Instant): OutboxNoticeRow | undefined => findNoticeDueAt(work, dueAt);

export const endNotice = (work: Work, notice: OutboxNoticeRow): void => deleteNotice(work, notice);

/** Forgets what is older, at most so many; answers how many there were. */
export const purgeEvents = (work: Work, keepDays: number, rowsMax: number): number =>
	deleteRecordedBefore(work, work.machineNow - keepDays * 24 * 60 * 60 * 1000, rowsMax);
