import { and, asc, eq, gte, lte, min, sql } from "drizzle-orm";
import type { Instant } from "../../../../kernel/clock";
import { insertRows, saveRow } from "../../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../../kernel/work";
import type { EventPricing } from "./rules";
import {
	type CreditEventDrawRow,
	type CreditEventsLeftRow,
	creditEventCursor,
	creditEventDraws,
	creditEventPricings,
	creditEventsLeft,
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
	drawsOf: tx
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
	left: tx
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
	forgetLeft: tx
		.delete(creditEventsLeft)
		.where(eq(creditEventsLeft.id, placeholder("id")))
		.prepare(),
});

export type EventCursor = Omit<typeof creditEventCursor.$inferSelect, "id">;

/** Undefined before the first look. */
export function readCursor(work: Work): EventCursor | undefined {
	const row = work.prepared(statements).cursor.get();
	if (!row) return undefined;
	const { id: _, ...cursor } = row;
	return cursor;
}

export const writeCursor = (work: Work, cursor: EventCursor): void =>
	saveRow(work, creditEventCursor, { id: cursorId, ...cursor });

/** Keeps a pricing under the hash of its content. */
export const keepPricing = (work: Work, id: string, pricing: EventPricing): void =>
	saveRow(work, creditEventPricings, { id, pricing });

export const findPricing = (work: Work, id: string): EventPricing | undefined =>
	work.prepared(statements).pricing.get({ id })?.pricing;

export const insertDraw = (work: Work, row: CreditEventDrawRow): void => insertRows(work, creditEventDraws, [row]);

/** Our choice: more than one look makes of one customer and hour. */
const drawsMax = 1_000;

/** What was taken of a customer, in an hour, by events of which one at a position may be one. */
export const drawsAround = (
	work: Work,
	of: { readonly customerId: string; readonly hour: number; readonly position: number },
): CreditEventDrawRow[] =>
	work
		.prepared(statements)
		.drawsOf.all({ ...of, rowsMax: drawsMax })
		.filter(({ after }) => after < of.position);

/** Events that are to be tried again by now. */
export const findLeft = (work: Work, now: Instant): CreditEventsLeftRow | undefined =>
	work.prepared(statements).left.get({ now });

export const nextRetryAt = (work: Work): Instant | null => work.prepared(statements).nextRetry.get()?.at ?? null;

export const saveLeft = (work: Work, row: CreditEventsLeftRow): void => saveRow(work, creditEventsLeft, row);

export const forgetLeft = (work: Work, id: string): void => {
	work.prepared(statements).forgetLeft.run({ id });
};
