import type { Work } from "../../../kernel/work";
import { chargesOf } from "../../packages/operations";
import { versionsRelyingOn } from "../../packages/operations.uses";
import type { VersionRow } from "../../packages/table";
import { chargesFor } from "../../pricing/choice/price";
import { existsEverWith, existsOfProduct, existsRunningOn, existsRunningWith, selectTermsOn } from "./store.catalogue";

// Checks that the catalogue makes before it changes. The catalogue is an earlier area, so the compositions pass these
// functions to it.

/** Whether the product (its row id) has ever had a subscription. */
export const hasSubscriptions = (work: Work, productId: string): boolean => existsOfProduct(work, productId);

/**
 * Whether an active subscription has the feature (its row id): from its plan, a base plan, an addon, or an entitlement
 * of its own.
 */
export const isFeatureInUse = (work: Work, featureId: string): boolean =>
	existsRunningOn(work, versionsRelyingOn(work, featureId)) || existsRunningWith(work, featureId);

/**
 * Whether a subscription of the customer, ended ones included, was ever sold the feature (row ids) or a price of it.
 */
export const wasEverSold = (work: Work, customerId: string, featureId: string): boolean =>
	existsEverWith(work, customerId, { featureId, versionIds: versionsRelyingOn(work, featureId) });

/**
 * Returns the row ids of a version's charges, overage included, that bill at least one active subscription: those of
 * its billing period, country and currency.
 */
export function chargesInUse(work: Work, version: Pick<VersionRow, "id" | "kind">): Set<string> {
	const terms = selectTermsOn(work, version);
	if (terms.length === 0) return new Set();
	const charges = chargesOf(work, version.id);
	return new Set(
		terms.flatMap(({ billingPeriod, billingCountryCode, billingCurrency }) =>
			billingPeriod === null
				? []
				: chargesFor(charges, billingPeriod, billingCountryCode, billingCurrency).map(({ id }) => id),
		),
	);
}
