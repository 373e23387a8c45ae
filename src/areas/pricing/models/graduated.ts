import { type Decimal, exact } from "../../../kernel/decimal";
import { type PricedTier, priceTier, type Tier } from "./tiers";

/**
 * Each slice of the quantity is priced by the tier it lies in; a tier's flat price is added once when it is reached.
 * Nothing used costs nothing. Source: docs/interface/catalogue.md, Prices (275); contracts' `tiered`.
 */
export function graduated(tiers: readonly Tier[], quantity: Decimal): PricedTier[] {
	const used = exact(quantity);
	return tiers
		.filter(({ from }) => used.gt(exact(from)))
		.map((tier) => {
			const upper = tier.to !== null && exact(tier.to).lt(used) ? exact(tier.to) : used;
			return priceTier(tier, upper.minus(exact(tier.from)));
		});
}
