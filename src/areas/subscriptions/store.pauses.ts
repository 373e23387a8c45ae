import { and, asc, eq, getTableColumns, isNull } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { amongIds, idsIn, insertRows } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { type SubscriptionRow, subscriptions } from "./table";
import { type SubscriptionPauseRow, subscriptionPauses } from "./table.changes";

/** The join checks the environment of the subscription. */
const pausesOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionPauses))
		.from(subscriptionPauses)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionPauses.subscriptionId))
		.where(amongIds(subscriptions.environmentId, subscriptions.id))
		.orderBy(asc(subscriptionPauses.startAt), asc(subscriptionPauses.id))
		.prepare();

/** Selects the pauses that took effect, in order of time. */
export const selectPauses = (work: Work, subscriptionIds: readonly string[]): SubscriptionPauseRow[] =>
	work.prepared(pausesOf).all(idsIn(work, subscriptionIds));

export const insertPause = (work: Work, { id }: SubscriptionRow, prorates: boolean): void =>
	insertRows(work, subscriptionPauses, [
		{ id: work.newId(), subscriptionId: id, startAt: work.now, endAt: null, prorates, createdAt: work.now },
	]);

/** Ends the present pause of a subscription that the caller has read. */
export function endPause(work: Work, { id }: SubscriptionRow, endAt: Instant): void {
	work.tx
		.update(subscriptionPauses)
		.set({ endAt })
		.where(and(eq(subscriptionPauses.subscriptionId, id), isNull(subscriptionPauses.endAt)))
		.run();
}
