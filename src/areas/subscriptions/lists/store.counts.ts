import { and, count, eq, inArray, type SQL, sql, sum } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import type { BillingPeriod, PricingType } from "../../packages/schema";
import type { SubscriptionStatus } from "../schema";
import { subscriptionCounts, subscriptions } from "../table";
import { isOverdue, runningStatuses, statusAfterEnd } from "./store.status";

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
	countRunningByTerms(work, of).reduce((rows, one) => rows + one.count, 0);

/** What is asked of a count; what is left out narrows nothing. */
export interface CountQuery {
	readonly statuses?: readonly SubscriptionStatus[] | undefined;
	readonly pricingTypes?: readonly PricingType[] | undefined;
	readonly planIds?: readonly string[] | undefined;
}

/** By the statuses of now. Of what the kept counts hold goes what has ended since, and comes to what it has become. */
export function countNow(work: Work, { statuses, pricingTypes, planIds }: CountQuery): number {
	const of: Counted = (table) =>
		and(pricingTypes && inArray(table.pricingType, [...pricingTypes]), planIds && inArray(table.planId, [...planIds]));
	const kept = work.tx
		.select({ rows: sum(subscriptionCounts.count) })
		.from(subscriptionCounts)
		.where(
			and(inEnvironment(work), statuses && inArray(subscriptionCounts.status, [...statuses]), of(subscriptionCounts)),
		)
		.get();
	const written = Number(kept?.rows ?? 0);
	if (!statuses) return written;
	const ended = work.tx
		.select({ before: subscriptions.status, after: statusAfterEnd, rows: count() })
		.from(subscriptions)
		.where(and(isOverdue(work), of(subscriptions)))
		.groupBy(subscriptions.status, statusAfterEnd)
		.all();
	return ended.reduce(
		(rows, one) => rows + one.rows * (Number(statuses.includes(one.after)) - Number(statuses.includes(one.before))),
		written,
	);
}
