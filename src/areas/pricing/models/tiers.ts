import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";

/** A tier of a price: quantities above `from`, up to and including `to`. A null `to` means no upper bound. Prices are in major units. */
export interface Tier {
	readonly from: Decimal;
	readonly to: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly flatPrice: Decimal | null;
}

/** The contribution of one tier; an invoice shows it below the line. `amount` is exact, for the whole period, before discount. */
export interface PricedTier extends Tier {
	readonly quantity: Decimal;
	readonly amount: Decimal;
}

/** A tier as charges define it: by its upper bound only. */
export interface UpToTier {
	readonly upTo: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly flatPrice: Decimal | null;
}

/**
 * Returns the tiers with both bounds. The last tier has no upper bound, even if it states one: units beyond it would
 * otherwise be free. Source: docs/interface/catalogue.md#prices.
 */
export const tiersUpTo = (tiers: readonly UpToTier[]): Tier[] =>
	tiers.map(({ upTo, unitPrice, flatPrice }, at) => ({
		from: tiers[at - 1]?.upTo ?? zero,
		to: at === tiers.length - 1 ? null : upTo,
		unitPrice,
		flatPrice,
	}));

/** Prices a tier that contains `quantity` units: its flat price once, its unit price for each unit. */
export const priceTier = (tier: Tier, quantity: Big): PricedTier => ({
	...tier,
	quantity: toDecimal(quantity),
	amount: toDecimal(
		exact(tier.unitPrice ?? zero)
			.times(quantity)
			.plus(exact(tier.flatPrice ?? zero)),
	),
});

/** Returns the tier that contains a quantity: from < quantity <= to. Undefined for 0 and for a gap between tiers. */
export const tierReached = (tiers: readonly Tier[], quantity: Big): Tier | undefined =>
	tiers.find(({ from, to }) => exact(from).lt(quantity) && (to === null || quantity.lte(exact(to))));

export const amountOf = (priced: readonly PricedTier[]): Big => sum(priced.map(({ amount }) => exact(amount)));
