import type { Work } from "../../../kernel/work";
import { chargesOf } from "../../packages/operations";
import { versionsRelyingOn } from "../../packages/operations.uses";
import type { VersionRow } from "../../packages/table";
import { chargesFor } from "../../pricing/price-choice";
import { existsEverWith, existsOfProduct, existsRunningOn, existsRunningWith, selectTermsOn } from "./store.catalogue";

// What the catalogue asks of subscriptions before it changes. It comes before them, so its routes hand these in.

/** Whether the product (its row id) was ever subscribed to, running or not. */
export const hasSubscriptions = (work: Work, productId: string): boolean => existsOfProduct(work, productId);

/** Whether a running subscription has the feature (its row id): by its plan, a base plan, an addon, or by itself. */
export const isFeatureInUse = (work: Work, featureId: string): boolean =>
	existsRunningOn(work, versionsRelyingOn(work, featureId)) || existsRunningWith(work, featureId);

/** Whether the customer was ever sold the feature (row ids), or a price of it, also by a subscription that has ended. */
export const wasEverSold = (work: Work, customerId: string, featureId: string): boolean =>
	existsEverWith(work, customerId, { featureId, versionIds: versionsRelyingOn(work, featureId) });

/**
 * The row ids of a version's charges, overage included, that at least one running subscription is billed by: those of its
 * billing period and country.
 */
export function chargesInUse(work: Work, version: Pick<VersionRow, "id" | "kind">): Set<string> {
	const terms = selectTermsOn(work, version);
	if (terms.length === 0) return new Set();
	const charges = chargesOf(work, version.id);
	return new Set(
		terms.flatMap(({ billingPeriod, billingCountryCode }) =>
			billingPeriod === null ? [] : chargesFor(charges, billingPeriod, billingCountryCode).map(({ id }) => id),
		),
	);
}
