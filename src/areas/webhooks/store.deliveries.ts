import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Page, readPage } from "../../kernel/page";
import { insertRows, saveRow } from "../../kernel/storage/rows";
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
						// The unary plus makes SQLite use the endpoint's index, not that of the environment.
						sql`+${deliveries.environmentId} = ${work.actor.environmentId}`,
						eq(deliveries.webhookId, webhookId),
						beyondCursor,
						query.status && eq(deliveries.status, query.status),
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);

const failing = (tx: Transaction) =>
	tx
		.select({ since: deliveryCursors.failingSince })
		.from(deliveryCursors)
		.where(eq(deliveryCursors.webhookId, sql.placeholder("id")))
		.prepare();

/** Returns null if the last delivery succeeded or nothing was sent. */
export const failingSince = (work: Work, { id }: { readonly id: string }): Instant | null =>
	work.prepared(failing).get({ id })?.since ?? null;

// Only the deliverer uses the following functions. They cover all environments.

export const selectCursors = (work: Work): DeliveryCursorRow[] => work.tx.select().from(deliveryCursors).all();

export const saveCursor = (work: Work, cursor: DeliveryCursorRow): void => saveRow(work, deliveryCursors, cursor);

export const insertDeliveries = (work: Work, rows: readonly DeliveryRow[]): void => insertRows(work, deliveries, rows);

export const saveDelivery = (work: Work, row: DeliveryRow): void => saveRow(work, deliveries, row);

/** Returns deliveries of the environment, by id. */
export const selectDeliveriesAfter = (work: Work, after: string, rowsMax: number): DeliveryRow[] =>
	work.tx
		.select()
		.from(deliveries)
		.where(and(inEnvironment(work), gt(deliveries.id, after)))
		.orderBy(deliveries.id)
		.limit(rowsMax)
		.all();

export const saveAttempts = (work: Work, { id, attempts }: Pick<DeliveryRow, "id" | "attempts">): void =>
	void work.tx.update(deliveries).set({ attempts }).where(eq(deliveries.id, id)).run();

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

/** Returns the endpoint's first `rowsMax` deliveries whose retry is due. */
export const selectDue = (work: Work, webhookId: string, now: number, rowsMax: number): DeliveryRow[] =>
	work.prepared(due).all({ webhookId, now, rowsMax });

const firstDue = (tx: Transaction) =>
	tx
		.select({ at: sql<number | null>`min(${deliveries.nextAttemptAt})` })
		.from(deliveries)
		.where(and(eq(deliveries.webhookId, sql.placeholder("webhookId")), sql`next_attempt_at IS NOT NULL`))
		.prepare();

/** Returns the time of the endpoint's earliest retry, or null. */
export const firstDueAt = (work: Work, webhookId: string): number | null =>
	work.prepared(firstDue).get({ webhookId })?.at ?? null;

/** Returns the smallest UUIDv7 of a time; UUIDv7s begin with their time. */
const idAt = (at: Instant): string => {
	const hex = Math.max(0, at).toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

const before = (tx: Transaction) =>
	tx
		.select({ id: deliveries.id })
		.from(deliveries)
		.where(lt(deliveries.id, sql.placeholder("id")))
		.orderBy(deliveries.id)
		.limit(sql.placeholder("rowsMax"))
		.prepare();

const selectBefore = (work: Work, at: Instant, rowsMax: number) => work.prepared(before).all({ id: idAt(at), rowsMax });

export const isAnyBefore = (work: Work, at: Instant): boolean => selectBefore(work, at, 1).length > 0;

/** Deletes up to `rowsMax` deliveries. Returns the number of deleted rows. */
export function deleteBefore(work: Work, at: Instant, rowsMax: number): number {
	const old = selectBefore(work, at, rowsMax);
	const last = old.at(-1);
	if (last) work.tx.delete(deliveries).where(sql`${deliveries.id} <= ${last.id}`).run();
	return old.length;
}
