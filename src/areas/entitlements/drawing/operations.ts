import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, minus, plus, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { findWallet, type WalletOf } from "../../credits/operations.wallets";
import type { FeatureRow } from "../../features/table";
import type { UnitTransformation } from "../../pricing/models/usage";
import { periodShown } from "../operations.resets";
import type { Resolved } from "../resolve";
import type { HeldRate } from "./operations.rates";
import { costOf, isByWholeUnits, type Use, type UseRate } from "./rules";
import { type PricedOf, savePricedUnits, selectPricedUnits } from "./store";

/** Who uses what. */
export interface UseOf extends Use {
	readonly feature: FeatureRow;
	/** Row id. */
	readonly customerId: string;
	/** The caller's id. */
	readonly resourceRef: string | null;
	readonly at: Instant;
	/** As of now: which usage period the use is in. */
	readonly resolved: Resolved;
}

/** What a use costs in credits, which is not taken. */
export function estimatedCost(work: Work, rate: HeldRate, use: UseOf): Decimal {
	const { unitTransformation } = use.feature;
	const before = isByWholeUnits(rate, unitTransformation) ? selectPricedUnits(work, pricedOf(use)) : zero;
	return costOf(rate, use, unitTransformation, before);
}

/** What a use costs in credits, which is taken in the same transaction: what it has begun costs nothing from then on. */
export function pricedUse(work: Work, rate: HeldRate, use: UseOf): Decimal {
	const { added, feature } = use;
	if (added === null || exact(added).lte(0) || !isByWholeUnits(rate, feature.unitTransformation))
		return estimatedCost(work, rate, use);
	return priceUnits(work, { rate, unitTransformation: feature.unitTransformation }, pricedOf(use), added);
}

/** What units are priced by. */
export interface UnitPrice {
	readonly rate: UseRate;
	readonly unitTransformation: UnitTransformation | null;
}

/** What units cost that are priced by whole ones, which are taken in the same transaction. */
export function priceUnits(work: Work, { rate, unitTransformation }: UnitPrice, of: PricedOf, added: Decimal): Decimal {
	const before = selectPricedUnits(work, of);
	savePricedUnits(work, of, plus(before, added));
	return costOf(rate, { added, dimensions: {} }, unitTransformation, before);
}

/** What units have cost that were priced so, and were not used after all: what no other has begun. */
export function unpriceUnits(
	work: Work,
	{ rate, unitTransformation }: UnitPrice,
	of: PricedOf,
	taken: Decimal,
): Decimal {
	const left = minus(selectPricedUnits(work, of), taken);
	const after = left.startsWith("-") ? zero : left;
	savePricedUnits(work, of, after);
	return costOf(rate, { added: taken, dimensions: {} }, unitTransformation, after);
}

const pricedOf = ({ feature, customerId, resourceRef, at, resolved }: UseOf): PricedOf => {
	const found = resolved.features.get(feature.refId);
	const period = found ? periodShown(found, at) : null;
	return {
		customerId,
		featureId: feature.id,
		resourceRef: resourceRef ?? "",
		periodStart: period?.start ?? (0 as Instant),
	};
};

/**
 * Whose credits a use takes: the resource's where its own subscription prices it, or where it was ever granted any; else
 * those of the customer as a whole.
 */
export function walletFor(
	work: Work,
	{ customerId, resourceRef }: { readonly customerId: string; readonly resourceRef: string | null },
	{ currencyId, isOfResource }: Pick<HeldRate, "currencyId" | "isOfResource">,
): WalletOf {
	const ofResource = { customerId, currencyId, resourceRef: resourceRef ?? "" };
	if (resourceRef === null || isOfResource || findWallet(work, ofResource)) return ofResource;
	return { ...ofResource, resourceRef: "" };
}
