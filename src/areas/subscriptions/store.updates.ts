import { and, asc, eq, getTableColumns, inArray } from "drizzle-orm";
import { amongIds, idsIn, insertRows, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { setNextUpdate } from "./store";
import { type SubscriptionRow, subscriptions } from "./table";
import { type SubscriptionUpdateRow, subscriptionUpdates } from "./table.changes";

/** The join checks the environment of the subscription. */
const pendingOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionUpdates))
		.from(subscriptionUpdates)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionUpdates.subscriptionId))
		.where(
			and(
				amongIds(subscriptions.environmentId, subscriptions.id),
				inArray(subscriptionUpdates.status, ["SCHEDULED", "PENDING_PAYMENT"]),
			),
		)
		.orderBy(asc(subscriptionUpdates.executeAt), asc(subscriptionUpdates.id))
		.prepare();

/** Selects the updates that are scheduled or wait for a payment, in order of time. */
export const selectPendingUpdates = (work: Work, subscriptionIds: readonly string[]): SubscriptionUpdateRow[] =>
	subscriptionIds.length === 0 ? [] : work.prepared(pendingOf).all(idsIn(work, subscriptionIds));

export const selectDueUpdates = (work: Work, subscriptionId: string): SubscriptionUpdateRow[] =>
	selectPendingUpdates(work, [subscriptionId]).filter(({ executeAt }) => executeAt <= work.now);

export type NewUpdate = Pick<SubscriptionUpdateRow, "type" | "status" | "executeAt" | "changes" | "invoiceId"> &
	Partial<Pick<SubscriptionUpdateRow, "invoicedBy">>;

export function insertUpdates(work: Work, row: SubscriptionRow, updates: readonly NewUpdate[]): SubscriptionRow {
	for (const update of updates) {
		const { id, createdAt, updatedAt } = newRow(work);
		insertRows(work, subscriptionUpdates, [
			{ ...update, id, createdAt, updatedAt, error: null, subscriptionId: row.id },
		]);
	}
	return withNextUpdate(work, row);
}

/** Ends pending updates with their outcome. */
export function endUpdates(
	work: Work,
	row: SubscriptionRow,
	updates: readonly SubscriptionUpdateRow[],
	status: "CANCELED" | "DONE" | "FAILED",
	error: string | null = null,
): SubscriptionRow {
	if (updates.length === 0) return row;
	work.tx
		.update(subscriptionUpdates)
		.set({ status, error, updatedAt: work.now })
		.where(
			inArray(
				subscriptionUpdates.id,
				updates.map(({ id }) => id),
			),
		)
		.run();
	return withNextUpdate(work, row);
}

const withNextUpdate = (work: Work, row: SubscriptionRow): SubscriptionRow =>
	setNextUpdate(work, row, selectPendingUpdates(work, [row.id])[0]?.executeAt ?? null);
