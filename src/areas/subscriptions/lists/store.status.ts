import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import type { SubscriptionStatus } from "../schema";
import { subscriptions } from "../table";

/** The statuses of subscriptions that have not ended. */
export const runningStatuses: SubscriptionStatus[] = ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED", "PAUSED"];

/**
 * Ends that have passed and are not written yet. They are few, and a partial index with the same condition finds them.
 */
export const isOverdue = ({ actor, now }: Work): SQL | undefined =>
	and(
		eq(subscriptions.environmentId, actor.environmentId),
		lte(subscriptions.effectiveEndAt, now),
		sql`${subscriptions.status} in ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE', 'PAUSED')`,
	);

/** The status after an end. */
export const statusAfterEnd = sql<SubscriptionStatus>`case when ${subscriptions.cancelAt} = ${subscriptions.effectiveEndAt}
	then 'CANCELED' else 'EXPIRED' end`;

/** The SQL form of `statusAt`: an end that has passed counts, even before it is written. */
export const statusNow = ({ now }: Work): SQL =>
	sql`case when ${subscriptions.status} in ('CANCELED', 'EXPIRED') or coalesce(${subscriptions.effectiveEndAt} > ${now}, true)
		then ${subscriptions.status} else ${statusAfterEnd} end`;
