import { and, count, eq, inArray, type SQL, sql, sum } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import type { PricingType } from "../../packages/schema";
import type { BillingPeriod } from "../../pricing/rules.billing-period";
import type { SubscriptionStatus } from "../schema";
import { subscriptionCounts, subscriptions } from "../table";
import { isOverdue, runningStatuses, statusAfterEnd } from "./store.status";

/** A condition on columns that the stored counts and the subscriptions both have. */
export type Counted = (table: typeof subscriptionCounts | typeof subscriptions) => SQL | undefined;

const inEnvironment = ({ actor }: Work): SQL => eq(subscriptionCounts.environmentId, actor.environmentId);

/** The number of a version's subscriptions with the same billing period, country and chosen currency. */
export interface CountOfTerms {
	readonly versionId: string;
	readonly billingPeriod: BillingPeriod | null;
	readonly billingCountryCode: string | null;
	readonly billingCurrency: string | null;
	readonly count: number;
}

/**
 * Counts active subscriptions by version, billing period, country and chosen currency: by the stored counts, minus the
 * subscriptions that have ended since.
 */
export function countRunningByTerms(work: Work, of: Counted): CountOfTerms[] {
	const found = new Map<string, CountOfTerms>();
	const kept = work.tx
		.select({
			versionId: subscriptionCounts.versionId,
			billingPeriod: subscriptionCounts.billingPeriod,
			billingCountryCode: subscriptionCounts.billingCountryCode,
			billingCurrency: subscriptionCounts.billingCurrency,
			count: sql<number>`sum(${subscriptionCounts.count})`,
		})
		.from(subscriptionCounts)
		.where(and(inEnvironment(work), inArray(subscriptionCounts.status, runningStatuses), of(subscriptionCounts)))
		.groupBy(...termsOf(subscriptionCounts))
		.all();
	for (const { billingPeriod, billingCountryCode, billingCurrency, ...terms } of kept) {
		const one = {
			...terms,
			billingPeriod: billingPeriod === "" ? null : billingPeriod,
			billingCountryCode: billingCountryCode === "" ? null : billingCountryCode,
			billingCurrency: billingCurrency === "" ? null : billingCurrency,
		};
		found.set(keyOf(one), one);
	}
	const overdue = work.tx
		.select({
			versionId: subscriptions.versionId,
			billingPeriod: subscriptions.billingPeriod,
			billingCountryCode: subscriptions.billingCountryCode,
			billingCurrency: subscriptions.billingCurrency,
			count: count(),
		})
		.from(subscriptions)
		.where(and(isOverdue(work), of(subscriptions)))
		.groupBy(...termsOf(subscriptions))
		.all();
	for (const terms of overdue) {
		const one = found.get(keyOf(terms));
		if (one) found.set(keyOf(terms), { ...one, count: one.count - terms.count });
	}
	return [...found.values()].filter((one) => one.count > 0);
}

const termsOf = (table: typeof subscriptionCounts | typeof subscriptions) =>
	[table.versionId, table.billingPeriod, table.billingCountryCode, table.billingCurrency] as const;

const keyOf = ({
	versionId,
	billingPeriod,
	billingCountryCode,
	billingCurrency,
}: Omit<CountOfTerms, "count">): string =>
	JSON.stringify([versionId, billingPeriod, billingCountryCode, billingCurrency]);

export const countRunning = (work: Work, of: Counted): number =>
	countRunningByTerms(work, of).reduce((rows, one) => rows + one.count, 0);

/** The filter of a count; omitted fields match everything. */
export interface CountQuery {
	readonly statuses?: readonly SubscriptionStatus[] | undefined;
	readonly pricingTypes?: readonly PricingType[] | undefined;
	readonly planIds?: readonly string[] | undefined;
}

/**
 * Counts by current status: a subscription whose end has passed counts by its status after the end, not by the stored
 * one.
 */
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
