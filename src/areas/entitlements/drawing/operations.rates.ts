import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { findResource } from "../../customers/operations";
import { productsByIds } from "../../products/operations";
import { creditRatesOf, type FeatureCreditRate } from "../../subscriptions/billing/operations.credit-rates";
import { everLiveSubscriptions } from "../../subscriptions/operations";
import type { SubscriptionRow } from "../../subscriptions/table";

/** A rate, and whose it is: of the resource that uses, or of the customer as a whole. */
export interface HeldRate extends FeatureCreditRate {
	readonly isOfResource: boolean;
}

/** By row id of the feature. */
export type HeldRates = ReadonlyMap<string, HeldRate>;

/**
 * The subscriptions that act: on the resource itself, and on the customer as a whole where its product has only one
 * subscription; without a resource, those of the customer as a whole (docs/interface/entitlements.md).
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

/** What features cost in credits by these subscriptions: of each the first that prices it, those of the resource before others. */
export function ratesOf(work: Work, subscriptions: readonly SubscriptionRow[], at: Instant = work.now): HeldRates {
	const rates = new Map<string, HeldRate>();
	for (const subscription of subscriptions)
		for (const rate of creditRatesOf(work, subscription, at))
			if (!rates.has(rate.featureId))
				rates.set(rate.featureId, { ...rate, isOfResource: subscription.resourceId !== null });
	return rates;
}

/** The same at another time, of the subscriptions that gave access then, whatever has become of them. */
export function ratesAt(work: Work, customerId: string, resourceRef: string | null, at: Instant): HeldRates {
	const resource = resourceRef === null ? null : findResource(work, customerId, resourceRef);
	const then = everLiveSubscriptions(work, customerId).filter(({ startAt, effectiveEndAt, endedAt }) => {
		const end = endedAt ?? effectiveEndAt;
		return startAt <= at && (end === null || at < end);
	});
	// A resource that does not exist has no subscription of its own.
	return ratesOf(work, applicableTo(work, then, resource === undefined ? "" : (resource?.id ?? null)), at);
}
