import { asc, eq, getTableColumns } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { amongIds, idsIn, insertRows } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { type SubscriptionRow, subscriptions } from "./table";
import { type SubscriptionDatedChangeRow, subscriptionDatedChanges } from "./table.changes";

/** The join checks the environment of the subscription. */
const changesOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionDatedChanges))
		.from(subscriptionDatedChanges)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionDatedChanges.subscriptionId))
		.where(amongIds(subscriptions.environmentId, subscriptions.id))
		.orderBy(asc(subscriptionDatedChanges.createdAt), asc(subscriptionDatedChanges.id))
		.prepare();

/** Selects the changes with an earlier date, in the order of their calls. */
export const selectDatedChanges = (work: Work, subscriptionIds: readonly string[]): SubscriptionDatedChangeRow[] =>
	work.prepared(changesOf).all(idsIn(work, subscriptionIds));

export const insertDatedChange = (work: Work, { id }: Pick<SubscriptionRow, "id">, effectiveAt: Instant): void =>
	insertRows(work, subscriptionDatedChanges, [
		{ id: work.newId(), subscriptionId: id, effectiveAt, createdAt: work.now },
	]);
