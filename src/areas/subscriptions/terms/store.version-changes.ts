import { asc, eq, getTableColumns } from "drizzle-orm";
import { amongIds, idsIn, insertRows } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { subscriptions } from "../table";
import { type SubscriptionVersionChangeRow, subscriptionVersionChanges } from "../table.changes";

export const insertVersionChange = (
	work: Work,
	change: Omit<SubscriptionVersionChangeRow, "id" | "changedAt">,
): void => {
	insertRows(work, subscriptionVersionChanges, [{ ...change, id: work.newId(), changedAt: work.now }]);
};

/** Oldest first. The join checks the environment of the subscription. */
export const selectVersionChanges = (work: Work, subscriptionId: string): SubscriptionVersionChangeRow[] =>
	work.prepared(versionChangesOf).all(idsIn(work, [subscriptionId]));

const versionChangesOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionVersionChanges))
		.from(subscriptionVersionChanges)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionVersionChanges.subscriptionId))
		.where(amongIds(subscriptions.environmentId, subscriptions.id))
		.orderBy(asc(subscriptionVersionChanges.id))
		.prepare();
