import { and, desc, eq, lte, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import { saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { SubscriptionRow } from "../table";
import { type SubscriptionUnspentMinimumRow, subscriptionUnspentMinimums } from "./table.minimums";

const { placeholder } = sql;

/** Selects the unused minimum spend of the settled period that contains an instant; undefined without one. */
export const selectUnspentMinimum = (
	work: Work,
	{ id }: SubscriptionRow,
	at: Instant,
): SubscriptionUnspentMinimumRow | undefined => {
	const [latest] = work.prepared(latestMinimums).all({ subscriptionId: id, at });
	return latest && latest.chargedUntil > at ? latest : undefined;
};

/**
 * Selects the minimum spend of the period in which usage happened. A change that waited for its payment is charged from
 * an earlier time; until the change the older one applies.
 */
export function selectMinimumOfUsage(
	work: Work,
	{ id }: SubscriptionRow,
	window: Period,
): SubscriptionUnspentMinimumRow | undefined {
	const at = window.end - 1;
	return work
		.prepared(latestMinimums)
		.all({ subscriptionId: id, at })
		.findLast(({ chargedUntil }) => chargedUntil > at);
}

const latestMinimums = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptionUnspentMinimums)
		.where(
			and(
				eq(subscriptionUnspentMinimums.subscriptionId, placeholder("subscriptionId")),
				lte(subscriptionUnspentMinimums.chargedFrom, placeholder("at")),
			),
		)
		.orderBy(desc(subscriptionUnspentMinimums.chargedFrom))
		.limit(2)
		.prepare();

export function upsertUnspentMinimum(work: Work, row: SubscriptionUnspentMinimumRow): void {
	saveRow(work, subscriptionUnspentMinimums, row);
}
