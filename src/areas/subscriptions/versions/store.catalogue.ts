import { and, asc, count, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sum } from "drizzle-orm";
import { isOneOf } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { packages, type VersionRow } from "../../packages/table";
import { countRunning, countRunningByTerms } from "../lists/store.counts";
import { isOverdue, runningStatuses } from "../lists/store.status";
import { type SubscriptionRow, subscriptionCounts, subscriptions } from "../table";
import { subscriptionAddons, subscriptionEntitlements, subscriptionQuantities } from "../table.parts";

const inEnvironment = ({ actor }: Work): SQL => eq(subscriptions.environmentId, actor.environmentId);

/** Subscriptions that give access, or will: an agreed end that has passed counts, even before it is written. */
export const isRunning = (work: Work): SQL | undefined =>
	and(
		inEnvironment(work),
		inArray(subscriptions.status, runningStatuses),
		or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, work.now)),
	);

/** Joins the product's plans, since subscriptions have an index of plans. */
export const existsOfProduct = (work: Work, productId: string): boolean =>
	work.tx
		.select({ id: subscriptions.id })
		.from(packages)
		.innerJoin(subscriptions, eq(subscriptions.planId, packages.id))
		.where(and(inEnvironment(work), eq(packages.productId, productId)))
		.limit(1)
		.get() !== undefined;

/** Whether an active subscription has one of the versions, as its plan or as an addon. */
export const existsRunningOn = (work: Work, versionIds: readonly string[]): boolean =>
	countRunning(work, ({ versionId }) => isOneOf(versionId, versionIds)) > 0 ||
	work.tx
		.select({ id: subscriptions.id })
		.from(subscriptionAddons)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionAddons.subscriptionId))
		.where(and(isRunning(work), isOneOf(subscriptionAddons.versionId, versionIds)))
		.limit(1)
		.get() !== undefined;

/** Whether an active subscription has an own entitlement to the feature, or units of it. */
export const existsRunningWith = (work: Work, featureId: string): boolean =>
	[subscriptionEntitlements, subscriptionQuantities].some(
		(parts) =>
			work.tx
				.select({ id: subscriptions.id })
				.from(parts)
				.innerJoin(subscriptions, eq(subscriptions.id, parts.subscriptionId))
				.where(and(isRunning(work), eq(parts.featureId, featureId)))
				.limit(1)
				.get() !== undefined,
	);

/**
 * Whether a subscription of the customer ever had one of the versions, an own entitlement to the feature, or units of
 * it.
 */
export function existsEverWith(
	work: Work,
	customerId: string,
	{ featureId, versionIds }: { readonly featureId: string; readonly versionIds: readonly string[] },
): boolean {
	const ofCustomer = and(inEnvironment(work), eq(subscriptions.customerId, customerId));
	const isSold = (condition: SQL) =>
		work.tx.select({ id: subscriptions.id }).from(subscriptions).where(and(ofCustomer, condition)).limit(1).get() !==
		undefined;
	const hasPart = (parts: typeof subscriptionAddons | typeof subscriptionEntitlements, condition: SQL) =>
		work.tx
			.select({ id: subscriptions.id })
			.from(subscriptions)
			.innerJoin(parts, eq(subscriptions.id, parts.subscriptionId))
			.where(and(ofCustomer, condition))
			.limit(1)
			.get() !== undefined;
	return (
		isSold(isOneOf(subscriptions.versionId, versionIds)) ||
		hasPart(subscriptionAddons, isOneOf(subscriptionAddons.versionId, versionIds)) ||
		hasPart(subscriptionEntitlements, eq(subscriptionEntitlements.featureId, featureId))
	);
}

/** Selects the distinct billing periods, countries and chosen currencies of a version's active subscriptions. */
export const selectTermsOn = (
	work: Work,
	{ id, kind }: Pick<VersionRow, "id" | "kind">,
): Array<Pick<SubscriptionRow, "billingPeriod" | "billingCountryCode" | "billingCurrency">> => {
	if (kind === "PLAN") return countRunningByTerms(work, ({ versionId }) => eq(versionId, id));
	return work.tx
		.selectDistinct({
			billingPeriod: subscriptions.billingPeriod,
			billingCountryCode: subscriptions.billingCountryCode,
			billingCurrency: subscriptions.billingCurrency,
		})
		.from(subscriptions)
		.innerJoin(subscriptionAddons, eq(subscriptionAddons.subscriptionId, subscriptions.id))
		.where(and(isRunning(work), eq(subscriptionAddons.versionId, id)))
		.all();
};

/**
 * Paid subscriptions of the plan, on any version, that are stored as active and that Tollgate invoices
 * (`isBilledHere`).
 */
const isBilledOn = (work: Work, planId: string) =>
	and(
		eq(subscriptions.environmentId, work.actor.environmentId),
		eq(subscriptions.planId, planId),
		eq(subscriptions.status, "ACTIVE"),
		eq(subscriptions.pricingType, "PAID"),
		or(isNull(subscriptions.paymentCollectionMethod), ne(subscriptions.paymentCollectionMethod, "NONE")),
		isNotNull(subscriptions.billedUntil),
	);

const hasNotEnded = (work: Work) =>
	or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, work.now));

/** Counts by the stored counts, minus the subscriptions that have ended since. */
export function countBilledOn(work: Work, planId: string): number {
	const kept = work.tx
		.select({ rows: sum(subscriptionCounts.count) })
		.from(subscriptionCounts)
		.where(
			and(
				eq(subscriptionCounts.environmentId, work.actor.environmentId),
				eq(subscriptionCounts.planId, planId),
				eq(subscriptionCounts.status, "ACTIVE"),
				eq(subscriptionCounts.pricingType, "PAID"),
				eq(subscriptionCounts.isBilled, true),
			),
		)
		.get();
	const overdue = work.tx
		.select({ rows: count() })
		.from(subscriptions)
		.where(and(isOverdue(work), isBilledOn(work, planId)))
		.get();
	return Number(kept?.rows ?? 0) - (overdue?.rows ?? 0);
}

/** In the order of their row ids, after `afterId`. */
export const selectBilledOn = (work: Work, planId: string, afterId: string, rowsMax: number): SubscriptionRow[] =>
	work.tx
		.select()
		.from(subscriptions)
		.where(and(isBilledOn(work, planId), hasNotEnded(work), gt(subscriptions.id, afterId)))
		.orderBy(asc(subscriptions.id))
		.limit(rowsMax)
		.all();
