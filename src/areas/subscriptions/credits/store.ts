import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { amongIds, idsIn, insertRow, writeColumns } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { subscriptions } from "../table";
import { type SubscriptionCreditRow, subscriptionCredits } from "./table";

export const selectCredits = (work: Work, subscriptionId: string): SubscriptionCreditRow[] =>
	work.prepared(creditsOf).all(idsIn(work, [subscriptionId]));

const creditsOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionCredits))
		.from(subscriptionCredits)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionCredits.subscriptionId))
		.where(amongIds(subscriptions.environmentId, subscriptions.id))
		.orderBy(asc(subscriptionCredits.id))
		.prepare();

export const selectCreditsByIds = (work: Work, ids: readonly string[]): SubscriptionCreditRow[] =>
	ids.length === 0 ? [] : work.prepared(creditsByIds).all(idsIn(work, ids));

const creditsByIds = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionCredits))
		.from(subscriptionCredits)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionCredits.subscriptionId))
		.where(amongIds(subscriptions.environmentId, subscriptionCredits.id))
		.prepare();

// `subscriptionId` is that of a row that the caller has read or inserted.

export const insertCredits = (work: Work, credits: Omit<SubscriptionCreditRow, "id">): SubscriptionCreditRow =>
	insertRow(work, subscriptionCredits, { ...credits, id: work.newId() });

export const saveCredits = (
	work: Work,
	{ id }: Pick<SubscriptionCreditRow, "id">,
	changes: Pick<SubscriptionCreditRow, "periodStart" | "granted">,
): void => writeColumns(work, subscriptionCredits, id, changes);

/** Assigns the granted credits of a subscription to the one that replaces it. */
export const reassignCredits = (work: Work, from: string, to: string): void => {
	work.prepared(handedOver).run({ from, to });
};

const handedOver = (tx: Transaction) =>
	tx
		.update(subscriptionCredits)
		.set({ subscriptionId: sql`${sql.placeholder("to")}` })
		.where(eq(subscriptionCredits.subscriptionId, sql.placeholder("from")))
		.prepare();
