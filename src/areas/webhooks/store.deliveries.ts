import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { type Page, readPage } from "../../kernel/page";
import { insertRows, saveRow } from "../../kernel/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { DeliveryListQuery } from "./schema";
import { type DeliveryCursorRow, type DeliveryRow, deliveries, deliveryCursors } from "./table.deliveries";

const inEnvironment = ({ actor }: Work) => eq(deliveries.environmentId, actor.environmentId);

export const findDelivery = (work: Work, id: string): DeliveryRow | undefined =>
	work.tx
		.select()
		.from(deliveries)
		.where(and(inEnvironment(work), eq(deliveries.id, id)))
		.get();

export const selectDeliveries = (work: Work, ids: readonly string[]): DeliveryRow[] =>
	work.tx
		.select()
		.from(deliveries)
		.where(and(inEnvironment(work), inArray(deliveries.id, [...ids])))
		.all();

export const pageDeliveries = (work: Work, webhookId: string, query: DeliveryListQuery): Page<DeliveryRow> =>
	readPage(
		query,
		deliveries.id,
		(cursor) => findDelivery(work, cursor)?.webhookId === webhookId,
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(deliveries)
				.where(
					and(
						inEnvironment(work),
						eq(deliveries.webhookId, webhookId),
						beyondCursor,
						query.status && eq(deliveries.status, query.status),
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);

// What follows is the deliverer's own: it writes the file, for endpoints of every environment.

export const selectCursors = (work: Work): DeliveryCursorRow[] => work.tx.select().from(deliveryCursors).all();

export const saveCursor = (work: Work, cursor: DeliveryCursorRow): void => saveRow(work, deliveryCursors, cursor);

export const insertDeliveries = (work: Work, rows: readonly DeliveryRow[]): void => insertRows(work, deliveries, rows);

export const saveDelivery = (work: Work, row: DeliveryRow): void => saveRow(work, deliveries, row);

const due = (tx: Transaction) =>
	tx
		.select()
		.from(deliveries)
		.where(
			and(
				eq(deliveries.webhookId, sql.placeholder("webhookId")),
				sql`next_attempt_at IS NOT NULL`,
				sql`${deliveries.nextAttemptAt} <= ${sql.placeholder("now")}`,
			),
		)
		.orderBy(deliveries.nextAttemptAt)
		.limit(sql.placeholder("rowsMax"))
		.prepare();

/** Of an endpoint, the first so many that are to be tried again by now. */
export const selectDue = (work: Work, webhookId: string, now: number, rowsMax: number): DeliveryRow[] =>
	work.prepared(due).all({ webhookId, now, rowsMax });

const firstDue = (tx: Transaction) =>
	tx
		.select({ at: sql<number | null>`min(${deliveries.nextAttemptAt})` })
		.from(deliveries)
		.where(and(eq(deliveries.webhookId, sql.placeholder("webhookId")), sql`next_attempt_at IS NOT NULL`))
		.prepare();

/** When the first of an endpoint is tried again; null when none is. */
export const firstDueAt = (work: Work, webhookId: string): number | null =>
	work.prepared(firstDue).get({ webhookId })?.at ?? null;

/** Ids sort by time. Answers how many were forgotten, at most so many. */
export function deleteBefore(work: Work, id: string, rowsMax: number): number {
	const old = work.tx.select({ id: deliveries.id }).from(deliveries).where(lt(deliveries.id, id)).limit(rowsMax).all();
	const last = old.at(-1);
	if (last) work.tx.delete(deliveries).where(sql`${deliveries.id} <= ${last.id}`).run();
	return old.length;
}
