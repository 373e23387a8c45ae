import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import type { SubscriptionStatus } from "../schema";
import { subscriptions } from "../table";

/** What gives access, or is about to. */
export const runningStatuses: SubscriptionStatus[] = ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED"];

/** An end that has come and that nobody has written down yet: few at any time, with an index of their own, by these words. */
export const isOverdue = ({ actor, now }: Work): SQL | undefined =>
	and(
		eq(subscriptions.environmentId, actor.environmentId),
		lte(subscriptions.effectiveEndAt, now),
		sql`${subscriptions.status} in ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE')`,
	);

/** What an end makes of a subscription. */
export const statusAfterEnd = sql<SubscriptionStatus>`case when ${subscriptions.cancelAt} = ${subscriptions.effectiveEndAt}
	then 'CANCELED' else 'EXPIRED' end`;

/** As `statusAt` of the rules: an end that has come counts, written down or not. */
export const statusNow = ({ now }: Work): SQL =>
	sql`case when ${subscriptions.status} in ('CANCELED', 'EXPIRED') or coalesce(${subscriptions.effectiveEndAt} > ${now}, true)
		then ${subscriptions.status} else ${statusAfterEnd} end`;
