import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, minus, plus, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { FeatureRow } from "../../features/table";
import type { UnitTransformation } from "../../pricing/unit-conversion";
import { findWallet, type WalletOf } from "../operations.wallets";
import { costOf, pricesWholeUnits, type Use, type UseRate } from "./rules";
import { type PricedUnitsKey, savePricedUnits, selectPricedUnits } from "./store";

/** A use of a feature by a customer. */
export interface CustomerUse extends Use {
	readonly feature: FeatureRow;
	/** Row id. */
	readonly customerId: string;
	/** The caller's id. */
	readonly resourceRef: string | null;
	/** The start of the usage period of the use; 0 where usage never resets. Called only where whole units are priced. */
	readonly periodStart: () => Instant;
}

/** Returns the credits that a use costs, without consuming them. */
export function estimateCost(work: Work, rate: UseRate, use: CustomerUse): Decimal {
	const { unitTransformation } = use.feature;
	const before = pricesWholeUnits(rate, unitTransformation) ? selectPricedUnits(work, keyOf(use)) : zero;
	return costOf(rate, use, unitTransformation, before);
}

/** Returns the credits that a use costs, and records its units as paid. The caller consumes the credits in the same transaction. */
export function priceUse(work: Work, rate: UseRate, use: CustomerUse): Decimal {
	const { added, feature } = use;
	if (added === null || exact(added).lte(0) || !pricesWholeUnits(rate, feature.unitTransformation))
		return estimateCost(work, rate, use);
	return priceUnits(work, { rate, unitTransformation: feature.unitTransformation }, keyOf(use), added);
}

/** The price of units: the rate, and the conversion of counted units into priced ones. */
export interface UnitPrice {
	readonly rate: UseRate;
	readonly unitTransformation: UnitTransformation | null;
}

/** As `priceUse`, for units of which whole ones are priced. */
export function priceUnits(
	work: Work,
	{ rate, unitTransformation }: UnitPrice,
	key: PricedUnitsKey,
	added: Decimal,
): Decimal {
	const before = selectPricedUnits(work, key);
	savePricedUnits(work, key, plus(before, added));
	return costOf(rate, { added, dimensions: {} }, unitTransformation, before);
}

/** Returns the credits of units that were priced and canceled later: those of the units that no other use has begun. */
export function unpriceUnits(
	work: Work,
	{ rate, unitTransformation }: UnitPrice,
	key: PricedUnitsKey,
	canceled: Decimal,
): Decimal {
	const remaining = minus(selectPricedUnits(work, key), canceled);
	const after = remaining.startsWith("-") ? zero : remaining;
	savePricedUnits(work, key, after);
	return costOf(rate, { added: canceled, dimensions: {} }, unitTransformation, after);
}

const keyOf = ({ feature, customerId, resourceRef, periodStart }: CustomerUse): PricedUnitsKey => ({
	customerId,
	featureId: feature.id,
	resourceRef: resourceRef ?? "",
	periodStart: periodStart(),
});

/**
 * Returns the wallet that pays for a use: the resource's, where its own subscription prices the use or it was ever granted
 * credits; else the customer's.
 */
export function walletFor(
	work: Work,
	{ customerId, resourceRef }: { readonly customerId: string; readonly resourceRef: string | null },
	{ currencyId, isOfResource }: { readonly currencyId: string; readonly isOfResource: boolean },
): WalletOf {
	const ofResource = { customerId, currencyId, resourceRef: resourceRef ?? "" };
	if (resourceRef === null || isOfResource || findWallet(work, ofResource)) return ofResource;
	return { ...ofResource, resourceRef: "" };
}
