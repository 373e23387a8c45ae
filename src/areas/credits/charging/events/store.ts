import { and, asc, eq, gte, lte, min, sql } from "drizzle-orm";
import type { Instant } from "../../../../kernel/clock";
import { insertRows, saveRow } from "../../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../../kernel/work";
import type { EventPricing } from "./rules";
import {
	creditEventCursor,
	creditEventDraws,
	creditEventPricings,
	creditEventsLeft,
	type EventChargeRow,
	type EventRetryRow,
} from "./table";

const { placeholder } = sql;

const cursorId = 1;

const statements = (tx: Transaction) => ({
	cursor: tx.select().from(creditEventCursor).where(eq(creditEventCursor.id, cursorId)).prepare(),
	pricing: tx
		.select({ pricing: creditEventPricings.pricing })
		.from(creditEventPricings)
		.where(eq(creditEventPricings.id, placeholder("id")))
		.prepare(),
	chargesOf: tx
		.select()
		.from(creditEventDraws)
		.where(
			and(
				eq(creditEventDraws.customerId, placeholder("customerId")),
				eq(creditEventDraws.hour, placeholder("hour")),
				gte(creditEventDraws.upTo, placeholder("position")),
			),
		)
		.orderBy(asc(creditEventDraws.upTo))
		.limit(placeholder("rowsMax"))
		.prepare(),
	retry: tx
		.select()
		.from(creditEventsLeft)
		.where(lte(creditEventsLeft.retryAt, placeholder("now")))
		.orderBy(asc(creditEventsLeft.retryAt))
		.limit(1)
		.prepare(),
	nextRetry: tx
		.select({ at: min(creditEventsLeft.retryAt) })
		.from(creditEventsLeft)
		.prepare(),
	deleteRetry: tx
		.delete(creditEventsLeft)
		.where(eq(creditEventsLeft.id, placeholder("id")))
		.prepare(),
});

export type EventCursor = Omit<typeof creditEventCursor.$inferSelect, "id">;

/** Undefined before the first start. */
export function readCursor(work: Work): EventCursor | undefined {
	const row = work.prepared(statements).cursor.get();
	if (!row) return undefined;
	const { id: _, ...cursor } = row;
	return cursor;
}

export const writeCursor = (work: Work, cursor: EventCursor): void =>
	saveRow(work, creditEventCursor, { id: cursorId, ...cursor });

/** Stores a pricing under the hash of its content. */
export const storePricing = (work: Work, id: string, pricing: EventPricing): void =>
	saveRow(work, creditEventPricings, { id, pricing });

export const findPricing = (work: Work, id: string): EventPricing | undefined =>
	work.prepared(statements).pricing.get({ id })?.pricing;

export const insertCharge = (work: Work, row: EventChargeRow): void => insertRows(work, creditEventDraws, [row]);

/** More charges than one step makes of one customer and hour. */
const chargesMax = 1_000;

/** Returns the charges of a customer in an hour whose range of positions contains a position. */
export const chargesAround = (
	work: Work,
	of: { readonly customerId: string; readonly hour: number; readonly position: number },
): EventChargeRow[] =>
	work
		.prepared(statements)
		.chargesOf.all({ ...of, rowsMax: chargesMax })
		.filter(({ after }) => after < of.position);

/** Returns failed events that are due for a retry. */
export const findRetry = (work: Work, now: Instant): EventRetryRow | undefined =>
	work.prepared(statements).retry.get({ now });

export const nextRetryAt = (work: Work): Instant | null => work.prepared(statements).nextRetry.get()?.at ?? null;

export const saveRetry = (work: Work, row: EventRetryRow): void => saveRow(work, creditEventsLeft, row);

export const deleteRetry = (work: Work, id: string): void => {
	work.prepared(statements).deleteRetry.run({ id });
};
