import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { findResource } from "../customers/operations";
import { productsByIds } from "../products/operations";
import { creditRatesOf, type FeatureCreditRate } from "../subscriptions/billing/credits/operations.rates";
import { everLiveSubscriptions } from "../subscriptions/operations.reading";
import type { SubscriptionRow } from "../subscriptions/table";

/** A credit rate, and whether it comes from a subscription of the resource or of the customer. */
export interface CreditRateOfHolder extends FeatureCreditRate {
	readonly isOfResource: boolean;
}

/** Credit rates by the row id of the feature. */
export type CreditRates = ReadonlyMap<string, CreditRateOfHolder>;

/**
 * Returns the subscriptions that apply to a resource: its own, and the customer's of products that allow one subscription per
 * customer. Without a resource, returns the customer's (docs/interface/entitlements.md).
 */
export function applicableTo(
	work: Work,
	subscriptions: readonly SubscriptionRow[],
	resourceId: string | null,
): SubscriptionRow[] {
	const ofCustomer = subscriptions.filter((row) => row.resourceId === null);
	if (resourceId === null) return ofCustomer;
	const products = productsByIds(
		work,
		ofCustomer.map(({ productId }) => productId),
	);
	return [
		...subscriptions.filter((row) => row.resourceId === resourceId),
		...ofCustomer.filter(({ productId }) => !products.get(productId)?.multipleSubscriptions),
	];
}

/** Returns the credit rates of these subscriptions. For each feature the first one that prices it counts; the resource's come first. */
export function ratesOf(work: Work, subscriptions: readonly SubscriptionRow[], at: Instant = work.now): CreditRates {
	const rates = new Map<string, CreditRateOfHolder>();
	for (const subscription of subscriptions)
		for (const rate of creditRatesOf(work, subscription, at))
			if (!rates.has(rate.featureId))
				rates.set(rate.featureId, { ...rate, isOfResource: subscription.resourceId !== null });
	return rates;
}

/** Returns the credit rates at another time, from the subscriptions that granted access then, even if they have ended since. */
export function ratesAt(work: Work, customerId: string, resourceRef: string | null, at: Instant): CreditRates {
	const resource = resourceRef === null ? null : findResource(work, customerId, resourceRef);
	const then = everLiveSubscriptions(work, customerId).filter(({ startAt, effectiveEndAt, endedAt }) => {
		const end = endedAt ?? effectiveEndAt;
		return startAt <= at && (end === null || at < end);
	});
	// A resource that does not exist has no subscription of its own.
	return ratesOf(work, applicableTo(work, then, resource === undefined ? "" : (resource?.id ?? null)), at);
}
