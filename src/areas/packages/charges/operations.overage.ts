import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { findCurrency } from "../../currencies/operations";
import { assertFeatureUsable } from "../../features/rules";
import type { FeatureRow } from "../../features/table";
import {
	assertTermsFit,
	creditEntitlementOf,
	featureEntitlementChanges,
	featureEntitlementOf,
} from "../entitlements/rules";
import { insertEntitlement, saveEntitlement } from "../entitlements/store";
import { entitlementsOf } from "../operations";
import type { VersionRow } from "../table";
import { assertLimited, assertPricedFeature } from "./rules";
import type { OveragePricingModel } from "./schema";

/**
 * Returns the feature whose overage is priced. Creates or changes its entitlement as the model states, and makes its limit soft:
 * usage beyond the limit is sold, not denied (docs/interface/catalogue.md). The plan itself must have the limit; an inherited one
 * does not count.
 */
export function limitedFeature(
	work: Work,
	draft: VersionRow,
	where: string,
	model: OveragePricingModel,
	features: ReadonlyMap<string, FeatureRow>,
): string {
	const featureRef = model.featureId ?? model.entitlement?.featureId ?? "";
	const feature = features.get(featureRef);
	assert(feature, "the overage feature was looked up");
	assertFeatureUsable(feature);
	assertPricedFeature(where, model.billingModel, feature);
	const current = entitlementsOf(work, draft.id).find(({ featureId }) => featureId === feature.id);
	const terms = model.entitlement && { ...model.entitlement, hasSoftLimit: true };
	if (terms) assertTermsFit(where, feature, terms);
	if (current) {
		const changes = terms ? featureEntitlementChanges(current, terms) : { hasSoftLimit: true };
		assertLimited(where, featureRef, { ...current, ...changes });
		saveEntitlement(work, current, changes);
	} else {
		assertLimited(where, featureRef, terms);
		insertEntitlement(work, draft.id, featureEntitlementOf(feature, terms ?? {}));
	}
	return feature.id;
}

/** Returns the credit currency whose overage is priced. The plan grants it, or the model's own `creditEntitlement` does. */
export function limitedCurrency(
	work: Work,
	draft: VersionRow,
	where: string,
	currencyRef: string,
	{ creditEntitlement }: OveragePricingModel,
): string {
	const currency = findCurrency(work, currencyRef);
	const current = currency && entitlementsOf(work, draft.id).find(({ currencyId }) => currencyId === currency.id);
	if (!currency || (!current && !creditEntitlement))
		throw fail(
			"CreditOveragePriceCurrencyNotFound",
			currency
				? `${where}: the plan '${draft.refId}' does not grant '${currencyRef}'; send 'creditEntitlement', or entitle it first.`
				: `${where}: there is no active custom currency '${currencyRef}' in this environment; create it first.`,
		);
	if (current) saveEntitlement(work, current, { hasSoftLimit: true });
	else if (creditEntitlement) {
		const { amount, cadence } = creditEntitlement;
		insertEntitlement(work, draft.id, creditEntitlementOf(currency.id, null, { amount, cadence, hasSoftLimit: true }));
	}
	return currency.id;
}
