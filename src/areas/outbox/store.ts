import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { saveRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { type OutboxEventRow, type OutboxNoticeRow, outboxEvents, outboxNotices } from "./table";

const inserted = (tx: Transaction) =>
	tx
		.insert(outboxEvents)
		.values({
			environmentId: sql.placeholder("environmentId"),
			messageId: sql.placeholder("messageId"),
			traceId: sql.placeholder("traceId"),
			type: sql.placeholder("type"),
			entityId: sql.placeholder("entityId"),
			actorType: sql.placeholder("actorType"),
			customerRef: sql.placeholder("customerRef"),
			payload: sql.placeholder("payload"),
			at: sql.placeholder("at"),
			recordedAt: sql.placeholder("recordedAt"),
		})
		.prepare();

export const insertEvent = (work: Work, event: Omit<OutboxEventRow, "position">): void =>
	void work.prepared(inserted).run(event);

/** A range of a customer's events by position, newest first. */
export interface CustomerEventsRequest {
	readonly before: number | undefined;
	readonly after: number | undefined;
	readonly rowsMax: number;
}

/** Returns newer events than `after`, oldest first. */
export const selectOfCustomer = (
	{ tx, actor }: Work,
	customerRef: string,
	{ before, after, rowsMax }: CustomerEventsRequest,
): OutboxEventRow[] =>
	tx
		.select()
		.from(outboxEvents)
		.where(
			and(
				eq(outboxEvents.environmentId, actor.environmentId),
				eq(outboxEvents.customerRef, customerRef),
				before === undefined ? undefined : lt(outboxEvents.position, before),
				after === undefined ? undefined : gt(outboxEvents.position, after),
			),
		)
		.orderBy(after === undefined ? desc(outboxEvents.position) : asc(outboxEvents.position))
		.limit(rowsMax)
		.all();

/** Returns the customer's events after a position, in order. */
export const selectPayloads = ({ tx, actor }: Work, customerRef: string, after: number, rowsMax: number) =>
	tx
		.select({ position: outboxEvents.position, payload: outboxEvents.payload })
		.from(outboxEvents)
		.where(
			and(
				eq(outboxEvents.environmentId, actor.environmentId),
				eq(outboxEvents.customerRef, customerRef),
				gt(outboxEvents.position, after),
			),
		)
		.orderBy(asc(outboxEvents.position))
		.limit(rowsMax)
		.all();

export const savePayload = ({ tx }: Work, position: number, payload: string): void =>
	void tx.update(outboxEvents).set({ payload }).where(eq(outboxEvents.position, position)).run();

/** Replaces the former time of the notice. */
export const saveNotice = (work: Work, row: OutboxNoticeRow): void => saveRow(work, outboxNotices, row);

const dropped = (tx: Transaction) =>
	tx
		.delete(outboxNotices)
		.where(
			and(eq(outboxNotices.entityId, sql.placeholder("entityId")), eq(outboxNotices.type, sql.placeholder("type"))),
		)
		.prepare();

export const deleteNotice = (work: Work, { entityId, type }: Pick<OutboxNoticeRow, "entityId" | "type">): void =>
	void work.prepared(dropped).run({ entityId, type });

const noticeDue = (tx: Transaction) =>
	tx
		.select()
		.from(outboxNotices)
		.where(
			and(
				eq(outboxNotices.environmentId, sql.placeholder("environmentId")),
				eq(outboxNotices.nextDueAt, sql.placeholder("dueAt")),
			),
		)
		.limit(1)
		.prepare();

export const findNoticeDueAt = (work: Work, dueAt: Instant): OutboxNoticeRow | undefined =>
	work.prepared(noticeDue).get({ environmentId: work.actor.environmentId, dueAt });

const oldest = (tx: Transaction) =>
	tx
		.select({ position: outboxEvents.position, recordedAt: outboxEvents.recordedAt })
		.from(outboxEvents)
		.orderBy(asc(outboxEvents.position))
		.limit(sql.placeholder("rowsMax"))
		.prepare();

/**
 * Deletes those of the `rowsMax` oldest events that were recorded before a machine time. Returns the number of deleted
 * rows.
 */
export function deleteRecordedBefore(work: Work, before: number, rowsMax: number): number {
	const rows = work.prepared(oldest).all({ rowsMax });
	const kept = rows.findIndex(({ recordedAt }) => recordedAt >= before);
	const old = kept === -1 ? rows : rows.slice(0, kept);
	const last = old.at(-1);
	if (last)
		work.tx
			.delete(outboxEvents)
			.where(lt(outboxEvents.position, last.position + 1))
			.run();
	return old.length;
}
