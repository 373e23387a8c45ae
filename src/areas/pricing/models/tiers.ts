import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";

/** A step of a price: quantities above `from` up to and with `to`; `to` null is the open end. Prices are in major units. */
export interface Tier {
	readonly from: Decimal;
	readonly to: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly flatPrice: Decimal | null;
}

/** What one step contributed; an invoice shows it below the line. `amount` is exact, for the whole period, before discount. */
export interface PricedTier extends Tier {
	readonly quantity: Decimal;
	readonly amount: Decimal;
}

/** A tier as charges state it: by its upper bound alone. */
export interface UpToTier {
	readonly upTo: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly flatPrice: Decimal | null;
}

/**
 * The tiers with both bounds. The last is open whatever it says (source: docs/interface/catalogue.md, the last tier has
 * no `upTo`): what lies beyond a closed one would otherwise be free.
 */
export const tiersUpTo = (tiers: readonly UpToTier[]): Tier[] =>
	tiers.map(({ upTo, unitPrice, flatPrice }, at) => ({
		from: tiers[at - 1]?.upTo ?? zero,
		to: at === tiers.length - 1 ? null : upTo,
		unitPrice,
		flatPrice,
	}));

/** The tier with `quantity` units in it: its flat price once, its unit price for each unit. */
export const priceTier = (tier: Tier, quantity: Big): PricedTier => ({
	...tier,
	quantity: toDecimal(quantity),
	amount: toDecimal(
		exact(tier.unitPrice ?? zero)
			.times(quantity)
			.plus(exact(tier.flatPrice ?? zero)),
	),
});

/** The one tier that a quantity falls into: from < quantity <= to. None for 0, nor in a gap. */
export const tierReached = (tiers: readonly Tier[], quantity: Big): Tier | undefined =>
	tiers.find(({ from, to }) => exact(from).lt(quantity) && (to === null || quantity.lte(exact(to))));

export const amountOf = (priced: readonly PricedTier[]): Big => sum(priced.map(({ amount }) => exact(amount)));
