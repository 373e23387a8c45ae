import { and, count, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import type { BillingPeriod } from "../packages/schema";
import type { SubscriptionStatus } from "./schema";
import { subscriptionCounts, subscriptions } from "./table";

/** What gives access, or is about to. */
export const runningStatuses: SubscriptionStatus[] = ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED"];

/** An end that has come and that nobody has written down yet: few at any time, with an index of their own, by these words. */
export const isOverdue = ({ actor, now }: Work): SQL | undefined =>
	and(
		eq(subscriptions.environmentId, actor.environmentId),
		lte(subscriptions.effectiveEndAt, now),
		sql`${subscriptions.status} in ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE')`,
	);

/** Which subscriptions are counted: by what the kept counts and the subscriptions themselves both have. */
export type Counted = (table: typeof subscriptionCounts | typeof subscriptions) => SQL | undefined;

const inEnvironment = ({ actor }: Work): SQL => eq(subscriptionCounts.environmentId, actor.environmentId);

/** Subscriptions of one version that are alike in what a price depends on. */
export interface CountOfTerms {
	readonly versionId: string;
	readonly billingPeriod: BillingPeriod | null;
	readonly billingCountryCode: string | null;
	readonly count: number;
}

/**
 * How many running subscriptions there are of each version, billing period and country. The kept counts hold what is written
 * down; of them goes what has ended since.
 */
export function countRunningByTerms(work: Work, of: Counted): CountOfTerms[] {
	const found = new Map<string, CountOfTerms>();
	const kept = work.tx
		.select({
			versionId: subscriptionCounts.versionId,
			billingPeriod: subscriptionCounts.billingPeriod,
			billingCountryCode: subscriptionCounts.billingCountryCode,
			count: sql<number>`sum(${subscriptionCounts.count})`,
		})
		.from(subscriptionCounts)
		.where(and(inEnvironment(work), inArray(subscriptionCounts.status, runningStatuses), of(subscriptionCounts)))
		.groupBy(subscriptionCounts.versionId, subscriptionCounts.billingPeriod, subscriptionCounts.billingCountryCode)
		.all();
	for (const { billingPeriod, billingCountryCode, ...terms } of kept) {
		const one = {
			...terms,
			billingPeriod: billingPeriod === "" ? null : billingPeriod,
			billingCountryCode: billingCountryCode === "" ? null : billingCountryCode,
		};
		found.set(keyOf(one), one);
	}
	const overdue = work.tx
		.select({
			versionId: subscriptions.versionId,
			billingPeriod: subscriptions.billingPeriod,
			billingCountryCode: subscriptions.billingCountryCode,
			count: count(),
		})
		.from(subscriptions)
		.where(and(isOverdue(work), of(subscriptions)))
		.groupBy(subscriptions.versionId, subscriptions.billingPeriod, subscriptions.billingCountryCode)
		.all();
	for (const terms of overdue) {
		const one = found.get(keyOf(terms));
		if (one) found.set(keyOf(terms), { ...one, count: one.count - terms.count });
	}
	return [...found.values()].filter((one) => one.count > 0);
}

const keyOf = ({ versionId, billingPeriod, billingCountryCode }: Omit<CountOfTerms, "count">): string =>
	JSON.stringify([versionId, billingPeriod, billingCountryCode]);

export const countRunning = (work: Work, of: Counted): number =>
	countRunningByTerms(work, of).reduce((sum, one) => sum + one.count, 0);

/** In every state, also of those that have ended. */
export const countAll = (work: Work): number =>
	work.tx
		.select({ rows: sql<number | null>`sum(${subscriptionCounts.count})` })
		.from(subscriptionCounts)
		.where(and(inEnvironment(work), gt(subscriptionCounts.count, 0)))
		.get()?.rows ?? 0;
